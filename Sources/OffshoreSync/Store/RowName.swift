/// The name of a synced row, for the user.
public struct RowName: Hashable, Sendable {
  /// The table, which stands for the kind of thing that the row is.
  public let table: String
  /// The title of the row; if it has none of its own, the title of the row that it is part of.
  public let title: String?
  /// The title of the row that it is part of, if ``title`` is another one.
  public let whole: String?

  /// Names a row.
  public init(table: String, title: String? = nil, whole: String? = nil) {
    self.table = table
    self.title = title
    self.whole = whole
  }
}
