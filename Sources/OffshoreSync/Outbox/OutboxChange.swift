public import OffshoreWire

/// A pending change of a row.
///
/// A row that was changed again after a change of it was sealed has two: a sealed one, and one that
/// can still be cancelled.
public struct OutboxChange: Hashable, Sendable, Identifiable {
  /// The kind of a change, which may combine several edits of the row.
  public enum Kind: Hashable, Sendable {
    case inserted, updated, deleted
  }

  /// The identity of a pending change.
  public struct ID: Hashable, Sendable {
    /// The row.
    public let row: RowID
    /// Whether the change is sealed.
    public let isSealed: Bool

    /// Creates the identity of a change.
    public init(row: RowID, isSealed: Bool) {
      self.row = row
      self.isSealed = isSealed
    }
  }

  /// The row.
  public let row: RowID
  /// The kind of the change.
  public let kind: Kind
  /// The values before the change, by column.
  ///
  /// An update has those of the changed columns, a deletion all known ones. A sealed change has
  /// values only if it is a deletion.
  public let former: [String: WireValue]
  /// The time of the last edit, in milliseconds since 1970 by the device's clock, or `nil` if it is
  /// unknown. For a sealed change it is the time of the oldest edit that was sealed with it.
  public let date: Int64?
  /// The number of the last transaction that changed the row, or `nil` if the change is sealed.
  public let transaction: Int64?

  /// Whether the change is sealed, so that it cannot be cancelled any more.
  public var isSealed: Bool { transaction == nil }
  public var id: ID { ID(row: row, isSealed: isSealed) }
}
