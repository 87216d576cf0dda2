/// The escapes in JSON strings: <https://www.rfc-editor.org/rfc/rfc8259#section-7>.
package enum JSONEscapes {
  /// Decodes the text between the quotes of a string. The result is `nil` if it contains an
  /// unpaired surrogate.
  package static func decoded(_ content: JSONScanner.Part) -> String? {
    String(validating: utf16Units(content), as: UTF16.self)
  }

  /// Decodes the text between the quotes of a string to UTF-16, including unpaired surrogates.
  /// Invalid bytes become U+FFFD.
  package static func utf16Units(_ content: JSONScanner.Part) -> [UInt16] {
    var units: [UInt16] = []
    var rest = content
    while let backslash = rest.firstIndex(of: UInt8(ascii: "\\")) {
      units += String(decoding: rest[..<backslash], as: UTF8.self).utf16
      rest = rest[backslash...].dropFirst()
      let kind = rest.popFirst() ?? 0
      if kind == UInt8(ascii: "u") {
        units.append(rest.prefix(4).reduce(0) { $0 << 4 | (digit($1) ?? 0) })
        rest = rest.dropFirst(4)
      } else {
        units.append(character(kind) ?? 0xFFFD)
      }
    }
    return units + String(decoding: rest, as: UTF8.self).utf16
  }

  /// Returns a text as a JSON string, with its quotes.
  package static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\u{0}"..<" ":
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }

  /// Returns the character of an escape, by the byte after the backslash.
  static func character(_ byte: UInt8) -> UInt16? {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): UInt16(byte)
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    default: nil
    }
  }

  /// Returns the value of a hexadecimal digit.
  static func digit(_ byte: UInt8) -> UInt16? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt16(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt16(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
  }
}
