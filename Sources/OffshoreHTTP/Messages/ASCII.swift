/// The classes of ASCII characters in the grammar of HTTP.
enum ASCII {
  static func lowercased(_ byte: UInt8) -> UInt8 {
    UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
  }

  static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x7F }

  static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

  static func isLetter(_ byte: UInt8) -> Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= lowercased(byte)
  }

  /// Returns whether a byte may be in a token
  /// (<https://www.rfc-editor.org/rfc/rfc9110#name-tokens>).
  static func isTokenByte(_ byte: UInt8) -> Bool {
    isDigit(byte) || isLetter(byte) || tokenMarks.contains(byte)
  }

  /// Returns a text without spaces and tabs at its ends.
  static func trimmed(_ text: Substring) -> String {
    String(decoding: trimmed(text.utf8), as: UTF8.self)
  }

  /// Returns bytes without spaces and tabs at their ends.
  static func trimmed(_ bytes: Substring.UTF8View) -> Substring.UTF8View {
    var bytes = bytes.drop { $0 == 0x20 || $0 == 0x09 }
    while let last = bytes.last, last == 0x20 || last == 0x09 { bytes.removeLast() }
    return bytes
  }

  /// Returns the value of a hexadecimal digit, or `nil` for any other byte.
  static func hexadecimal(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  private static let tokenMarks = Array("!#$%&'*+-.^_`|~".utf8)
}
