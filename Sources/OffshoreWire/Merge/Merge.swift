/// The merge of edits into rows, by which the server decides and devices predict its decision.
///
/// An edit whose author had seen or written the current value of a field always applies, whatever
/// the time of its stamp. Concurrent edits are decided by the column's ``MergePolicy``. A deletion
/// wins over all edits of the generation that it ends, and edits that its author had not seen
/// become conflicts. A deleted row comes back only by an insertion whose author saw the deletion.
///
/// ```swift
/// let merge = try Merge(manifest, rules: rules)
/// switch merge.apply(op, to: stored) {
/// case .merged(let row): try store(row.state, row.conflicts)
/// case .refused(let rejection): try reject(batch, rejection)
/// }
/// ```
public struct Merge: Sendable {
  let manifest: Manifest
  private let rules: MergeRules

  /// Creates the merge for a manifest's tables. Fields unknown to the manifest are decided by the
  /// last writer.
  /// - Throws: `WireError` with the code `invalidManifest` if a rule that the manifest names is
  ///   missing.
  public init(_ manifest: Manifest, rules: MergeRules = MergeRules()) throws(WireError) {
    if let name = rules.missing(for: manifest).first {
      throw WireError(
        .invalidManifest, "The merge rule \(name) is not registered. Register it before syncing.")
    }
    self.manifest = manifest
    self.rules = rules
  }

  /// Merges an op into a row.
  /// - Parameters:
  ///   - op: an op that conforms to the manifest, as a server checks before it merges.
  ///   - state: the state of the row, or `nil` if it is unknown.
  public func apply(_ op: Op, to state: RowState?) -> MergeOutcome {
    guard let state else {
      return op.kind == .put
        ? .merged(inserted(op))
        : refused(op, .gone, "The row is not here: it was deleted long ago, or never arrived.")
    }
    if op.generation < state.generation || op.generation == state.generation && !state.isLiving {
      return .merged(mergedLate(op, state))
    }
    if op.generation == state.generation { return .merged(merged(op, state)) }
    if op.kind == .put, !state.isLiving, op.generation - 1 == state.generation {
      return .merged(inserted(op))
    }
    return refused(op, .dependency, "The edit is of a row's later life, which has not begun here.")
  }

  private func refused(_ op: Op, _ code: Rejection.Code, _ message: String) -> MergeOutcome {
    .refused(Rejection(code, message, row: op.row))
  }

  private func inserted(_ op: Op) -> MergedRow {
    var row = MergedRow(RowState(generation: op.generation, stamp: op.stamp, fields: op.fields))
    row.changed = op.fields.keys.sorted()
    return row
  }

  /// Returns the row after an op of a generation that has ended. The op's values become conflicts.
  private func mergedLate(_ op: Op, _ state: RowState) -> MergedRow {
    var row = MergedRow(state)
    row.isChanged = false
    if op.kind == .delete {
      // Of two deletions of one generation, the later stamp is stored, in any order of arrival.
      let isSameEnd = state.presence == .deleted && op.generation == state.generation - 1
      guard isSameEnd, op.stamp > state.stamp else { return row }
      row.state.stamp = op.stamp
      row.isChanged = true
    }
    row.conflicts = op.fields.keys.sorted().map { field in
      Conflict(
        row: op.row, field: field, losing: op.fields[field] ?? .null, losingStamp: op.stamp,
        winning: state.fields[field], winningStamp: state.version(of: field) ?? state.stamp,
        reason: .ended)
    }
    return row
  }

  private func merged(_ op: Op, _ state: RowState) -> MergedRow {
    if op.kind == .delete { return deleted(op, state) }
    var row = MergedRow(state)
    row.isChanged = false
    if op.kind == .put, op.stamp > state.stamp {
      row.state.raiseStamp(to: op.stamp)
      row.isChanged = true
    }
    for (field, value) in op.fields { merge(field, value, op, into: &row) }
    row.changed.sort()
    row.conflicts.sort { $0.field < $1.field }
    if op.kind.isMove {
      // A removed key is not carried along.
      row.carried = row.state.fields.filter { !$0.value.isNull || !FieldName.isKey($0.key) }
      row.state = row.state.tombstone(.moved, op.stamp)
      row.isChanged = true
    }
    return row
  }

  private func merge(_ field: String, _ value: WireValue, _ op: Op, into row: inout MergedRow) {
    guard let version = row.state.version(of: field) else {
      row.state.set(field, value, op.version(of: field))
      row.changed.append(field)
      row.isChanged = true
      return
    }
    let (table, current) = (manifest[op.row.table], row.state.fields[field] ?? .null)
    // NB: A row that moves names its new scope, whichever value of the column is the later one.
    let merge = FieldMerge(
      field: field, current: current, version: version, incoming: value,
      incomingVersion: op.version(of: field),
      isCausal: op.base[field] == version || version.device == op.stamp.device
        || op.kind.isMove && table?.scopeColumn == field)
    let policy = table?.policy(of: field) ?? .lastWriter
    let decision = merge.decide(policy, rules)
    if decision.value != current { row.changed.append(field) }
    if decision.value != current || decision.version != version {
      row.state.set(field, decision.value, decision.version)
      row.isChanged = true
    }
    if let conflict = Conflict(op.row, field, decision) { row.conflicts.append(conflict) }
  }
}

