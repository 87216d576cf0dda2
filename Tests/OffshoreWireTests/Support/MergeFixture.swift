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

/// The synced tables of a fleet, with a column of each policy.
enum Fleet {
  static func manifest(version: Int = 1) throws -> Manifest {
    try Manifest(version: version, tables: [charters, members, messages])
  }

  static let charters = SyncedTable(
    "charters", scopeKind: "charter", scopeColumn: "id",
    columns: [
      SyncedColumn("name", .text),
      SyncedColumn("note", .text, isNullable: true),
      SyncedColumn("price", .real, isNullable: true, policy: .serverOrder),
      SyncedColumn("deepest", .integer, isNullable: true, policy: .max),
      SyncedColumn("earliest", .integer, isNullable: true, policy: .min),
      SyncedColumn("miles", .integer, isNullable: true, policy: .counter),
      SyncedColumn("tags", .text, isNullable: true, policy: .set),
      SyncedColumn("items", .text, isNullable: true, policy: .keyed),
      SyncedColumn(
        "state", .text, isNullable: true, policy: .ordered(["draft", "booked", "over"])),
      SyncedColumn("log", .text, isNullable: true, policy: .rule("longest")),
      SyncedColumn("secret", .blob, isNullable: true, isSealed: true),
      SyncedColumn("anything", .any, isNullable: true),
    ])

  static let members = SyncedTable(
    "members", scopeKind: "charter", scopeColumn: "charterID",
    columns: [
      SyncedColumn("charterID", .text, reference: "charters"),
      SyncedColumn("person", .text),
      SyncedColumn("role", .text, isNullable: true),
    ],
    uniqueKeys: [["charterID", "person"]], idSource: ["charterID", "person"])

  static let messages = SyncedTable(
    "messages", scopeKind: "charter", scopeColumn: "charterID",
    columns: [
      SyncedColumn("charterID", .text, reference: "charters"),
      SyncedColumn("body", .text),
      SyncedColumn("likes", .integer, isNullable: true, policy: .counter),
    ])

  /// A rule that returns the longer value, or the greater of equally long ones. It is commutative
  /// and associative.
  static let rules = MergeRules([
    "longest": { edit in
      let (left, right) = (edit.current, edit.incoming)
      if left.byteCount != right.byteCount {
        return left.byteCount < right.byteCount ? right : left
      }
      return left.isOrdered(before: right) ? right : left
    }
  ])

  static let charter = RowID(table: "charters", id: "7")

  static func merge() throws -> Merge { try Merge(manifest(), rules: rules) }
}
