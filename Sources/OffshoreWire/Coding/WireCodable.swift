/// A value that can be encoded in messages.
///
/// Equal values have equal bytes, and only these bytes are parsed as the value.
package protocol WireCodable: Sendable {
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
  package static var leastByteCount: Int { 1 }

  /// Returns the encoding of the value alone, for example for a column of a database.
  package func encoded() -> [UInt8] { WireWriter.bytes(of: self) }

  /// Parses the encoding of a value alone.
  /// - Throws: `WireError` if ``encoded()`` would not return these bytes.
  package init(decoding bytes: [UInt8]) throws(WireError) {
    self = try WireReader.value(of: bytes)
  }
}

/// An encoder for the bytes of messages, the counterpart of ``WireReader``.
///
/// Numbers are LEB128 (<https://en.wikipedia.org/wiki/LEB128>) in as few bytes as possible. Content
/// of variable length is preceded by its length. Numbers of fixed size are little-endian.
package struct WireWriter: Sendable {
  /// The bytes that were written so far.
  package private(set) var bytes: [UInt8] = []

  /// Creates an encoder without bytes, with memory for an expected number of them.
  package init(capacity: Int = 0) { bytes.reserveCapacity(capacity) }

  /// Returns the encoding of a value alone.
  static func bytes(of value: some WireCodable) -> [UInt8] {
    var writer = WireWriter()
    value.encode(into: &writer)
    return writer.bytes
  }

  /// Removes the bytes, but retains the memory.
  mutating func clear() { bytes.removeAll(keepingCapacity: true) }

  /// Writes a byte.
  package mutating func byte(_ value: UInt8) { bytes.append(value) }

  /// Writes an unsigned number in one to ten bytes of seven bits each.
  package mutating func number(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  /// Writes a signed number, so that numbers near 0 need few bytes whatever their sign.
  package mutating func signed(_ value: Int64) {
    number(UInt64(bitPattern: (value << 1) ^ (value >> 63)))
  }

  /// Writes the number of elements that follow. A negative number is written as 0.
  package mutating func count(_ value: Int) { number(UInt64(max(value, 0))) }

  /// Writes a Boolean value as the byte 1 or 0.
  package mutating func flag(_ value: Bool) { bytes.append(value ? 1 : 0) }

  /// Writes an unsigned number in eight bytes.
  package mutating func fixed(_ value: UInt64) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// Writes the eight bytes of a real. All bits are preserved.
  package mutating func real(_ value: Double) { fixed(value.bitPattern) }

  /// Writes bytes whose number is known to the reader.
  package mutating func raw(_ value: [UInt8]) { bytes.append(contentsOf: value) }

  /// Writes bytes, preceded by their number.
  package mutating func block(_ value: [UInt8]) {
    count(value.count)
    bytes.append(contentsOf: value)
  }

  /// Writes a text as UTF-8, preceded by the number of its bytes.
  package mutating func text(_ value: String) {
    count(value.utf8.count)
    bytes.append(contentsOf: value.utf8)
  }

  /// Writes a value.
  package mutating func value(_ value: some WireCodable) { value.encode(into: &self) }

  /// Writes a flag, and the value if there is one.
  package mutating func optional(_ value: (some WireCodable)?) {
    flag(value != nil)
    value?.encode(into: &self)
  }

  /// Writes values, preceded by their number.
  package mutating func list(_ values: [some WireCodable]) {
    count(values.count)
    for value in values { value.encode(into: &self) }
  }
}
