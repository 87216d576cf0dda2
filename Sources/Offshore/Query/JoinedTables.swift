/// The tables of a ``Join``, from which the types of its closures and results follow.
@_documentation(visibility: internal)
public protocol JoinedTables: Sendable {
  /// The columns of all tables: a tuple if there are several.
  associatedtype Columns
  /// The rows of one result.
  associatedtype Rows: Sendable
}

/// One table, before others are joined.
@_documentation(visibility: internal)
public enum One<First: JoinedTable>: JoinedTables {
  public typealias Columns = First.Columns
  public typealias Rows = First.Value
}

/// Two joined tables.
@_documentation(visibility: internal)
public enum Two<First: JoinedTable, Second: JoinedTable>: JoinedTables {
  public typealias Columns = (First.Columns, Second.Columns)
  public typealias Rows = JoinedRows<First.Value, Second.Value>
}

/// Three joined tables.
@_documentation(visibility: internal)
public enum Three<First: JoinedTable, Second: JoinedTable, Third: JoinedTable>: JoinedTables {
  public typealias Columns = (First.Columns, Second.Columns, Third.Columns)
  public typealias Rows = JoinedRows<First.Value, Second.Value, Third.Value>
}

/// Four joined tables.
@_documentation(visibility: internal)
public enum Four<
  First: JoinedTable, Second: JoinedTable, Third: JoinedTable, Fourth: JoinedTable
>: JoinedTables {
  public typealias Columns = (First.Columns, Second.Columns, Third.Columns, Fourth.Columns)
  public typealias Rows = JoinedRows<First.Value, Second.Value, Third.Value, Fourth.Value>
}
