public import OffshoreWire

/// What this device has done to a row, and the server has not confirmed.
///
/// A row that was changed again after a change of it was sealed has two: one that is on its way, and
/// one that can still be cancelled.
public struct OutboxChange: Hashable, Sendable, Identifiable {
  /// What was done, all in all.
  public enum Kind: Hashable, Sendable {
    case inserted, updated, deleted
  }

  /// Names a change for as long as it waits.
  public struct ID: Hashable, Sendable {
    /// The row.
    public let row: RowID
    /// Whether the change is sealed.
    public let isSealed: Bool

    /// Names what was done to a row.
    public init(row: RowID, isSealed: Bool) {
      self.row = row
      self.isSealed = isSealed
    }
  }

  /// The row.
  public let row: RowID
  /// What was done.
  public let kind: Kind
  /// The values before, by column: of an update those that changed, of a deletion all that are known.
  /// Of what is sealed, those of a deletion alone.
  public let former: [String: WireValue]
  /// When it was done last, in milliseconds since 1970 by the device's clock; of what is sealed, when
  /// the oldest edit was made that was sealed with it.
  public let date: Int64?
  /// The latest transaction that changed the row, or `nil` where the change is sealed.
  public let transaction: Int64?

  /// Whether it is on its way, and can no longer be cancelled.
  public var isSealed: Bool { transaction == nil }
  public var id: ID { ID(row: row, isSealed: isSealed) }
}
