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
///
/// try charter.insert(writer)
/// let upcoming = try Charter.where { $0.startDate > now }.all(reader)
/// ```
public protocol Record: Sendable {
  /// The table that stores the values. Declare it as a stored constant, so that it is created once.
  static var table: Table<Self> { get }
}
