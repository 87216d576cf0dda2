import OffshoreJSON

/// Two ways to spell the content of a JSON string.
///
/// A name is all ASCII, so that no two spellings of it are taken for equal. A text escapes only what has
/// to be. Either can be made of the other, whatever the string holds, half a surrogate pair included.
enum JSONText {
  /// The content of a string, between its quotes, as a name.
  /// - Parameter content: what `JSONScanner` found between the quotes of a string.
  static func name(of content: JSONScanner.Part) -> String {
    JSONEscapes.units(content).reduce(into: "") { name, unit in
      switch unit {
      case 0x22, 0x5C: name += "\\" + String(UnicodeScalar(UInt8(unit)))
      case 0x20...0x7E: name.unicodeScalars.append(UnicodeScalar(UInt8(unit)))
      default: name += escape(unit)
      }
    }
  }

  /// The content of a string, between its quotes, as a name.
  static func name(of content: [UInt8]) -> String {
    content.withUnsafeBufferPointer { name(of: $0[...]) }
  }

  /// The content of a string, between its quotes, of a name.
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

  /// The character that begins at a place, unless that is half a surrogate pair.
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
