/// The rows of a list that can be read, and why others cannot.
public struct ReadableRows<Row: Sendable>: Sendable {
  public var rows: [Row]
  /// The errors of the rows that are left out, in the order of the list.
  public var unreadable: [RepositoryError]

  /// Creates a list.
  public init(rows: [Row] = [], unreadable: [RepositoryError] = []) {
    self.rows = rows
    self.unreadable = unreadable
  }
}

extension ReadableRows: Equatable where Row: Equatable {}
