/// The columns of a table, as the closures of queries see them: one for each property.
///
/// A property that is not declared as a column gives an expression that throws
/// ``DatabaseError`` with code `unknownColumn` when its query is used.
@dynamicMemberLookup
public struct Columns<Row: Record>: Sendable {
  // NB: No members with a name: one that is visible here would hide a property of the row.
  private let _alias: String?

  /// - Parameter name: the name that the table has in a statement, or `nil` for its own.
  init(of name: String? = nil) { _alias = name == Row.table.name ? nil : name }

  /// The column of a property.
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
  /// The column at an index, by its full name: inside a subquery a short one could mean another.
  ///
  /// - Parameter alias: the name of the table in the statement if that is not its own.
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
