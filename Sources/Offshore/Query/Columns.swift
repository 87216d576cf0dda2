/// The columns of a table in the closures of queries, one for each property of its record.
///
/// In `Charter.where { $0.guests > 4 }`, the parameter has the columns, and `$0.guests` is the
/// ``SQLExpression`` `"charters"."guests"`.
///
/// The expression of a property that is not declared as a column makes its query throw
/// ``DatabaseError`` with code `unknownColumn`.
@dynamicMemberLookup
public struct Columns<Row: Record>: Sendable {
  // NB: No members with names: a visible one would hide a property of the row.
  private let _alias: String?

  /// Creates the columns of a table.
  /// - Parameter name: The name of the table in a statement, or `nil` for its own name.
  init(of name: String? = nil) { _alias = name == Row.table.name ? nil : name }

  /// The column of a property.
  @_documentation(visibility: internal)
  public subscript<Value>(dynamicMember keyPath: KeyPath<Row, Value>) -> SQLExpression<Value> {
    let table = Row.table
    guard let index = table.plan.indexByKeyPath[keyPath] else {
      return SQLExpression(
        SQL(
          problem: .unknownColumn,
          "Property \(keyPath) is no column of “\(table.name)”. Declare it as one."),
        .primary, isNullable: true, nil)
    }
    return table.expression(index, of: _alias)
  }
}

extension Table {
  /// Returns the column at an index with its full name. Inside a subquery, a short name could refer
  /// to another column.
  ///
  /// - Parameter alias: The name of the table in the statement if it differs from its own.
  func expression<Value>(_ index: Int, of alias: String? = nil) -> SQLExpression<Value> {
    let lookup = plan.lookups[index]
    var (name, column) = (fullName(of: index), columnName(index))
    if let alias {
      name = alias.quotedIdentifier + "." + columns[index].name.quotedIdentifier
      column = ColumnName(table: alias, column: columns[index].name)
    }
    return SQLExpression(
      SQL(raw: name), .primary, isNullable: lookup.definition.isNullable,
      lookup.coder.coder(of: Value.self), column: column)
  }
}

/// The columns of a table of which a result may have no row; all of them are `nil` then.
@_documentation(visibility: internal)
@dynamicMemberLookup
public struct OptionalColumns<Row: Record>: Sendable {
  // NB: No members with names: a visible one would hide a property of the row.
  private let columns: Columns<Row>

  init(of name: String) { columns = Columns(of: name) }

  /// The column of a property, or `nil`.
  public subscript<Value>(dynamicMember keyPath: KeyPath<Row, Value>) -> SQLExpression<Value?> {
    columns[dynamicMember: keyPath].optional
  }

  /// The column of an optional property, or `nil`.
  public subscript<Value>(dynamicMember keyPath: KeyPath<Row, Value?>) -> SQLExpression<Value?> {
    var column = columns[dynamicMember: keyPath]
    column.isNullable = true
    return column
  }
}
