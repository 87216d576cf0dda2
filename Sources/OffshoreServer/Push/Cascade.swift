import OffshoreWire

/// The update of rows that refer to rows which a batch deletes or moves away.
///
/// No reference to a deleted row remains. A device deletes the referring rows that it knows
/// together with their target. The cascade handles the others, which other devices have written.
struct Cascade {
  let rules: PushRules
  let scope: ScopeID

  /// Updates all referring rows.
  /// - Parameter staged: the batch after all of its ops, which may also have deleted referring
  ///   rows.
  func run(on staged: inout StagedBatch, _ transaction: some StorageTransaction) throws {
    var ended = ended(in: staged)
    var index = 0
    // Each row is deleted only once, so the loop ends even if references form a cycle.
    while index < ended.count {
      let parent = ended[index]
      index += 1
      let place = StagedBatch.Place(scope: scope, row: parent.row)
      for row in try staged.referrers(of: place, on: transaction) {
        let state = try release(row, from: parent, in: &staged, transaction)
        if let state, !state.isLiving { ended.append((row, state.stamp)) }
      }
    }
  }

  /// Returns the rows that the batch deletes or moves away, in tables that others refer to.
  private func ended(in staged: StagedBatch) -> [(row: RowID, stamp: Stamp)] {
    staged.rows.filter { place, row in
      place.scope == scope && !row.state.isLiving && rules.parents.contains(place.row.table)
    }
    .values.sorted { $0.seq < $1.seq }.map { ($0.row, $0.state.stamp) }
  }

  /// Sets the reference of a row to NULL, or deletes the row if the reference is required.
  /// - Returns: the new state of the row, or `nil` if it does not refer to the parent.
  private func release(
    _ row: RowID, from parent: (row: RowID, stamp: Stamp), in staged: inout StagedBatch,
    _ transaction: some StorageTransaction
  ) throws -> RowState? {
    let place = StagedBatch.Place(scope: scope, row: row)
    guard let state = try staged.state(place, on: transaction), state.isLiving,
      let released = rules.merge.apply(endOf: parent.row, at: parent.stamp, to: row, state)
    else { return nil }
    try staged.write(released.state, over: state, at: place, on: transaction)
    for conflict in released.conflicts { try staged.add(conflict, in: scope, on: transaction) }
    return released.state
  }
}
