/// The name of a synced row.
public struct RowName: Hashable, Sendable {
  /// The table, which stands for the kind of thing that the row is.
  public let table: String
  /// The title of the row; if it has none of its own, the title of the row that it is part of.
  public let title: String?
  /// The title of the row that it is part of, if it differs from ``title``.
  public let whole: String?

  /// Names a row.
  public init(table: String, title: String? = nil, whole: String? = nil) {
    self.table = table
    self.title = title
    self.whole = whole
  }
}
