/// A value that was written and did not stay, because somebody else wrote at the same time.
public struct Conflict: Hashable, Sendable {
  /// Why the value did not stay.
  public enum Reason: Hashable, Sendable {
    /// The other value was written later.
    case later
    /// The other value reached the server later.
    case arrival
    /// A registered rule decided.
    case rule
    /// The row was deleted, or taken to another scope.
    case ended
  }

  /// The row.
  public let row: RowID
  /// The field.
  public let field: String
  /// The value that did not stay; of an increment that came after the row's end, what was to be added.
  public let losing: WireValue
  /// When it was written, and by which device.
  public let losingStamp: Stamp
  /// The value that stands in its place, or `nil` where the row is not there any more.
  public let winning: WireValue?
  /// When that was written, or the row deleted.
  public let winningStamp: Stamp
  /// Why the value did not stay.
  public let reason: Reason

  package init(
    row: RowID, field: String, losing: WireValue, losingStamp: Stamp, winning: WireValue?,
    winningStamp: Stamp, reason: Reason
  ) {
    self.row = row
    self.field = field
    self.losing = losing
    self.losingStamp = losingStamp
    self.winning = winning
    self.winningStamp = winningStamp
    self.reason = reason
  }
}
