import Testing

@testable import OffshoreWire

/// A merge of ops into rows of the fleet.
struct MergeFixture {
  let merge: Merge

  init() throws { merge = try Fleet.merge() }

  /// Returns the row after an op, which has to be accepted.
  func merged(_ op: Op, into state: RowState?) throws -> MergedRow {
    guard case .merged(let row) = merge.apply(op, to: state) else {
      return try #require(nil, "The op is refused.")
    }
    return row
  }

  /// Returns the rejection of an op, or `nil` if it is accepted.
  func refusal(_ op: Op, into state: RowState?) -> Rejection? {
    guard case .refused(let rejection) = merge.apply(op, to: state) else { return nil }
    return rejection
  }

  /// Returns the row after some ops. Refused ops are skipped.
  func state(after ops: [Op], from state: RowState?) throws -> RowState {
    let end = ops.reduce(state) { state, op in
      guard case .merged(let row) = merge.apply(op, to: state) else { return state }
      return row.state
    }
    return try #require(end)
  }
}
