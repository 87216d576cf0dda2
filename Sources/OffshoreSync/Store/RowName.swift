/// The name of a synced row.
public struct RowName: Hashable, Sendable {
  /// The table, which identifies the kind of row.
  public let table: String
  /// The title of the row, or that of the row that it is part of if it has none of its own.
  public let title: String?
  /// The title of the row that it is part of, unless ``title`` is that title.
  public let whole: String?

  /// Creates a name.
  public init(table: String, title: String? = nil, whole: String? = nil) {
    self.table = table
    self.title = title
    self.whole = whole
  }
}
