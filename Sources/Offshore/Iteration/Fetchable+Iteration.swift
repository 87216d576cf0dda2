extension Query {
  /// Passes each row to a closure, in the query's order, with one row in memory at a time.
  ///
  /// ```swift
  /// try Charter.order { $0.startDate }.forEach(reader) { total += $0.guests }
  /// ```
  /// Joins, selections and ``SQL`` have the same function. The closure can run other queries. In a write, it is undefined whether the iteration includes
  /// rows that the closure inserts into the same table.
  /// - Throws: The error of the closure, which ends the iteration; `CancellationError`; or
  ///   ``DatabaseError`` as ``Fetchable/all(_:)`` does, after the rows before the unreadable one.
  public func forEach(_ reader: Reader, _ body: (Row) throws -> Void) throws {
    try reader.connection.forEach(Row.self, sql, body)
  }
}

@_documentation(visibility: internal)
extension Join {
  /// Passes each result to a closure; see ``Query/forEach(_:_:)``.
  /// - Throws: The errors of ``Query/forEach(_:_:)``.
  public func forEach(_ reader: Reader, _ body: (Tables.Rows) throws -> Void) throws {
    for place in places { try place.checkFirstUse() }
    try reader.connection.forEach(sql) { row, _ in try body(try read(&row)) }
  }
}

@_documentation(visibility: internal)
extension Selection {
  /// Passes each value to a closure; see ``Query/forEach(_:_:)``.
  /// - Throws: The errors of ``Query/forEach(_:_:)``.
  public func forEach(_ reader: Reader, _ body: (Value) throws -> Void) throws {
    try reader.connection.forEach(sql) { row, _ in try body(try decode(&row)) }
  }
}
