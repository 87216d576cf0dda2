/// The columns of a table, as the closures of queries see them: one for each property.
///
/// A property that is not declared as a column gives an expression that throws
/// ``DatabaseError`` with code `unknownColumn` when its query is used.
@dynamicMemberLookup
public struct Columns<Row: Record>: Sendable {
  // NB: No members with a name: one that is visible here would hide a property of the row.

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
    return table.expression(index)
  }
}

extension Table {
  /// The column at an index, by its full name: inside a subquery a short one could mean another.
  func expression<Value>(_ index: Int) -> SQLExpression<Value> {
    let lookup = plan.lookups[index]
    return SQLExpression(
      SQL(raw: fullName(of: index)), .primary, isNullable: lookup.definition.isNullable,
      lookup.coder as? ColumnCoder<Value>, column: columnName(index))
  }
}
