extension Query {
  /// Returns the rows, in the query's order.
  /// - Throws: ``DatabaseError``: `unknownColumn` or `invalidValue` if the query is invalid,
  ///   `invalidValue` if a stored value does not fit its column.
  @_documentation(visibility: internal)
  public func all(_ reader: Reader) throws -> [Row] {
    let connection = reader.connection
    guard let key = keyAlone else {
      if let rows = try OrderedMatches(self, reader)?.all() { return rows }
      return try connection.fetchAll(Row.self, sql)
    }
    return try connection.fetch(Row.table, key: key).map { [$0] } ?? []
  }

  /// Returns the first row, or `nil` if there is none.
  ///
  /// `… LIMIT 1`
  /// - Throws: ``DatabaseError`` as ``Fetchable/all(_:)`` does.
  @_documentation(visibility: internal)
  @inlinable
  public func first(_ reader: Reader) throws -> Row? {
    guard let key = keyAlone else { return try fetchFirst(reader) }
    return try reader.row(Row.table, key: key)
  }

  /// Returns the first row of a query that is not by a key alone.
  @usableFromInline
  func fetchFirst(_ reader: Reader) throws -> Row? {
    if match != nil { return try limit(Swift.min(count ?? 1, 1)).all(reader).first }
    return try reader.connection.fetchOne(Row.self, sqlForOne)
  }

  /// Returns the number of rows.
  ///
  /// `SELECT count(*) FROM …`
  /// - Throws: ``DatabaseError`` as ``Fetchable/all(_:)`` does.
  @_documentation(visibility: internal)
  public func count(_ reader: Reader) throws -> Int {
    let sql: SQL = "SELECT count(*) FROM \(source)"
    return try reader.connection.fetchOne(sql) { try $0.value(Int.self) } ?? 0
  }

  /// Returns whether the query has any row.
  ///
  /// `SELECT EXISTS (SELECT 1 FROM …)`. The property `exists` is the same condition for another
  /// query, whose columns can be used in this one:
  ///
  /// ```swift
  /// Charter.where { charter in Checklist.where { $0.charterID == charter.id }.exists }
  /// // EXISTS (SELECT 1 FROM "checklists" WHERE "checklists"."charterID" = "charters"."id")
  /// ```
  /// - Throws: ``DatabaseError`` as ``Fetchable/all(_:)`` does.
  public func exists(_ reader: Reader) throws -> Bool {
    let sql: SQL = "SELECT EXISTS (SELECT 1 FROM \(source))"
    return try reader.connection.fetchOne(sql) { try $0.value(Bool.self) } ?? false
  }
}

extension Query {
  /// The statement for the first row. If the query has no limit yet, the limit of 1 adds no order.
  var sqlForOne: SQL {
    guard !isPart else {
      var first = self
      first.count = Swift.min(count ?? 1, 1)
      return first.sql
    }
    return "\(sql) LIMIT 1"
  }

  /// The text after `FROM` in a statement over all rows of the query.
  var source: SQL {
    let table = Row.table.name
    guard isPart else { return "\(tables)\(filter)" }
    return "(\(sql)) AS \(identifier: table)"
  }
}
