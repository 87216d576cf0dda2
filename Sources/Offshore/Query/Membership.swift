@_documentation(visibility: internal)
extension SQLExpression {
  /// Returns whether the value is one of several; `nil` among them stands for NULL.
  ///
  /// `"guests" IN (?, ?)`. SQLite accepts at most 32,766 values; for more, use a ``Selection``.
  public func `in`(_ values: some Sequence<Value>) -> SQLExpression<Bool> {
    var list = SQL(raw: "")
    var hasNull = false
    for value in values {
      let bound = bind(value)
      guard bound.arguments != [.null] else {
        hasNull = true
        continue
      }
      list.append(raw: list.text.isEmpty ? "" : ", ")
      list.append(bound)
    }
    let isListed = SQLExpression<Bool>("\(operand(.sum)) IN (\(list))", isNullable: isNullable)
    guard hasNull else { return isListed }
    return isListed || SQLExpression<Bool>("\(operand(.sum)) IS NULL", isNullable: false)
  }

  /// Returns whether an optional value is one of several that are not `nil`.
  public func `in`<Wrapped>(
    _ values: some Sequence<Wrapped>
  ) -> SQLExpression<Bool> where Value == Wrapped? {
    `in`(values.map(Optional.some))
  }

  /// Returns whether a subquery selects the value. NULL is in no selection.
  ///
  /// ```swift
  /// Charter.where { $0.id.in(Checklist.where { $0.isDone }.select { $0.charterID }) }
  /// // "charters"."id" IN (SELECT "checklists"."charterID" FROM "checklists" WHERE …)
  /// ```
  public func `in`(_ selection: Selection<Value>) -> SQLExpression<Bool>
  where Value: Sendable {
    isSelected(selection)
  }

  /// Returns whether a subquery, which may also select NULL, selects the value.
  public func `in`(_ selection: Selection<Value?>) -> SQLExpression<Bool>
  where Value: Sendable {
    isSelected(selection)
  }

  /// Returns whether a subquery selects an optional value.
  public func `in`<Wrapped>(
    _ selection: Selection<Wrapped>
  ) -> SQLExpression<Bool> where Value == Wrapped? {
    isSelected(selection)
  }

  private func isSelected<Other>(_ selection: Selection<Other>) -> SQLExpression<Bool> {
    var sql: SQL = "\(operand(.sum)) IN (\(selection.sql))"
    if let expression = selection.expression { sql.append(storageProblem(with: expression)) }
    let isNullable = isNullable || selection.expression?.isNullable ?? true
    return SQLExpression<Bool>(sql, isNullable: isNullable)
  }
}
