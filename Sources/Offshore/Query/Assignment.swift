/// A column and its new value in an update.
@_documentation(visibility: internal)
public struct Assignment: Sendable {
  let column: ColumnName?
  let value: SQL
}

@_documentation(visibility: internal)
extension SQLExpression {
  /// Assigns a value to the column: `"name" = ?`.
  public func set(_ value: Value) -> Assignment { Assignment(self, bind(value)) }

  /// Assigns the value of an expression over the same row to the column: `"guests" = "guests" + ?`.
  public func set(_ value: Self) -> Assignment {
    Assignment(self, "\(value.sql)\(storageProblem(with: value))")
  }
}

extension Assignment {
  fileprivate init<Value>(_ column: SQLExpression<Value>, _ value: SQL) {
    guard column.column == nil else {
      self.init(column: column.column, value: value)
      return
    }
    let isUnknown = column.sql.problem != nil
    let text = "“\(column.sql.text)” is no column. Set a column."
    self.init(column: nil, value: isUnknown ? column.sql : SQL(problem: .invalidSQL, text))
  }
}

extension Query {
  /// Updates columns of all rows that satisfy the conditions.
  ///
  /// `set` assigns a value, or an expression over the same row, to a column:
  ///
  /// ```swift
  /// try Charter.where { $0.location == nil }
  ///   .update(writer) { [$0.location.set("Split"), $0.guests.set($0.guests + 1)] }
  /// // UPDATE "charters" SET "location" = ?, "guests" = "charters"."guests" + ? WHERE …
  /// ```
  /// - Returns: The number of updated rows.
  /// - Throws: ``DatabaseError``: `invalidSQL` if the query has an order or a limit, `constraint`
  ///   if a constraint refuses the change.
  @discardableResult
  public func update(
    _ writer: Writer, _ assignments: (Columns<Row>) -> [Assignment]
  ) throws -> Int {
    let assignments = assignments(Columns())
    guard !assignments.isEmpty else { return 0 }
    var sql: SQL = "UPDATE \(identifier: Row.table.name) SET "
    for (index, assignment) in assignments.enumerated() {
      sql.append(raw: index == 0 ? "" : ", ")
      sql.append(raw: (assignment.column?.column ?? "").quotedIdentifier + " = ")
      sql.append(assignment.value)
    }
    sql.append(try wholeFilter("updated"))
    return try writer.connection.run(sql)
  }

  /// Deletes all rows that satisfy the conditions.
  ///
  /// `DELETE FROM "charters" WHERE …`
  /// - Returns: The number of deleted rows.
  /// - Throws: ``DatabaseError``: `invalidSQL` if the query has an order or a limit, `constraint`
  ///   if other rows refer to one of the rows.
  @discardableResult
  public func delete(_ writer: Writer) throws -> Int {
    var sql: SQL = "DELETE FROM \(identifier: Row.table.name)"
    sql.append(try wholeFilter("deleted"))
    return try writer.connection.run(sql)
  }

  /// Returns the conditions of a query that has nothing else.
  /// - Throws: ``DatabaseError`` with code `invalidSQL` if the query has an order or a limit.
  func wholeFilter(_ done: String) throws -> SQL {
    guard terms.isEmpty, !isRanked, !isPart else {
      var error = DatabaseError(
        .invalidSQL,
        "Rows are \(done) in no order and without a limit. Select their keys by such a query, and "
          + "use where { $0.id.in(keys) }.")
      error.table = Row.table.name
      throw error
    }
    return filter
  }
}
