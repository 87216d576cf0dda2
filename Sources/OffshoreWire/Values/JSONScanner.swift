/// Walks over a JSON text byte by byte, without making values of it.
///
/// It keeps to RFC 8259 (<https://www.rfc-editor.org/rfc/rfc8259>), so a part that was scanned can be
/// put into another text as it is. What is no JSON is `nil`, as is what is nested too deeply.
struct JSONScanner {
  private static let deepest = 100

  private let bytes: [UInt8]
  private(set) var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { position == bytes.count }

  /// Whether the bytes are one value, with nothing around it.
  static func isValue(_ bytes: [UInt8]) -> Bool {
    var scanner = JSONScanner(bytes)
    return scanner.value()?.count == bytes.count
  }

  /// Steps over a byte, where it is the next one, and over the white space after it.
  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
    position += 1
    skipSpace()
    return true
  }

  /// Steps over white space.
  mutating func skipSpace() {
    while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) {
      position += 1
    }
  }

  /// Steps over a value and the white space after it; returns the bytes of the value.
  mutating func value() -> ArraySlice<UInt8>? {
    let start = position
    guard scanValue(depth: 0) else { return nil }
    let value = bytes[start..<position]
    skipSpace()
    return value
  }

  private mutating func scanValue(depth: Int) -> Bool {
    guard position < bytes.count, depth <= Self.deepest else { return false }
    switch bytes[position] {
    case UInt8(ascii: "\""): return scanString()
    case UInt8(ascii: "{"): return scanList(until: "}", depth: depth, hasKeys: true)
    case UInt8(ascii: "["): return scanList(until: "]", depth: depth, hasKeys: false)
    case UInt8(ascii: "t"): return scanWord("true")
    case UInt8(ascii: "f"): return scanWord("false")
    case UInt8(ascii: "n"): return scanWord("null")
    default: return scanNumber()
    }
  }

  private mutating func scanList(until end: Unicode.Scalar, depth: Int, hasKeys: Bool) -> Bool {
    position += 1
    skipSpace()
    // The white space after the last value belongs to what comes around it.
    if position < bytes.count, bytes[position] == UInt8(ascii: end) {
      position += 1
      return true
    }
    while true {
      if hasKeys {
        guard position < bytes.count, bytes[position] == UInt8(ascii: "\""), scanString() else {
          return false
        }
        skipSpace()
        guard take(":") else { return false }
      }
      guard scanValue(depth: depth + 1) else { return false }
      skipSpace()
      if take(",") { continue }
      guard position < bytes.count, bytes[position] == UInt8(ascii: end) else { return false }
      position += 1
      return true
    }
  }

  private mutating func scanString() -> Bool {
    let start = position + 1
    position += 1
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if byte == UInt8(ascii: "\"") {
        return String(validating: bytes[start..<(position - 1)], as: UTF8.self) != nil
      }
      guard byte >= 0x20 else { return false }
      if byte == UInt8(ascii: "\\") {
        guard scanEscape() else { return false }
      }
    }
    return false
  }

  private mutating func scanEscape() -> Bool {
    guard position < bytes.count else { return false }
    let byte = bytes[position]
    position += 1
    guard byte == UInt8(ascii: "u") else { return JSONText.escaped(byte) != nil }
    guard position + 4 <= bytes.count else { return false }
    defer { position += 4 }
    return bytes[position..<(position + 4)].allSatisfy { JSONText.digit($0) != nil }
  }

  private mutating func scanWord(_ word: StaticString) -> Bool {
    let count = word.utf8CodeUnitCount
    let word = UnsafeBufferPointer(start: word.utf8Start, count: count)
    guard bytes[position...].prefix(count).elementsEqual(word) else { return false }
    position += count
    return true
  }

  private mutating func scanNumber() -> Bool {
    if bytes[position] == UInt8(ascii: "-") { position += 1 }
    let start = position
    let count = scanDigits()
    guard count == 1 || count > 1 && bytes[start] != UInt8(ascii: "0") else { return false }
    if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
      position += 1
      guard scanDigits() > 0 else { return false }
    }
    if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
      position += 1
      if position < bytes.count, [UInt8(ascii: "+"), UInt8(ascii: "-")].contains(bytes[position]) {
        position += 1
      }
      guard scanDigits() > 0 else { return false }
    }
    return true
  }

  private mutating func scanDigits() -> Int {
    let start = position
    while position < bytes.count, 0x30...0x39 ~= bytes[position] { position += 1 }
    return position - start
  }
}
