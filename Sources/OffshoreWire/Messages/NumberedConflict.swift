/// A conflict with its number in the scope.
///
/// The conflicts of a scope are numbered from 1 without gaps, so a device that has one number has
/// all conflicts up to it.
public struct NumberedConflict: Hashable, Sendable {
  /// The number among the scope's conflicts.
  public let number: Int64
  /// The conflict.
  public let conflict: Conflict

  /// Creates a numbered conflict.
  public init(number: Int64, _ conflict: Conflict) {
    self.number = number
    self.conflict = conflict
  }
}

/// The encoding has the number, then the conflict.
extension NumberedConflict: WireCodable {
  public static var leastByteCount: Int { 1 + Conflict.leastByteCount }

  public func encode(into writer: inout WireWriter) {
    writer.signed(number)
    writer.value(conflict)
  }

  public init(from reader: inout WireReader) throws(WireError) {
    self.init(number: try reader.counted(), try reader.value())
  }
}
