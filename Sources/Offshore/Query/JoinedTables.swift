/// The tables of a ``Join``: ``One`` to ``Four``.
public protocol JoinedTables: Sendable {
  /// The columns of the tables, as the closures of a join see them.
  associatedtype Columns
  /// The rows of one result.
  associatedtype Rows: Sendable

  /// Returns the columns of the tables by the names that these have in a join.
  static func columns(of names: [String]) -> Columns

  /// Reads a result.
  /// - Throws: ``DatabaseError`` with code `invalidValue` if a value does not fit its column.
  static func read(_ reader: inout RowReader) throws -> Rows

  /// The tables, one by one.
  static var list: [any JoinedTable.Type] { get }
}

/// One table.
public enum One<First: JoinedTable>: JoinedTables {
  public static func columns(of names: [String]) -> First.Columns { First.columns(of: names[0]) }
  public static func read(_ reader: inout RowReader) throws -> First.Value {
    try First.read(&reader)
  }
  public static var list: [any JoinedTable.Type] { [First.self] }
}

/// Two tables.
public enum Two<First: JoinedTable, Second: JoinedTable>: JoinedTables {
  public static func columns(of names: [String]) -> (First.Columns, Second.Columns) {
    (First.columns(of: names[0]), Second.columns(of: names[1]))
  }

  public static func read(
    _ reader: inout RowReader
  ) throws -> JoinedRows<First.Value, Second.Value> {
    JoinedRows(try First.read(&reader), try Second.read(&reader))
  }

  public static var list: [any JoinedTable.Type] { [First.self, Second.self] }
}

/// Three tables.
public enum Three<First: JoinedTable, Second: JoinedTable, Third: JoinedTable>: JoinedTables {
  public static func columns(
    of names: [String]
  ) -> (First.Columns, Second.Columns, Third.Columns) {
    (First.columns(of: names[0]), Second.columns(of: names[1]), Third.columns(of: names[2]))
  }

  public static func read(
    _ reader: inout RowReader
  ) throws -> JoinedRows<First.Value, Second.Value, Third.Value> {
    JoinedRows(try First.read(&reader), try Second.read(&reader), try Third.read(&reader))
  }

  public static var list: [any JoinedTable.Type] { [First.self, Second.self, Third.self] }
}

/// Four tables. A join of more is written in SQL.
public enum Four<
  First: JoinedTable, Second: JoinedTable, Third: JoinedTable, Fourth: JoinedTable
>: JoinedTables {
  public static func columns(
    of names: [String]
  ) -> (First.Columns, Second.Columns, Third.Columns, Fourth.Columns) {
    (
      First.columns(of: names[0]), Second.columns(of: names[1]), Third.columns(of: names[2]),
      Fourth.columns(of: names[3])
    )
  }

  public static func read(
    _ reader: inout RowReader
  ) throws -> JoinedRows<First.Value, Second.Value, Third.Value, Fourth.Value> {
    JoinedRows(
      try First.read(&reader), try Second.read(&reader), try Third.read(&reader),
      try Fourth.read(&reader))
  }

  public static var list: [any JoinedTable.Type] {
    [First.self, Second.self, Third.self, Fourth.self]
  }
}
