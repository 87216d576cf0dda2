/// A value that can be encoded in messages.
///
/// Equal values have equal bytes, and only these bytes are parsed as the value.
public protocol WireCodable: Sendable {
  /// The minimum number of bytes of an encoded value. It limits the counts that are accepted in
  /// messages.
  static var leastByteCount: Int { get }

  /// Encodes the value.
  func encode(into writer: inout WireWriter)

  /// Parses a value.
  /// - Throws: `WireError` if ``encode(into:)`` would not write these bytes.
  init(from reader: inout WireReader) throws(WireError)
}

extension WireCodable {
  public static var leastByteCount: Int { 1 }

  /// Returns the encoding of the value alone, for a column of a database.
  public func encoded() -> [UInt8] {
    var writer = WireWriter()
    encode(into: &writer)
    return writer.bytes
  }

  /// Parses the encoding of a value alone.
  /// - Throws: `WireError` if ``encoded()`` would not return these bytes.
  public init(decoding bytes: [UInt8]) throws(WireError) {
    var reader = WireReader(bytes)
    try self.init(from: &reader)
    try reader.finish()
  }
}
