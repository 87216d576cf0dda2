/// The rule for the names that a schema gives to tables, columns, scopes and merge rules.
enum Identifier {
  private static let longest = 64

  /// Returns whether a name is an ASCII letter, followed by ASCII letters, digits and underscores.
  ///
  /// A name has at most 64 characters. It never begins with an underscore, as the device's own
  /// tables do, and has no point, which separates the key of a field from its column.
  static func isValid(_ name: String) -> Bool {
    guard let first = name.utf8.first, isLetter(first), name.utf8.count <= longest else {
      return false
    }
    return name.utf8.allSatisfy { isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "_") }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
  }
}
