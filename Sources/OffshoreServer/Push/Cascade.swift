import OffshoreWire

/// Takes the references to rows that a batch ends out of the rows that hold them.
///
/// So nothing refers to what is gone. A device deletes what it knows to refer to a row together with
/// that row; this is for what it does not know, because others have written it.
struct Cascade {
  let rules: PushRules
  let scope: ScopeID

  /// - Parameter staged: the batch, when all of its ops are taken: rows may leave together.
  func run(on staged: inout StagedBatch, _ log: some ChangeLogReader) throws {
    var ended = ended(in: staged)
    var index = 0
    // A row ends once, so this ends too, whatever refers to what.
    while index < ended.count {
      let parent = ended[index]
      index += 1
      let place = StagedBatch.Place(scope: scope, row: parent.row)
      for row in try staged.referrers(of: place, on: log) {
        let state = try release(row, from: parent, in: &staged, log)
        if let state, !state.isLiving { ended.append((row, state.stamp)) }
      }
    }
  }

  /// The rows that the batch ended, and that others may refer to.
  private func ended(in staged: StagedBatch) -> [(row: RowID, stamp: Stamp)] {
    staged.rows.filter { place, row in
      place.scope == scope && !row.state.isLiving && rules.parents.contains(place.row.table)
    }
    .values.sorted { $0.seq < $1.seq }.map { ($0.row, $0.state.stamp) }
  }

  /// - Returns: what the row is from then on, or `nil` where it does not refer to the other.
  private func release(
    _ row: RowID, from parent: (row: RowID, stamp: Stamp), in staged: inout StagedBatch,
    _ log: some ChangeLogReader
  ) throws -> RowState? {
    let place = StagedBatch.Place(scope: scope, row: row)
    guard let state = try staged.state(place, on: log), state.isLiving,
      let released = rules.merge.apply(endOf: parent.row, at: parent.stamp, to: row, state)
    else { return nil }
    try staged.write(released.state, over: state, at: place, on: log)
    for conflict in released.conflicts { try staged.note(conflict, in: scope, on: log) }
    return released.state
  }
}
