/// Names a row: its table, and its id as text.
///
/// An id is 1 to 200 visible characters of ASCII, as a UUID's text is, so that it compares alike in
/// Swift, in SQLite and in PostgreSQL, and can name a scope.
public struct RowID: Hashable, Sendable {
  /// The name of the table.
  public var table: String
  /// The value of the table's id column.
  public var id: String

  /// Names a row. Whether the id is allowed is looked at by ``Manifest/check(_:in:)``.
  public init(table: String, id: String) {
    self.table = table
    self.id = id
  }
}

extension RowID: Comparable {
  public static func < (left: RowID, right: RowID) -> Bool {
    left.table == right.table ? left.id < right.id : left.table < right.table
  }
}

extension RowID: CustomStringConvertible {
  /// The table and the id, for example `charters/7`.
  public var description: String { "\(table)/\(id)" }
}
