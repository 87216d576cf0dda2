import Foundation
import Offshore

/// Walks through a JSON text and finds where its parts are, without making values of them.
///
/// What an app does not know can so be kept as it was written, to the last digit. The grammar is
/// that of RFC 8259: <https://www.rfc-editor.org/rfc/rfc8259>.
struct JSONScanner {
  /// What is wrong with a text, without any of it.
  struct Fault: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
  }

  /// How deep arrays and objects may be nested in what is skipped.
  static let maximumDepth = 64

  private let bytes: UnsafeBufferPointer<UInt8>
  private var position = 0

  /// Begins at the start of a text in UTF-8, which must outlive the scanner.
  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  // MARK: - Parts

  /// Walks through an object, and calls a closure at the value of each member.
  ///
  /// - Parameter member: gets the key, and has to consume the value.
  mutating func object(_ member: (inout Self, String) throws -> Void) throws {
    try object(key: { try $0.string() }, member: member)
  }

  /// Walks through an object whose keys are read by a closure, and calls another at the value of each
  /// member.
  mutating func object<Key>(
    key: (inout Self) throws -> Key, member: (inout Self, Key) throws -> Void
  ) throws {
    try require(UInt8(ascii: "{"), "an object")
    if take(UInt8(ascii: "}")) { return }
    repeat {
      let key = try key(&self)
      try require(UInt8(ascii: ":"), "a colon")
      try member(&self, key)
    } while take(UInt8(ascii: ","))
    try require(UInt8(ascii: "}"), "the end of an object")
  }

  /// Walks through an array, and calls a closure at each element, which has to consume it.
  mutating func array(_ element: (inout Self) throws -> Void) throws {
    try require(UInt8(ascii: "["), "an array")
    if take(UInt8(ascii: "]")) { return }
    repeat { try element(&self) } while take(UInt8(ascii: ","))
    try require(UInt8(ascii: "]"), "the end of an array")
  }

  /// Consumes a string and returns what it stands for.
  mutating func string() throws -> String {
    let text = try quoted()
    guard text.contains(UInt8(ascii: "\\")) else { return String(decoding: text, as: UTF8.self) }
    guard let string = JSONEscapes.resolved(text) else {
      throw Fault("has a text with an escape that means nothing")
    }
    return string
  }

  /// Consumes a string and returns the UUID that it spells, or `nil` where it spells none.
  mutating func uuid() throws -> UUID? {
    let start = position
    if let uuid = HexText.uuid(UnsafeBufferPointer(rebasing: try quoted())) { return uuid }
    position = start
    return UUID(uuidString: try string())
  }

  /// Consumes a string and returns the date that it spells, to the millisecond.
  mutating func date() throws -> Date {
    let start = position
    let text = UnsafeBufferPointer(rebasing: try quoted())
    if let milliseconds = UTCText.milliseconds(iso8601: text) {
      return Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    }
    position = start
    return try JSONDate.date(string())
  }

  /// Consumes a string and returns what is between its quotes, as it is written.
  private mutating func quoted() throws -> Slice<UnsafeBufferPointer<UInt8>> {
    try slice { try $0.skipString() }.dropFirst().dropLast()
  }

  /// Consumes `true` or `false`.
  mutating func bool() throws -> Bool {
    if takeWord("true") { return true }
    if takeWord("false") { return false }
    throw Fault("has something else where true or false belongs")
  }

  /// Consumes `null` if that is what follows.
  mutating func takeNull() -> Bool { takeWord("null") }

  /// Consumes any value and returns it as it is written.
  mutating func rawValue() throws -> String {
    String(decoding: try slice { try $0.skipValue(depth: 0) }, as: UTF8.self)
  }

  /// Requires that nothing but space follows.
  mutating func end() throws {
    skipSpace()
    guard position == bytes.count else { throw Fault("goes on after its end") }
  }

  // MARK: - Skipping

  private mutating func slice(
    _ skip: (inout Self) throws -> Void
  ) throws -> Slice<UnsafeBufferPointer<UInt8>> {
    skipSpace()
    let start = position
    try skip(&self)
    return bytes[start..<position]
  }

  private mutating func skipValue(depth: Int) throws {
    guard depth <= Self.maximumDepth else { throw Fault("is nested too deep") }
    skipSpace()
    switch bytes[safely: position] {
    case UInt8(ascii: "{"): try object { scanner, _ in try scanner.skipValue(depth: depth + 1) }
    case UInt8(ascii: "["): try array { try $0.skipValue(depth: depth + 1) }
    case UInt8(ascii: "\""): try skipString()
    default:
      if takeWord("true") || takeWord("false") || takeWord("null") { return }
      try skipNumber()
    }
  }

  private mutating func skipString() throws {
    try require(UInt8(ascii: "\""), "a text")
    while let byte = bytes[safely: position] {
      position += 1
      switch byte {
      case UInt8(ascii: "\""): return
      case UInt8(ascii: "\\"): position += 1
      case ..<0x20: throw Fault("has a control character in a text")
      default: break
      }
    }
    throw Fault("ends in a text")
  }

  private mutating func skipNumber() throws {
    _ = takeHere(UInt8(ascii: "-"))
    if !takeHere(UInt8(ascii: "0")) { try skipDigits() }
    if takeHere(UInt8(ascii: ".")) { try skipDigits() }
    if takeHere(UInt8(ascii: "e")) || takeHere(UInt8(ascii: "E")) {
      if !takeHere(UInt8(ascii: "+")) { _ = takeHere(UInt8(ascii: "-")) }
      try skipDigits()
    }
  }

  private mutating func skipDigits() throws {
    let start = position
    while let byte = bytes[safely: position], (0x30...0x39).contains(byte) { position += 1 }
    guard position > start else { throw Fault("lacks a value") }
  }

  private mutating func skipSpace() {
    while let byte = bytes[safely: position],
      byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    {
      position += 1
    }
  }

  // MARK: - Tokens

  private mutating func require(_ byte: UInt8, _ name: String) throws {
    guard take(byte) else { throw Fault("lacks \(name)") }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    skipSpace()
    return takeHere(byte)
  }

  private mutating func takeHere(_ byte: UInt8) -> Bool {
    guard bytes[safely: position] == byte else { return false }
    position += 1
    return true
  }

  private mutating func takeWord(_ word: StaticString) -> Bool {
    skipSpace()
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
  fileprivate subscript(safely index: Int) -> Element? { index < count ? self[index] : nil }
}
