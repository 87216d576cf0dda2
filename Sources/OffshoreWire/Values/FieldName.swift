/// The name of a field, which is merged separately: a column, or a key in a column of JSON.
///
/// Its text is the column's name, followed for a key by a point and the key, for example `items.7`.
/// Keys are spelled as the content of a JSON string in ASCII: `"Öl"` is `\u00d6l`. So a key has one
/// name, whatever escapes the JSON uses.
public struct FieldName: Hashable, Sendable {
  /// The name of the column.
  public let column: String
  /// The key within the column, or `nil` for the column itself.
  public let key: String?

  /// Creates the name of a column, or of a key in it.
  package init(column: String, key: String? = nil) {
    self.column = column
    self.key = key
  }

  /// Parses the text of a name.
  public init(_ text: String) {
    guard let point = text.utf8.firstIndex(of: UInt8(ascii: ".")) else {
      self.init(column: text)
      return
    }
    self.init(column: String(text[..<point]), key: String(text[point...].dropFirst()))
  }

  /// The column's name, followed for a key by a point and the key.
  package var text: String { key.map { "\(column).\($0)" } ?? column }

  /// Returns whether a text names a key rather than a column.
  static func isKey(_ text: String) -> Bool { text.utf8.contains(UInt8(ascii: ".")) }
}

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
