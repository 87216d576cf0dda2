/// The merge of edits into rows, by which the server decides and devices predict its decision.
///
/// An edit whose author had seen or written the current value of a field applies whatever the
/// clocks say. Concurrent edits are decided by the column's ``MergePolicy``. A deletion wins over
/// all edits of the generation that it ends, and edits that its author had not seen become
/// conflicts. A deleted row comes back only by an insertion whose author saw the deletion.
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
  ///   - op: an op that has passed ``Manifest/check(_:in:)``.
  ///   - state: the state of the row, or `nil` if it is unknown.
  public func apply(_ op: Op, to state: RowState?) -> MergeOutcome {
    guard let state else {
      return op.kind == .put
        ? .merged(inserted(op))
        : refused(op, .gone, "The row is not here: it was deleted long ago, or never arrived.")
    }
    if op.generation < state.generation || op.generation == state.generation && !state.isLiving {
      return .merged(late(op, state))
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
  private func late(_ op: Op, _ state: RowState) -> MergedRow {
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
    if case .move = op.kind {
      // A removed key is not carried along.
      row.carried = row.state.fields.filter { !$0.value.isNull || !FieldName.isKey($0.key) }
      row.state = row.state.ended(.moved, op.stamp)
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
    let current = row.state.fields[field] ?? .null
    let merge = FieldMerge(
      field: field, current: current, version: version, incoming: value,
      incomingVersion: op.version(of: field),
      isCausal: op.base[field] == version || version.device == op.stamp.device)
    let policy = manifest[op.row.table]?.policy(of: field) ?? .lastWriter
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
  public static func arrival(
    of op: Op, carrying fields: [String: WireValue], in state: RowState?
  ) -> Op {
    var generation: Int64 = 1
    if let state { generation = state.isLiving ? state.generation : state.generation &+ 1 }
    return Op(.put, op.row, generation: generation, fields: fields, stamp: op.stamp)
  }
}
