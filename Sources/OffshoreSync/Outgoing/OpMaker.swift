import OffshoreWire

/// The conversion of captured row changes to ops.
struct OpMaker {
  let manifest: Manifest
  /// The values in the columns of former releases, or `nil` if there are none.
  var formerColumns: FormerColumns?
  var clock: HybridClock
  /// The time of the change, in milliseconds since 1970 by the device's clock.
  var now: Int64

  /// An op and the scope of the batch that it belongs to.
  struct Edit: Hashable {
    let scope: ScopeID
    let op: Op
  }

  /// Converts a change of a row to ops.
  ///
  /// - Parameter versions: the known versions of the row, by scope. They are updated by the ops.
  /// - Throws: `Rejection` if the change cannot be sent.
  mutating func edits(
    of change: CapturedRow, _ row: RowID, _ versions: inout [ScopeID: RowVersion]
  ) throws(Rejection) -> [Edit] {
    guard let table = manifest[row.table] else {
      throw Rejection(.unknownTable, "The table is no longer synced.", row: row)
    }
    let edits = try edits(of: change, row, table, &versions)
    let released = formerColumns?.manifest ?? manifest
    for edit in edits { try released.check(edit.op, in: edit.scope) }
    return edits
  }

  private mutating func edits(
    of change: CapturedRow, _ row: RowID, _ table: SyncedTable,
    _ versions: inout [ScopeID: RowVersion]
  ) throws(Rejection) -> [Edit] {
    let scopeBefore =
      change.wasThere ? try scope(change.old, or: change.new ?? [:], row, table) : nil
    let known = scopeBefore.flatMap { versions[$0] }.flatMap { $0.isLiving ? $0 : nil }
    guard let new = change.new else {
      guard let scopeBefore, let known else { return [] }
      return [deletion(of: change.old, row, scopeBefore, table, known, &versions)]
    }
    let scope = try scope(new, or: [:], row, table)
    guard let scopeBefore, let known else {
      return [insertion(row, new, scope, table, &versions)]
    }
    if change.wasDeleted {
      let deletion = deletion(of: change.old, row, scopeBefore, table, known, &versions)
      return [deletion, insertion(row, new, scope, table, &versions)]
    }
    return update(change, row, new, table, known, from: scopeBefore, to: scope, &versions)
  }

  // MARK: - Kinds

  private mutating func deletion(
    of values: [String: WireValue], _ row: RowID, _ scope: ScopeID, _ table: SyncedTable,
    _ known: RowVersion, _ versions: inout [ScopeID: RowVersion]
  ) -> Edit {
    let state = known.state(values, in: table)
    let op = Op(
      .delete, row, generation: known.generation, base: state.deletionBase,
      stamp: clock.next(at: now))
    versions[scope] = known.ended(.deleted, op.stamp)
    return Edit(scope: scope, op: op)
  }

  private mutating func insertion(
    _ row: RowID, _ values: [String: WireValue], _ scope: ScopeID, _ table: SyncedTable,
    _ versions: inout [ScopeID: RowVersion]
  ) -> Edit {
    var fields: [String: WireValue] = [:]
    for column in table.columns {
      guard let value = values[column.name] else { continue }
      fields.merge(column.fields(of: value), uniquingKeysWith: { $1 })
    }
    let generation = versions[scope].map { $0.isLiving ? $0.generation : $0.generation + 1 } ?? 1
    let former = formerColumns?.fields(ofInserted: values, in: table) ?? [:]
    let op = Op(
      .put, row, generation: generation, fields: fields.merging(former) { $1 },
      stamp: clock.next(at: now))
    versions[scope] = RowVersion(
      generation: generation, presence: .living, stamp: op.stamp, unknown: former)
    return Edit(scope: scope, op: op)
  }

