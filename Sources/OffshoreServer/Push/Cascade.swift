import OffshoreWire

/// The update of rows that refer to rows which a batch deletes or moves away.
///
/// No reference to a deleted row remains. A device deletes the referring rows that it knows
/// together with their target. The cascade handles the others, which other devices have written.
///
/// The batch is stored before, and each referring row is stored before the next one is read. So one
/// deletion can end any number of rows with little memory.
///
/// The values of ended rows become conflicts, without a limit of their own: they are no more than the
/// values that were stored in these rows.
struct Cascade {
  let rules: PushRules
  let scope: ScopeID
  let now: Int64

  /// The number of referring rows whose ids are read at a time.
  private static let chunk = 1_000

  /// Updates all referring rows.
  /// - Parameters:
  ///   - staged: the batch, which is stored already. It may also have deleted referring rows.
  ///   - state: the state of the scope, which counts the changes. The caller stores it.
  ///   - processedBytes: the bytes to which those of the rows are added, before and after.
  func run(
    after staged: StagedBatch, _ state: inout ScopeState, _ processedBytes: inout Int,
    in transaction: inout some StorageTransaction
  ) throws {
    var ended = ended(in: staged)
    // Each row is deleted only once, so the loop ends even if references form a cycle.
    var known = Set(ended.map(\.row))
    var index = 0
    while index < ended.count {
      let parent = ended[index]
      index += 1
      var last: RowID?
      repeat {
        let rows = try transaction.referrers(
          of: parent.row, in: scope, after: last, limit: Self.chunk)
        for row in rows {
          let stamp = try release(row, from: parent, &state, &processedBytes, in: &transaction)
          guard let stamp, rules.parents.contains(row.table) else { continue }
          if known.insert(row).inserted { ended.append((row, stamp)) }
        }
        last = rows.count < Self.chunk ? nil : rows.last
      } while last != nil
    }
  }

  /// Returns the rows that the batch deletes or moves away, in tables that others refer to.
  private func ended(in staged: StagedBatch) -> [(row: RowID, stamp: Stamp)] {
    staged.rows.filter { place, next in
      place.scope == scope && !next.row.state.isLiving && rules.parents.contains(place.row.table)
    }
    .values.map(\.row).sorted { $0.seq < $1.seq }.map { ($0.row, $0.state.stamp) }
  }

  /// Sets the reference of a row to NULL, or deletes the row if the reference is required.
  /// - Returns: the stamp of the deletion if the row was deleted.
  private func release(
    _ row: RowID, from parent: (row: RowID, stamp: Stamp), _ scopeState: inout ScopeState,
    _ processedBytes: inout Int, in transaction: inout some StorageTransaction
  ) throws -> Stamp? {
    guard let state = try transaction.row(row, in: scope)?.state, state.isLiving,
      let released = rules.merge.apply(endOf: parent.row, at: parent.stamp, to: row, state)
    else { return nil }
    processedBytes += state.byteCount + released.state.byteCount
    let seq = scopeState.replace(state, with: released.state, of: row)
    try transaction.store(
      SyncedRow(row, seq: seq, state: released.state), over: state, in: scope, rules.manifest,
      at: now)
    let change = ReferenceChange(of: row, from: state, to: released.state, rules.manifest)
    for former in change.removed {
      try transaction.removeReference(from: row, to: former, in: scope)
      transaction.changes.add(former, in: scope)
    }
    for conflict in released.conflicts {
      scopeState.conflicts += 1
      try transaction.addConflict(
        NumberedConflict(number: scopeState.conflicts, conflict), in: scope, at: now)
    }
    return released.state.isLiving ? nil : released.state.stamp
  }
}
