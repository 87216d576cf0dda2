extension Query {
  /// Continues after a row, in the query's order: the next page of a list.
  ///
  /// ```swift
  /// let newest = Charter.order { $0.startDate.descending }.limit(20)
  /// let first = try newest.all(reader)
  /// let second = try first.last.map { try newest.after($0).all(reader) }
  /// // WHERE ("startDate", "id") < (?, ?) ORDER BY "startDate" DESC, "id" DESC …
  /// ```
  ///
  /// Rows that are equal in the query's order are sorted by their primary key, in the direction of
  /// the last term, and NULL is a value like any other. So pages neither miss nor repeat a row.
  /// Unlike with an offset, this is true even while rows are inserted and deleted. If an index
  /// has the columns of the order and then the key, a late page is found as fast as an early one.
  ///
  /// The order must consist of columns, and the table must have a primary key; otherwise, fetching
  /// throws ``DatabaseError`` with code `invalidSQL` or `declaration`.
  public func after(_ row: Row) -> Self {
    var copy = self
    copy.boundary = [row]
    return copy
  }

  /// The terms of the order. For a part of the rows, they end with the primary key, unless one of
  /// them is unique.
  ///
  /// NB: The key has the direction of the last term, because an index is read in one direction.
  var allTerms: [OrderTerm] {
    let table = Row.table
    guard isPart, !terms.contains(where: table.isUnique) else { return terms }
    let keys = table.plan.keyIndexes.filter { index in
      !terms.contains { $0.column == table.columnName(index) }
    }
    let isDescending = terms.last?.isDescending ?? false
    return terms + keys.map { OrderTerm(table, $0, isDescending: isDescending) }
  }

  /// The condition that a row comes after the boundary.
  var boundaryCondition: SQLExpression<Bool>? {
    guard let boundary = boundary.first else { return nil }
    guard ranking == nil else {
      return Self.problem(
        .invalidSQL, "A row does not tell its rank. Continue a search by rank with offset(_:).")
    }
    guard !Row.table.plan.keyIndexes.isEmpty else {
      return Self.problem(
        .declaration,
        "“\(Row.table.name)” has no primary key to tell rows of equal order apart. "
          + "Mark its columns by primaryKey().")
    }
    if let condition = rowValueCondition(boundary) { return condition }
    var equal: SQLExpression<Bool>?
    var alternatives: [SQLExpression<Bool>] = []
    for term in allTerms {
      guard let value = term.value(in: boundary) else {
        if term.sql.problem != nil { return SQLExpression<Bool>(term.sql, isNullable: false) }
        return Self.problem(
          .invalidSQL,
          "“\(term.sql.text)” is no column, so a row does not tell where to continue. "
            + "Order by columns.")
      }
      if let after = term.isAfter(value) { alternatives.append(equal.map { $0 && after } ?? after) }
      let isEqual = term.equals(value)
      equal = equal.map { $0 && isEqual } ?? isEqual
    }
    guard let first = alternatives.first else {
      return SQLExpression<Bool>("FALSE", isNullable: false)
    }
    let condition = alternatives.dropFirst().reduce(first) { $0 || $1 }
    guard let start = start(boundary), alternatives.count > 1 else { return condition }
    return start && condition
  }

  /// Returns the condition that a row comes after the boundary as one comparison, by which SQLite
  /// searches an index.
  ///
  /// It is `("a", "b") > (?, ?)`, or `nil` if the terms have two directions or can be NULL.
  private func rowValueCondition(_ boundary: Row) -> SQLExpression<Bool>? {
    let terms = allTerms
    let values = terms.compactMap { $0.value(in: boundary) }
    guard terms.count > 1, values.count == terms.count, let first = terms.first,
      terms.allSatisfy({ $0.isDescending == first.isDescending && !$0.isNullable })
    else { return nil }
    let names = terms.map(\.sql).list
    let sign = SQL(raw: first.isDescending ? "<" : ">")
    return SQLExpression<Bool>("(\(names)) \(sign) (\(values.list))", isNullable: false)
  }

  /// Returns a condition on the first term alone that every row after the boundary satisfies. An
  /// index on that term can start there.
  private func start(_ boundary: Row) -> SQLExpression<Bool>? {
    guard let term = allTerms.first, let value = term.value(in: boundary) else { return nil }
    // NULL sorts first: in a descending order it is after all values, in an ascending one before
    // them.
    guard value.arguments != [.null], !(term.isDescending && term.isNullable) else { return nil }
    let sign = SQL(raw: term.isDescending ? "<=" : ">=")
    return SQLExpression<Bool>("\(term.sql) \(sign) \(value)", isNullable: false)
  }

  private static func problem(
    _ code: DatabaseError.Code, _ message: String
  ) -> SQLExpression<Bool> {
    SQLExpression<Bool>(SQL(problem: code, message), isNullable: false)
  }
}

extension OrderTerm {
  /// Sorts by a column of a table.
  fileprivate init<Row>(_ table: Table<Row>, _ index: Int, isDescending: Bool) {
    sql = SQL(raw: table.fullName(of: index))
    self.isDescending = isDescending
    isNullable = table.columns[index].isNullable
    column = table.columnName(index)
  }

  /// Returns a `?` with the value that a row has for the term; `nil` if the term is not a column of
  /// its table.
  fileprivate func value<Row: Record>(in row: Row) -> SQL? {
    let table = Row.table
    let index = table.columns.indices.first { table.columnName($0) == column }
    return index.map { table.plan.lookups[$0].bind(row) }
  }

  /// Returns the condition that a row's value comes after another in the order; `nil` if no value
  /// can.
  fileprivate func isAfter(_ value: SQL) -> SQLExpression<Bool>? {
    if value.arguments == [.null] {
      return isDescending ? nil : SQLExpression<Bool>("\(sql) IS NOT NULL", isNullable: false)
    }
    guard isDescending else { return SQLExpression<Bool>("\(sql) > \(value)", isNullable: false) }
    let isLess = SQLExpression<Bool>("\(sql) < \(value)", isNullable: false)
    guard isNullable else { return isLess }
    return isLess || SQLExpression<Bool>("\(sql) IS NULL", isNullable: false)
  }

  fileprivate func equals(_ value: SQL) -> SQLExpression<Bool> {
    value.arguments == [.null]
      ? SQLExpression<Bool>("\(sql) IS NULL", isNullable: false)
      : SQLExpression<Bool>("\(sql) = \(value)", isNullable: false)
  }
}

extension [SQL] {
  /// The fragments, separated by commas.
  fileprivate var list: SQL {
    enumerated().reduce(into: SQL(raw: "")) { list, entry in
      list.append(raw: entry.offset == 0 ? "" : ", ")
      list.append(entry.element)
    }
  }
}

extension Table {
  /// Returns whether a term has different values in all rows: a unique column that is never NULL.
  fileprivate func isUnique(_ term: OrderTerm) -> Bool {
    columns.indices.contains { index in
      columnName(index) == term.column && !columns[index].isNullable
        && (columns[index].isUnique || plan.keyIndexes == [index])
    }
  }

  /// Returns the column at an index with its table's name: `"charters"."id"`.
  func fullName(of index: Int) -> String {
    name.quotedIdentifier + "." + columns[index].name.quotedIdentifier
  }

  func columnName(_ index: Int) -> ColumnName {
    ColumnName(table: name, column: columns[index].name)
  }
}
