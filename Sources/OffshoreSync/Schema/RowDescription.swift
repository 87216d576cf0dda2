import Offshore

/// The columns of a synced table with a row's title, the row that it is part of, and its owner.
struct RowDescription: Hashable {
  /// The row that another row is part of.
  struct Whole: Hashable {
    let table: String
    /// The column with the key of the whole.
    let column: String

    init(_ table: any Record.Type, column: String) {
      self.table = Self.name(of: table)
      self.column = column
    }

    private static func name<Row: Record>(of _: Row.Type) -> String { Row.table.name }
  }

  /// The column with the title.
  let title: String?
  let whole: Whole?
  /// The column with the id of the user who created the row.
  let owner: String?

  /// Returns the first mistake in the description, if there is one.
  /// - Parameter keys: the key of each synced table.
  func mistake(keys: [String: String]) -> String? {
    guard let whole, keys[whole.table] == nil else { return nil }
    return "Its rows are part of “\(whole.table)”, which is not synced. Sync it too."
  }
}
