/// What a client or a server understands beyond what every version of the protocol has.
///
/// A request names what the client understands, and the answer those of them that the server does too.
/// A message has only parts that both understand, so either can be newer than the other. Bits that
/// are not known here are kept, and nothing is done about them.
public struct Capabilities: OptionSet, Hashable, Sendable {
  public let rawValue: UInt64

  /// Takes the bits of a message.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// Pages tell the values that did not stay; see ``ScopePage/conflicts``.
  public static let conflicts = Capabilities(rawValue: 1)
  /// Ranges of a scope are compared and fetched anew; see ``RangeDigests``.
  public static let repair = Capabilities(rawValue: 2)

  /// All that are known here.
  public static let all: Capabilities = [.conflicts, .repair]
}

/// The bits as a number.
extension Capabilities: WireCodable {
  public func encode(into writer: inout WireWriter) { writer.number(rawValue) }

  public init(from reader: inout WireReader) throws(WireError) {
    self.init(rawValue: try reader.number())
  }
}
