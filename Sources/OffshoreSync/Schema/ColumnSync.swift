public import Offshore
public import OffshoreWire

/// A rule for columns whose changes are not decided by the last writer.
///
/// ```swift
/// .merged(\.votes, .counter)
/// .local(\.isExpanded)
/// ```
public struct ColumnSync<Row: Record> {
  let columns: [PartialKeyPath<Row>]
  let rule: ColumnRule

  /// Sends the column's changes and merges them by a policy.
  ///
  /// ``OffshoreWire/MergePolicy/keyed`` makes each key of a JSON object a field of its own.
  public static func merged(_ column: PartialKeyPath<Row>, _ policy: MergePolicy) -> Self {
    Self(columns: [column], rule: .merged(policy))
  }

  /// Keeps columns on this device: no change of them is captured, whatever the statement, and no
  /// value of them is sent.
  public static func local(_ columns: PartialKeyPath<Row>...) -> Self {
    Self(columns: columns, rule: .local)
  }
}

enum ColumnRule: Hashable, Sendable {
  case merged(MergePolicy)
  case local
}

/// The scope of each row of a synced table.
///
/// ```swift
/// .kind("list", \.listID)
/// ```
public struct SyncScope<Row: Record> {
  let kind: String
  let column: PartialKeyPath<Row>

  /// Names the kind of scope, and the column that holds the scope's value, which may be the key.
  public static func kind(_ kind: String, _ column: PartialKeyPath<Row>) -> Self {
    Self(kind: kind, column: column)
  }
}
