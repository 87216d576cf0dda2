public import Offshore
public import OffshoreWire

/// A rule for columns that are not merged by the default policy, `lastWriter`.
///
/// ```swift
/// .merged(\.votes, .counter)
/// .local(\.isExpanded)
/// ```
public struct ColumnSync<Row: Record> {
  let columns: [PartialKeyPath<Row>]
  let rule: ColumnRule

  /// Syncs a column, and merges its changes by a policy.
  ///
  /// `MergePolicy.keyed` merges each key of a JSON object on its own.
  public static func merged(_ column: PartialKeyPath<Row>, _ policy: MergePolicy) -> Self {
    Self(columns: [column], rule: .merged(policy))
  }

  /// Excludes columns from syncing: their changes are not captured, whatever the statement, and
  /// their values are never sent.
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

  /// Declares the kind of scope, and the column with the scope's value. The column may be the key.
  public static func kind(_ kind: String, _ column: PartialKeyPath<Row>) -> Self {
    Self(kind: kind, column: column)
  }
}
