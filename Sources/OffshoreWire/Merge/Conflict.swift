/// Two concurrent changes to one value, with the losing and the winning value.
public struct Conflict: Hashable, Sendable {
  /// The reason why a value lost.
  public enum Reason: Hashable, Sendable {
    /// The other value was written later.
    case later
    /// The other value reached the server later.
    case arrival
    /// A registered rule decided.
    case rule
    /// The row was deleted, or moved to another scope.
    case ended
  }

  /// The row.
  public let row: RowID
  /// The field.
  public let field: String
  /// The losing value. For an increment that came after the row's deletion or move, the amount to
  /// add.
  public let losing: WireValue
  /// The stamp of the losing value.
  public let losingStamp: Stamp
  /// The winning value, or `nil` if the row does not exist any more.
  public let winning: WireValue?
  /// The stamp of the winning value, or of the deletion or move.
  public let winningStamp: Stamp
  /// The reason why the value lost.
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
