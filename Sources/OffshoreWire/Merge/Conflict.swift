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
  /// The name of the field, as the text of a ``FieldName``.
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

/// The encoding has the row, the field, the losing value with its stamp, the winning value with its
/// stamp, then the reason.
extension Conflict: WireCodable {
  package static var leastByteCount: Int { RowID.leastByteCount + 2 * Stamp.leastByteCount + 4 }

  package func encode(into writer: inout WireWriter) {
    writer.value(row)
    writer.text(field)
    writer.value(losing)
    writer.value(losingStamp)
    writer.optional(winning)
    writer.value(winningStamp)
    writer.byte(reason.code)
  }

  package init(from reader: inout WireReader) throws(WireError) {
    row = try reader.value()
    field = try reader.name()
    losing = try reader.value()
    losingStamp = try reader.value()
    winning = try reader.optional()
    winningStamp = try reader.value()
    guard let reason = Reason(code: try reader.byte()) else {
      throw reader.malformed("A conflict was decided in no known way.")
    }
    self.reason = reason
  }
}

extension Conflict.Reason {
  private static let all: [Conflict.Reason] = [.later, .arrival, .rule, .ended]

  fileprivate var code: UInt8 {
    switch self {
    case .later: 1
    case .arrival: 2
    case .rule: 3
    case .ended: 4
    }
  }

  fileprivate init?(code: UInt8) {
    guard let reason = Self.all.first(where: { $0.code == code }) else { return nil }
    self = reason
  }
}
