/// The place of a stored value: a column of a row of a table.
///
/// It is for support, and is not localized: `charters.crew, 4C5E…`.
public struct StoredPlace: Hashable, Sendable {
  /// The table, if it is known.
  public let table: String?
  /// The column.
  public let column: String
  /// The key of the row.
  public let row: String

  /// Creates a place.
  public init(table: String? = nil, column: String, row: String) {
    self.table = table
    self.column = column
    self.row = row
  }
}

extension StoredPlace: CustomStringConvertible {
  public var description: String {
    [[table, column].compactMap(\.self).joined(separator: "."), row]
      .filter { !$0.isEmpty }.joined(separator: ", ")
  }
}
