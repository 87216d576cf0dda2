/// The rule for names that a schema gives to tables, columns, scopes and merge rules.
enum Identifier {
  private static let longest = 64

  /// Whether a name is a letter, then letters, digits and underscores of ASCII, 64 at the most.
  ///
  /// So no name begins with the underscore of the device's own tables, and none has the point that
  /// sets the key of a field apart from its column.
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
