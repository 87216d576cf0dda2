/// A value that has a place in messages.
///
/// Equal values have equal bytes, and nothing but those bytes is read as the value.
public protocol WireCodable: Sendable {
  /// How many bytes the value takes at the least, which bounds how many of them are believed in.
  static var leastByteCount: Int { get }

  /// Writes the value.
  func encode(into writer: inout WireWriter)

  /// Reads a value.
  /// - Throws: `WireError` for bytes that ``encode(into:)`` would not have written.
  init(from reader: inout WireReader) throws(WireError)
}

extension WireCodable {
  public static var leastByteCount: Int { 1 }

  /// The bytes of the value alone, as a column of a database keeps them.
  public func encoded() -> [UInt8] {
    var writer = WireWriter()
    encode(into: &writer)
    return writer.bytes
  }

  /// Reads the bytes of a value alone.
  /// - Throws: `WireError` for bytes that ``encoded()`` would not have made.
  public init(decoding bytes: [UInt8]) throws(WireError) {
    var reader = WireReader(bytes)
    try self.init(from: &reader)
    try reader.finish()
  }
}
