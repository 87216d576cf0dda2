extension Query {
  /// Passes each row to a closure, in the query's order, with one row in memory at a time.
  ///
  /// ```swift
  /// try Charter.order { $0.startDate }.forEach(reader) { total += $0.guests }
  /// ```
  /// An error of the closure ends the iteration, and is thrown. The closure may run other queries; in a
  /// write, whether it sees rows that it inserts into the table itself is not defined.
  /// - Throws: what the closure throws; `CancellationError`; ``DatabaseError`` as ``all(_:)`` does, after
  ///   the rows before the one that cannot be read.
  public func forEach(_ reader: Reader, _ body: (Row) throws -> Void) throws {
    try reader.connection.forEach(Row.self, sql, body)
  }
}

extension Join {
  /// Passes each result to a closure; see ``Query/forEach(_:_:)``.
  /// - Throws: as the function of a query does.
  public func forEach(_ reader: Reader, _ body: (Tables.Rows) throws -> Void) throws {
    for place in places { try place.checkFirstUse() }
    try reader.connection.forEach(sql) { row, _ in try body(try read(&row)) }
  }
}

extension Selection {
  /// Passes each value to a closure; see ``Query/forEach(_:_:)``.
  /// - Throws: as the function of a query does.
  public func forEach(_ reader: Reader, _ body: (Value) throws -> Void) throws {
    try reader.connection.forEach(sql) { row, _ in try body(try decode(&row)) }
  }
}
