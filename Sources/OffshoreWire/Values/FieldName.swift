/// The name of what is merged on its own: a column, or a key within a column of JSON.
///
/// Its text is the column's name, and for a key a point and the key, for example `items.7`. Keys are
/// written as JSON writes the content of a string, in ASCII: `"Öl"` is `\u00d6l`. So one key has one
/// name, whatever escapes a text has.
public struct FieldName: Hashable, Sendable {
  /// The name of the column.
  public let column: String
  /// The key within the column, or `nil` for the column itself.
  public let key: String?

  /// Names a column, or a key within one.
  public init(column: String, key: String? = nil) {
    self.column = column
    self.key = key
  }

  /// Reads the text of a name.
  public init(_ text: String) {
    guard let point = text.utf8.firstIndex(of: UInt8(ascii: ".")) else {
      self.init(column: text)
      return
    }
    self.init(column: String(text[..<point]), key: String(text[point...].dropFirst()))
  }

  /// The column's name, and for a key a point and the key.
  public var text: String { key.map { "\(column).\($0)" } ?? column }

  /// Whether a text names a key rather than a column.
  static func isKey(_ text: String) -> Bool { text.utf8.contains(UInt8(ascii: ".")) }
}
