/// The optional features of the protocol that a client or a server supports.
///
/// A request names those of the client, and the answer those of them that the server supports too.
/// A message has only parts that both support, so either side can be newer than the other. Unknown
/// bits are retained and ignored.
public struct Capabilities: OptionSet, Hashable, Sendable {
  public let rawValue: UInt64

  /// Creates capabilities from the bits of a message.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// Pages have conflicts; see ``ScopePage/conflicts``.
  public static let conflicts = Capabilities(rawValue: 1)
  /// Ranges of a scope are compared and fetched again; see ``RangeDigests``.
  public static let repair = Capabilities(rawValue: 2)

  /// All capabilities of this release.
  public static let all: Capabilities = [.conflicts, .repair]
}

/// The encoding is the bits as a number.
extension Capabilities: WireCodable {
  public func encode(into writer: inout WireWriter) { writer.number(rawValue) }

  public init(from reader: inout WireReader) throws(WireError) {
    self.init(rawValue: try reader.number())
  }
}