extension Conflict {
  fileprivate init?(_ row: RowID, _ field: String, _ decision: FieldMerge.Decision) {
    guard let lost = decision.lost else { return nil }
    self.init(
      row: row, field: field, losing: lost.value, losingStamp: lost.stamp,
      winning: decision.value, winningStamp: decision.version, reason: lost.reason)
  }
}

extension Op {
  /// Returns the op that inserts a moved row in its new scope.
  /// - Parameters:
  ///   - op: the op that moved the row.
  ///   - fields: the fields that the row carries along, from ``MergedRow/carried``.
  ///   - state: the state of the row in the new scope, or `nil` if it is unknown there.
  package static func arrival(
    of op: Op, carrying fields: [String: WireValue], in state: RowState?
  ) -> Op {
    var generation: Int64 = 1
    if let state { generation = state.isLiving ? state.generation : state.generation &+ 1 }
    return Op(.put, op.row, generation: generation, fields: fields, stamp: op.stamp)
  }
}

extension Merge {
  /// Returns a living row after a deletion of its current generation.
  ///
  /// Values that the author of the deletion had not seen become conflicts, like those that arrive
  /// after it.
  func deleted(_ op: Op, _ state: RowState) -> MergedRow {
    var row = MergedRow(state.tombstone(.deleted, op.stamp))
    let seen = SeenVersions(of: op)
    let unseen = state.fields.keys.filter {
      !seen.includes(state.versions[$0] ?? state.stamp, of: $0)
    }
    row.conflicts = unseen.sorted().map {
      Conflict(op.row, ending: $0, of: state, winning: nil, at: op.stamp)
    }
    return row
  }
}

/// The versions of a row that the author of a deletion had seen.
private struct SeenVersions {
  private let op: Op
  private let stamps: Set<Stamp>

  init(of op: Op) {
    self.op = op
    stamps = Set(op.base.values)
  }

  /// Returns whether the version of a field was seen, or is earlier than one that was seen.
  func includes(_ version: Stamp, of field: String) -> Bool {
    if version.device == op.stamp.device { return true }
    if stamps.isEmpty { return version < op.stamp }
    // An edit is seen as a whole. The device may lack the columns of some of its fields.
    guard let seen = op.base[field] else { return stamps.contains(version) }
    // The seen version is later than the row's if the device's own edit was refused, or if the
    // server clamped a stamp.
    return version == seen
      || version < seen && [op.stamp.device, version.device].contains(seen.device)
  }
}

extension Merge {
  /// Returns a living row after a row that it refers to was deleted or moved away.
  ///
  /// A nullable column becomes NULL. A row with a reference that must not be NULL is deleted. Both
  /// count as edits whose author saw the current values, and the values that they replace become
  /// conflicts.
  /// - Parameters:
  ///   - parent: the row that was deleted or moved away.
  ///   - stamp: the stamp of that deletion or move.
  ///   - row: the row that refers to it.
  ///   - state: the state of the referring row.
  /// - Returns: the changed row, or `nil` if it does not refer to the parent.
  package func apply(
    endOf parent: RowID, at stamp: Stamp, to row: RowID, _ state: RowState
  ) -> MergedRow? {
    let columns =
      manifest[row.table]?.references.filter { $0.referencedRow(in: state) == parent } ?? []
    if columns.isEmpty { return nil }
    if columns.contains(where: { !$0.isNullable }) { return deletedReferrer(row, state, at: stamp) }
    var merged = MergedRow(state)
    for column in columns {
      let version = state.version(of: column.name) ?? state.stamp
      let next = stamp > version ? stamp : version.next(by: stamp.device)
      merged.state.set(column.name, .null, next)
      merged.changed.append(column.name)
      merged.conflicts.append(
        Conflict(row, ending: column.name, of: state, winning: .null, at: next))
    }
    return merged
  }

  private func deletedReferrer(_ row: RowID, _ state: RowState, at stamp: Stamp) -> MergedRow {
    var merged = MergedRow(state.tombstone(.deleted, stamp))
    let lost = state.fields.filter { !$0.value.isNull }.keys.sorted()
    merged.conflicts = lost.map { Conflict(row, ending: $0, of: state, winning: nil, at: stamp) }
    return merged
  }
}

extension Conflict {
  init(
    _ row: RowID, ending field: String, of state: RowState, winning: WireValue?, at stamp: Stamp
  ) {
    self.init(
      row: row, field: field, losing: state.fields[field] ?? .null,
      losingStamp: state.version(of: field) ?? state.stamp, winning: winning, winningStamp: stamp,
      reason: .ended)
  }
}

/// The result of merging an op.
public enum MergeOutcome: Hashable, Sendable {
  /// The op was accepted, although some or all of its values may have lost.
  case merged(MergedRow)
  /// The op was refused, and the row is unchanged.
  case refused(Rejection)
}

/// A row after an op was merged into it.
public struct MergedRow: Hashable, Sendable {
  /// The new state of the row.
  public internal(set) var state: RowState
  /// Whether the state of the row changed, including versions.
  package internal(set) var isChanged = true
  /// The names of the fields whose values changed, sorted.
  public internal(set) var changed: [String] = []
  /// The conflicts, sorted by field.
  public internal(set) var conflicts: [Conflict] = []
  /// The fields that a moved row carries along; see ``Op/arrival(of:carrying:in:)``.
  package internal(set) var carried: [String: WireValue]?

  init(_ state: RowState) { self.state = state }
}
