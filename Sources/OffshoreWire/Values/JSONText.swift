import OffshoreJSON

/// Conversion between two spellings of the content of a JSON string.
///
/// A name is ASCII only, because Swift compares strings by canonical equivalence and would equate
/// different spellings of other characters. A text escapes only the characters that require it.
/// Each can be converted to the other, even if the string has an unpaired surrogate.
enum JSONText {
  /// Returns the content of a string as a name.
  /// - Parameter content: the bytes between the quotes of a string, from `JSONScanner`.
  static func name(of content: JSONScanner.Part) -> String {
    JSONEscapes.units(content).reduce(into: "") { name, unit in
      switch unit {
      case 0x22, 0x5C: name += "\\" + String(UnicodeScalar(UInt8(unit)))
      case 0x20...0x7E: name.unicodeScalars.append(UnicodeScalar(UInt8(unit)))
      default: name += escape(unit)
      }
    }
  }

  /// Returns the content of a string as a name.
  /// - Parameter content: the bytes between the quotes of a string.
  static func name(of content: [UInt8]) -> String {
    content.withUnsafeBufferPointer { name(of: $0[...]) }
  }

  /// Returns the content of the string that a name stands for, without quotes.
  static func content(of name: String) -> [UInt8] {
    var content: [UInt8] = []
    let units = Array(name.utf8).withUnsafeBufferPointer { JSONEscapes.units($0[...]) }
    var index = 0
    while index < units.count {
      let unit = units[index]
      if let scalar = scalar(at: index, of: units) {
        content += spelling(of: scalar)
        index += scalar.value > 0xFFFF ? 2 : 1
      } else {
        content += Array(escape(unit).utf8)
        index += 1
      }
    }
    return content
  }

  /// Returns the character that begins at an index, or `nil` for an unpaired surrogate.
  private static func scalar(at index: Int, of units: [UInt16]) -> UnicodeScalar? {
    let unit = units[index]
    guard UTF16.isLeadSurrogate(unit), index + 1 < units.count,
      UTF16.isTrailSurrogate(units[index + 1])
    else { return UnicodeScalar(unit) }
    return UnicodeScalar(0x10000 + (UInt32(unit & 0x3FF) << 10 | UInt32(units[index + 1] & 0x3FF)))
  }

  private static func spelling(of scalar: UnicodeScalar) -> [UInt8] {
    switch scalar.value {
    case 0x22, 0x5C: [0x5C, UInt8(scalar.value)]
    case 0..<0x20: Array(escape(UInt16(scalar.value)).utf8)
    default: Array(String(scalar).utf8)
    }
  }

  private static func escape(_ unit: UInt16) -> String {
    let digits = String(unit, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }
}
