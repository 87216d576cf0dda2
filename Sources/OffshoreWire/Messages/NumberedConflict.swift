/// A conflict that was decided in a scope, with its place in the order of all of them.
///
/// The conflicts of a scope are numbered from 1 and no number is left out, so a device that has one
/// number has all up to it.
public struct NumberedConflict: Hashable, Sendable {
  /// The place among the scope's conflicts.
  public let number: Int64
  /// The value that did not stay, and what stands in its place.
  public let conflict: Conflict

  /// Numbers a conflict.
  public init(number: Int64, _ conflict: Conflict) {
    self.number = number
    self.conflict = conflict
  }
}

/// The number, then the conflict.
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
