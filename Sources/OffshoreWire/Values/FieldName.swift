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
  public init(column: String, key: String? = nil) {
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
  public var text: String { key.map { "\(column).\($0)" } ?? column }

  /// Returns whether a text names a key rather than a column.
  static func isKey(_ text: String) -> Bool { text.utf8.contains(UInt8(ascii: ".")) }
}
