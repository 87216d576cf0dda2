/// Where something is stored: a column of a row of a table.
///
/// It is for who looks after what is stored, and in no language: `charters.crew, 4C5E…`.
public struct StoredPlace: Hashable, Sendable {
  /// The table, where it is known.
  public let table: String?
  /// The column.
  public let column: String
  /// The row's key.
  public let row: String

  /// Names a place.
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