  private mutating func update(
    _ change: CapturedRow, _ row: RowID, _ new: [String: WireValue], _ table: SyncedTable,
    _ known: RowVersion, from scope: ScopeID, to target: ScopeID,
    _ versions: inout [ScopeID: RowVersion]
  ) -> [Edit] {
    var known = known
    var edits: [Edit] = []
    let fields = changedFields(change, new, table, known)
    if !fields.increments.isEmpty {
      let op = Op(
        .increment, row, generation: known.generation, fields: fields.increments,
        base: fields.base, stamp: clock.next(at: now))
      known.apply(op, in: table)
      edits.append(Edit(scope: scope, op: op))
    }
    if !fields.values.isEmpty {
      let op = Op(
        scope == target ? .patch : .move(to: target), row, generation: known.generation,
        fields: fields.values, base: fields.base, stamp: clock.next(at: now))
      known.apply(op, in: table)
      edits.append(Edit(scope: scope, op: op))
      if scope != target { arrive(op, known, at: target, &versions) }
    }
    versions[scope] = scope == target || edits.isEmpty ? known : known.ended(.moved, clock.latest)
    return edits
  }

  /// Records the first version of a moved row in its new scope.
  private func arrive(
    _ op: Op, _ known: RowVersion, at scope: ScopeID, _ versions: inout [ScopeID: RowVersion]
  ) {
    let arrival = Op.arrival(
      of: op, carrying: [:],
      in: versions[scope].map {
        RowState(generation: $0.generation, presence: $0.presence, stamp: $0.stamp)
      })
    versions[scope] = RowVersion(
      generation: arrival.generation, presence: .living, stamp: op.stamp, unknown: known.unknown,
      missing: known.missing)
  }

  // MARK: - Fields

  private struct ChangedFields {
    var values: [String: WireValue] = [:]
    var increments: [String: WireValue] = [:]
    var base: [String: Stamp] = [:]
  }

  private func changedFields(
    _ change: CapturedRow, _ new: [String: WireValue], _ table: SyncedTable, _ known: RowVersion
  ) -> ChangedFields {
    var result = ChangedFields()
    for column in table.columns {
      guard let old = change.old[column.name], let new = new[column.name],
        old != new || change.restated.contains(column.name)
      else { continue }
      // Other devices do not know the old value of the column, so the new one is sent as a whole.
      let isMissing = known.isElsewhere(column)
      if column.policy == .counter, let difference = new.increment(from: isMissing ? .null : old) {
        result.increments[column.name] = difference
        result.base[column.name] = isMissing ? nil : known.version(of: column.name)
        continue
      }
      let before = isMissing ? [:] : column.fields(of: old)
      for (field, value) in isMissing || old == new
        ? column.fields(of: new) : column.changes(from: old, to: new)
      {
        result.values[field] = value
        // A key that did not exist has a version only if it was removed before. The user has seen the
        // derived value, but not one that the column cannot store.
        let isSeen =
          before[field] != nil || known.unknown[field] != nil && column.derivedFrom != nil
        result.base[field] = isSeen ? known.version(of: field) : known.versions[field]
      }
    }
    addFormer(to: &result, table, known)
    return result
  }

  /// Adds the values of changed columns in columns of former releases.
  private func addFormer(
    to fields: inout ChangedFields, _ table: SyncedTable, _ known: RowVersion
  ) {
    let former = formerColumns?.fields(ofChanged: fields.values, in: table) ?? [:]
    for (field, value) in former where known.unknown[field] != value {
      fields.values[field] = value
      fields.base[field] =
        known.unknown[field] == nil ? known.versions[field] : known.version(of: field)
    }
  }

  private func scope(
    _ values: [String: WireValue], or others: [String: WireValue], _ row: RowID,
    _ table: SyncedTable
  ) throws(Rejection) -> ScopeID {
    let value =
      table.scopeColumn == table.idColumn
      ? row.id : (values[table.scopeColumn] ?? others[table.scopeColumn])?.string
    guard let value, let scope = try? ScopeID(kind: table.scopeKind, value: value) else {
      throw Rejection(
        .wrongScope, "The row does not tell its scope by 1 to 200 visible characters of ASCII.",
        row: row, field: table.scopeColumn)
    }
    return scope
  }
}
