/// A scanner that finds the parts of a JSON text without decoding them.
///
/// It can preserve a part unchanged that the reader does not know, including all digits of a
/// number. The grammar is that of RFC 8259 (<https://www.rfc-editor.org/rfc/rfc8259>). A text that
/// is not UTF-8 is refused.
///
/// ```swift
/// var scanner = JSONScanner(bytes)
/// try scanner.scanObject { scanner, key in members[key] = Array(try scanner.scanRawValue()) }
/// try scanner.finish()
/// ```
package struct JSONScanner {
  /// A part of the text, unchanged.
  package typealias Part = Slice<UnsafeBufferPointer<UInt8>>

  /// The reason why a text is refused. It contains no part of the text.
  package struct Fault: Error, Equatable {
    /// The end of the sentence "The text …".
    package let reason: String

    package init(_ reason: String) { self.reason = reason }
  }

  /// The maximum depth of nested arrays and objects in a skipped value.
  package static let maximumDepth = 100

  @usableFromInline let bytes: UnsafeBufferPointer<UInt8>
  @usableFromInline var position = 0

  /// Starts to scan a text, which must outlive the scanner.
  @inlinable
  package init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  /// Returns whether a text is exactly one value.
  package static func isValue(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBufferPointer { bytes in
      var scanner = JSONScanner(bytes)
      return (try? scanner.scanRawValue())?.count == bytes.count
    }
  }

  // MARK: - Parts

  /// Scans an object, and calls a closure at the value of each member.
  ///
  /// - Parameter member: receives the key, and must consume the value.
  @inlinable
  package mutating func scanObject(_ member: (inout Self, String) throws -> Void) throws {
    try scanObject(key: { try $0.scanString() }, member: member)
  }

  /// Scans an object. One closure parses the keys, another is called at the value of each member
  /// and must consume it.
  @inlinable
  package mutating func scanObject<Key>(
    key: (inout Self) throws -> Key, member: (inout Self, Key) throws -> Void
  ) throws {
    try require(UInt8(ascii: "{"), "lacks an object")
    if scan(UInt8(ascii: "}")) { return }
    repeat {
      let key = try key(&self)
      try require(UInt8(ascii: ":"), "lacks a colon")
      try member(&self, key)
    } while scan(UInt8(ascii: ","))
    try require(UInt8(ascii: "}"), "lacks the end of an object")
  }

  /// Scans an array, and calls a closure at each element, which must consume it.
  @inlinable
  package mutating func scanArray(_ element: (inout Self) throws -> Void) throws {
    try require(UInt8(ascii: "["), "lacks an array")
    if scan(UInt8(ascii: "]")) { return }
    repeat { try element(&self) } while scan(UInt8(ascii: ","))
    try require(UInt8(ascii: "]"), "lacks the end of an array")
  }

  /// Consumes a string and returns it decoded.
  @inlinable
  package mutating func scanString() throws -> String {
    try Self.decodedString(of: scanQuotedText())
  }

  /// Decodes the text between the quotes of a string.
  @inlinable
  package static func decodedString(of text: Part) throws -> String {
    guard text.contains(UInt8(ascii: "\\")) else { return String(decoding: text, as: UTF8.self) }
    guard let string = JSONEscapes.decoded(text) else {
      throw Fault("has a text with half a character")
    }
    return string
  }

  /// Consumes a string and returns the text between its quotes, unchanged.
  @inlinable
  package mutating func scanQuotedText() throws -> Part {
    try part { try $0.skipString() }.dropFirst().dropLast()
  }

  /// Consumes `true` or `false`.
  @inlinable
  package mutating func scanBool() throws -> Bool {
    if scanWord("true") { return true }
    if scanWord("false") { return false }
    throw Fault("has something else where true or false belongs")
  }

  /// Consumes `null` if it follows.
  @inlinable
  package mutating func scanNull() -> Bool { scanWord("null") }

  /// Consumes any value and returns it unchanged, without surrounding whitespace.
  /// - Parameter depth: The number of arrays and objects around the value.
  package mutating func scanRawValue(depth: Int = 0) throws -> Part {
    try part { try $0.skipValue(depth: depth) }
  }

  /// Verifies that only whitespace follows.
  @inlinable
  package mutating func finish() throws {
    skipWhitespace()
    guard position == bytes.count else { throw Fault("goes on after its end") }
  }

  // MARK: - Skipping

  @inlinable
  mutating func part(_ skip: (inout Self) throws -> Void) throws -> Part {
    skipWhitespace()
    let start = position
    try skip(&self)
    return bytes[start..<position]
  }

  private mutating func skipValue(depth: Int) throws {
    guard depth <= Self.maximumDepth else { throw Fault("is nested too deep") }
    skipWhitespace()
    switch bytes[safely: position] {
    case UInt8(ascii: "{"):
      try scanObject(
        key: { try $0.skipString() },
        member: { scanner, _ in try scanner.skipValue(depth: depth + 1) })
    case UInt8(ascii: "["): try scanArray { try $0.skipValue(depth: depth + 1) }
    case UInt8(ascii: "\""): try skipString()
    default:
      if scanWord("true") || scanWord("false") || scanWord("null") { return }
      try skipNumber()
    }
  }

  @usableFromInline
  mutating func skipString() throws {
    try require(UInt8(ascii: "\""), "lacks a text")
    let start = position
    var bits: UInt8 = 0
    while let byte = bytes[safely: position] {
      position += 1
      bits |= byte
      switch byte {
      case UInt8(ascii: "\""): return try checkUTF8(bytes[start..<(position - 1)], bits)
      case UInt8(ascii: "\\"): try skipEscape()
      case ..<0x20: throw Fault("has a control character in a text")
      default: break
      }
    }
    throw Fault("ends in a text")
  }

  /// - Parameter bits: the bitwise OR of all bytes.
  private func checkUTF8(_ text: Part, _ bits: UInt8) throws {
    guard bits < 0x80 || String(validating: text, as: UTF8.self) != nil else {
      throw Fault("is not UTF-8")
    }
  }

  private mutating func skipEscape() throws {
    let kind = bytes[safely: position]
    position += 1
    if let kind, JSONEscapes.character(kind) != nil { return }
    guard kind == UInt8(ascii: "u"), position + 4 <= bytes.count,
      bytes[position..<(position + 4)].allSatisfy({ JSONEscapes.digit($0) != nil })
    else { throw Fault("has a text with an escape that means nothing") }
    position += 4
  }

  private mutating func skipNumber() throws {
    _ = scanByte(UInt8(ascii: "-"))
    if !scanByte(UInt8(ascii: "0")) { try skipDigits() }
    if scanByte(UInt8(ascii: ".")) { try skipDigits() }
    if scanByte(UInt8(ascii: "e")) || scanByte(UInt8(ascii: "E")) {
      if !scanByte(UInt8(ascii: "+")) { _ = scanByte(UInt8(ascii: "-")) }
      try skipDigits()
    }
  }

  private mutating func skipDigits() throws {
    let start = position
    while let byte = bytes[safely: position], (0x30...0x39).contains(byte) { position += 1 }
    guard position > start else { throw Fault("lacks a value") }
  }

  @inlinable
  mutating func skipWhitespace() {
    while let byte = bytes[safely: position],
      byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    {
      position += 1
    }
  }

  // MARK: - Tokens

  @inlinable
  mutating func require(_ byte: UInt8, _ reason: @autoclosure () -> String) throws {
    guard scan(byte) else { throw Fault(reason()) }
  }

  /// Consumes a byte if it follows, perhaps after whitespace.
  @inlinable
  mutating func scan(_ byte: UInt8) -> Bool {
    skipWhitespace()
    return scanByte(byte)
  }

  /// Consumes a byte if it follows immediately.
  @inlinable
  mutating func scanByte(_ byte: UInt8) -> Bool {
    guard bytes[safely: position] == byte else { return false }
    position += 1
    return true
  }

  /// Consumes a word if it follows, perhaps after whitespace.
  @inlinable
  mutating func scanWord(_ word: StaticString) -> Bool {
    skipWhitespace()
    let end = position + word.utf8CodeUnitCount
    guard end <= bytes.count,
      word.withUTF8Buffer({ bytes[position..<end].elementsEqual($0) })
    else { return false }
    position = end
    return true
  }
}

extension UnsafeBufferPointer {
  /// The element at an index, or `nil` past the end.
  @inlinable
  subscript(safely index: Int) -> Element? { index < count ? self[index] : nil }
}
