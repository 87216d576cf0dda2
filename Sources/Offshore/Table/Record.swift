/// A type whose values are the rows of one table.
///
/// ```swift
/// extension Charter: Record {
///   static let table = Table(
///     "charters", Charter.init,
///     Column("id", \.id).primaryKey(),
///     Column("name", \.name),
///     Column("startDate", \.startDate))
/// }
/// ```
public protocol Record: Sendable {
  /// The table that stores the values, declared once as a stored constant.
  static var table: Table<Self> { get }
}
