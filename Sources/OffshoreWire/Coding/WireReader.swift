/// A parser for the bytes of messages, which trusts none of them.
///
/// Every read checks that the bytes exist and are as ``WireWriter`` writes them. A number in more
/// bytes than it needs is refused, and so is a count of more elements than the remaining bytes can
/// hold. So parsing a message never allocates much more memory than the message has bytes; fields, which
/// need a multiple of their bytes, are limited.
package struct WireReader: Sendable {
  private let bytes: [UInt8]
  /// The number of bytes that were read.
  package private(set) var offset = 0
  /// The number of page values that may still follow. It is limited because missing values have no
  /// bytes.
  private var cells = WireLimits.cellsPerPage
  /// The number of fields of ops and rows that may still follow. It is limited because a field has
  /// more than a hundred bytes in memory, and as few as three in a message.
  private var fields = WireLimits.fieldsPerMessage

  /// Creates a parser that begins at the first byte.
  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Parses the encoding of a value alone.
  static func value<Value: WireCodable>(of bytes: [UInt8]) throws(WireError) -> Value {
    var reader = WireReader(bytes)
    let value = try Value(from: &reader)
    try reader.finish()
    return value
  }

  /// The number of bytes that were not read yet.
  package var remaining: Int { bytes.count - offset }

  /// Reads a byte.
  package mutating func byte() throws(WireError) -> UInt8 {
    guard offset < bytes.count else { throw truncated() }
    defer { offset += 1 }
    return bytes[offset]
  }

  /// Reads an unsigned number of one to ten bytes.
  package mutating func number() throws(WireError) -> UInt64 {
    let first = try byte()
    return first < 0x80 ? UInt64(first) : try longNumber(UInt64(first & 0x7F))
  }

  private mutating func longNumber(_ first: UInt64) throws(WireError) -> UInt64 {
    var result = first
    var shift: UInt64 = 7
    while true {
      let next = try byte()
      // The tenth byte has room for one bit only.
      guard shift < 63 || next <= 1 else { throw malformed("A number has more than 64 bits.") }
      result |= UInt64(next & 0x7F) << shift
      if next < 0x80 {
        guard next > 0 else { throw malformed("A number takes more bytes than it needs.") }
        return result
      }
      shift += 7
    }
  }

  /// Reads a signed number.
  package mutating func signed() throws(WireError) -> Int64 {
    let bits = try number()
    return Int64(bitPattern: (bits >> 1) ^ (0 &- (bits & 1)))
  }

  /// Reads an unsigned number of at most 2⁶³ − 1.
  package mutating func natural() throws(WireError) -> Int64 {
    guard let value = Int64(exactly: try number()) else {
      throw malformed("A number is above the largest that is counted with.")
    }
    return value
  }

  /// Reads a signed number from 0 to ``WireLimits/number``, which can be incremented without
  /// overflow.
  package mutating func ordinal() throws(WireError) -> Int64 {
    let value = try signed()
    guard 0...WireLimits.number ~= value else {
      throw malformed("A number is negative, or above the largest that is counted with.")
    }
    return value
  }

  /// Reads the number of elements that follow, each of which has at least a number of bytes.
  package mutating func count(ofAtLeast byteCount: Int = 1) throws(WireError) -> Int {
    let value = try number()
    guard value <= UInt64(remaining / max(byteCount, 1)) else {
      throw truncated("More is announced than there are bytes left. Send the message again.")
    }
    return Int(value)
  }

  /// Reads a Boolean value.
  package mutating func flag() throws(WireError) -> Bool {
    let value = try byte()
    guard value <= 1 else { throw malformed("A truth value is neither 0 nor 1.") }
    return value == 1
  }

  /// Reads an unsigned number of eight bytes.
  package mutating func fixed() throws(WireError) -> UInt64 {
    guard remaining >= 8 else { throw truncated() }
    defer { offset += 8 }
    return bytes.withUnsafeBytes {
      UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
  }

  /// Reads the eight bytes of a real.
  package mutating func real() throws(WireError) -> Double { Double(bitPattern: try fixed()) }

  /// Reads a number of bytes.
  package mutating func raw(_ count: Int) throws(WireError) -> [UInt8] {
    guard count >= 0, count <= remaining else { throw truncated() }
    defer { offset += count }
    return Array(bytes[offset..<(offset + count)])
  }

  /// Returns the bytes that were read since an offset.
  func bytes(since start: Int) -> [UInt8] { Array(bytes[start..<offset]) }

  /// Reads bytes that are preceded by their number.
  package mutating func block() throws(WireError) -> [UInt8] { try raw(try count()) }

  /// Reads a text, as ``text()`` does, that has only printable ASCII characters.
  ///
  /// Swift equates some texts that have different bytes; SQLite does not. ASCII texts are equal
  /// only if their bytes are.
  package mutating func name() throws(WireError) -> String {
    let start = offset
    let count = try count()
    let name = bytes.withUnsafeBufferPointer { bytes in
      let name = UnsafeBufferPointer(rebasing: bytes[offset..<(offset + count)])
      return name.allSatisfy { 0x20...0x7E ~= $0 } ? String(decoding: name, as: UTF8.self) : nil
    }
    guard let name else {
      offset = start
      throw malformed("A name has characters other than the printable ones of ASCII.")
    }
    offset += count
    return name
  }

  /// Reads a text that is preceded by the number of its bytes.
  package mutating func text() throws(WireError) -> String {
    let count = try count()
    let text = bytes.withUnsafeBufferPointer {
      String(utf8: UnsafeBufferPointer(rebasing: $0[offset..<(offset + count)]))
    }
    guard let text else { throw malformed("A text is not UTF-8.") }
    offset += count
    return text
  }

  /// Reads a value.
  package mutating func value<Value: WireCodable>(
    _: Value.Type = Value.self
  ) throws(WireError) -> Value {
    try Value(from: &self)
  }

  /// Reads a flag, and a value if it is set.
  package mutating func optional<Value: WireCodable>(
    _: Value.Type = Value.self
  ) throws(WireError) -> Value? {
    try flag() ? try Value(from: &self) : nil
  }

  /// Reads values that are preceded by their number.
  /// - Throws: `WireError` with the code `tooLarge` if there are more than `limit`.
  package mutating func list<Value: WireCodable>(
    of _: Value.Type = Value.self, upTo limit: Int = .max
  ) throws(WireError) -> [Value] {
    let count = try count(ofAtLeast: Value.leastByteCount)
    guard count <= limit else {
      throw WireError(
        .tooLarge, "A list has \(count) things, and may have \(limit). Send fewer at once.",
        offset: offset)
    }
    var values: [Value] = []
    values.reserveCapacity(count)
    for _ in 0..<count { values.append(try Value(from: &self)) }
    return values
  }

  /// Subtracts values of a page from those that the message may still have, before memory is
  /// reserved for them.
  mutating func reserveCells(_ count: Int) throws(WireError) {
    guard count <= cells else {
      throw WireError(
        .tooLarge, "Pages have more than \(WireLimits.cellsPerPage) values. Ask for fewer rows.",
        offset: offset)
    }
    cells -= count
  }

  /// Subtracts fields of an op or a row from those that the message may still have, before memory is
  /// reserved for them.
  mutating func reserveFields(_ count: Int) throws(WireError) {
    guard count <= fields else {
      throw WireError(
        .tooLarge,
        "A message has more than \(WireLimits.fieldsPerMessage) fields. Send fewer at once.",
        offset: offset)
    }
    fields -= count
  }

  /// Checks that all bytes were read.
  /// - Throws: `WireError` with the code `malformed` if bytes remain.
  package func finish() throws(WireError) {
    guard remaining == 0 else { throw malformed("\(remaining) bytes follow the message.") }
  }

  // MARK: - Errors

  /// Returns an error for malformed bytes at the current offset.
  package func malformed(_ message: String) -> WireError {
    WireError(.malformed, message, offset: offset)
  }

  private func truncated(
    _ message: String = "The bytes end before the message does. Send it again."
  ) -> WireError {
    WireError(.truncated, message, offset: offset)
  }
}

extension String {
  /// Creates the text of some bytes, or `nil` if they are not UTF-8.
  ///
  /// `String(validating:as:)` has the same result. It is generic, and takes three times as long.
  init?(utf8 bytes: UnsafeBufferPointer<UInt8>) {
    var text = String(decoding: bytes, as: UTF8.self)
    // Bytes that are not UTF-8 were repaired, so the text has other bytes.
    let isSame = text.withUTF8 { own in
      own.count == bytes.count && own.indices.reduce(0) { $0 | (own[$1] ^ bytes[$1]) } == 0
    }
    guard isSame else { return nil }
    self = text
  }
}
