import Testing

@testable import OffshoreWire

/// Merges ops into rows of the fleet.
struct MergeFixture {
  let merge: Merge

  init() throws { merge = try Fleet.merge() }

  /// The row after an op that is taken.
  func merged(_ op: Op, into state: RowState?) throws -> MergedRow {
    guard case .merged(let row) = merge.apply(op, to: state) else {
      return try #require(nil, "The op is refused.")
    }
    return row
  }

  /// Why an op is refused.
  func refusal(_ op: Op, into state: RowState?) -> Rejection? {
    guard case .refused(let rejection) = merge.apply(op, to: state) else { return nil }
    return rejection
  }

  /// The row after ops, those that are refused aside.
  func state(after ops: [Op], from state: RowState?) throws -> RowState {
    let end = ops.reduce(state) { state, op in
      guard case .merged(let row) = merge.apply(op, to: state) else { return state }
      return row.state
    }
    return try #require(end)
  }
}
