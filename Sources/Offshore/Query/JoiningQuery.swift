import CSQLite

/// A row with the row of another table that it refers to.
public struct RowWithParent<Row: Sendable, Parent: Sendable>: Sendable {
  /// The row that refers.
  public let row: Row
  /// The row referred to.
  public let parent: Parent

  /// Puts a row and the one that it refers to together.
  public init(row: Row, parent: Parent) {
    self.row = row
    self.parent = parent
  }
}

extension RowWithParent: Equatable where Row: Equatable, Parent: Equatable {}

/// The rows of a query, each with the row of another table that it refers to.
///
/// Rows that refer to none are left out.
public struct JoiningQuery<Row: Record, Parent: Record>: Hashable, Sendable {
  /// The query whose clauses stand behind the joined tables; they may speak of both.
  private var rows: Query<Row>
  private let match: Result<ReferenceMatch<Row, Parent>, SQL.Problem>
}

extension Query {
  /// Adds to each row the row of another table that it refers to, in the same statement.
  ///
  /// ```swift
  /// Checklist.where { !$0.isDone }.joining(Charter.self)
  ///   .where { checklist, charter in charter.startDate > now }
  /// // SELECT "checklists"."id", …, "charters"."id", … FROM "checklists"
  /// // JOIN "charters" ON "checklists"."charterID" = "charters"."id" WHERE …
  /// ```
  /// Fetching throws ``DatabaseError`` with code `declaration` where no reference is declared, or
  /// several are, or where a table refers to itself.
  ///
  /// - Parameter property: the property whose column refers to the other table, where several do.
  public func joining<Parent: Record>(
    _ parent: Parent.Type, by property: PartialKeyPath<Row>? = nil
  ) -> JoiningQuery<Row, Parent> {
    JoiningQuery(self, by: property)
  }
}

extension JoiningQuery {
  fileprivate init(_ rows: Query<Row>, by property: PartialKeyPath<Row>?) {
    self.rows = rows
    guard Row.table.name != Parent.table.name else {
      let message =
        "“\(Row.table.name)” cannot be joined with “\(Parent.table.name)”, itself. Write the "
        + "statement in SQL, with a name for each of the two."
      match = .failure(SQL.Problem(code: .declaration, message: message))
      return
    }
    do {
      match = .success(try ReferenceMatch(by: property))
    } catch {
      match = .failure(error)
    }
  }

  /// Keeps the pairs that also meet a condition on both rows.
  public func `where`(
    _ condition: (Columns<Row>, Columns<Parent>) -> SQLExpression<Bool>
  ) -> Self {
    var copy = self
    copy.rows = rows.where { condition($0, Columns()) }
    return copy
  }

  /// Sorts by terms of both rows, after those already there.
  public func order(
    @OrderBuilder _ terms: (Columns<Row>, Columns<Parent>) -> [OrderTerm]
  ) -> Self {
    var copy = self
    copy.rows = rows.order { terms($0, Columns()) }
    return copy
  }

  /// Takes a number of pairs at the most.
  public func limit(_ count: Int) -> Self {
    var copy = self
    copy.rows = rows.limit(count)
    return copy
  }

  /// Leaves out a number of pairs from the start.
  public func offset(_ count: Int) -> Self {
    var copy = self
    copy.rows = rows.offset(count)
    return copy
  }

  /// The statement that fetches the pairs.
  public var sql: SQL {
    let columns = Row.table.fullNames + Parent.table.fullNames
    return "SELECT \(SQL(raw: columns.joined(separator: ", "))) FROM \(tables)\(rows.clauses)"
  }

  private var tables: SQL {
    switch match {
    case .failure(let problem): SQL(problem)
    case .success(let match):
      """
      \(identifier: Row.table.name) JOIN \(identifier: Parent.table.name) ON \(match.sql)
      """
    }
  }
}

extension JoiningQuery {
  /// The pairs, in the query's order.
  /// - Throws: ``DatabaseError`` as ``Query/all(_:)`` does.
  public func all(_ reader: Reader) throws -> [RowWithParent<Row, Parent>] {
    let row = Row.table
    let parent = Parent.table
    try row.plan.checkFirstUse()
    try parent.plan.checkFirstUse()
    return try reader.connection.fetch(sql) { reader in
      let value = row.readOne(&reader)
      let parentValue = parent.readOne(&reader)
      try reader.checkFit(row, parent)
      return RowWithParent(row: value, parent: parentValue)
    }
  }

  /// The first pair, or `nil` where there is none.
  /// - Throws: ``DatabaseError`` as ``Query/all(_:)`` does.
  public func one(_ reader: Reader) throws -> RowWithParent<Row, Parent>? {
    var first = self
    first.rows.count = min(rows.count ?? 1, 1)
    return try first.all(reader).first
  }

  /// How many pairs there are.
  ///
  /// `SELECT count(*) FROM …`
  /// - Throws: ``DatabaseError`` as ``Query/all(_:)`` does.
  public func count(_ reader: Reader) throws -> Int {
    let sql: SQL = "SELECT count(*) FROM (SELECT 1 FROM \(tables)\(rows.clauses))"
    return try reader.connection.fetchOne(sql) { try $0.value(Int.self) } ?? 0
  }
}

extension RowReader {
  /// - Throws: ``DatabaseError`` with code `invalidValue` that names the table and the column of a
  ///   value that does not fit, of two rows that were read one after the other.
  fileprivate mutating func checkFit<First, Second>(
    _ first: Table<First>, _ second: Table<Second>
  ) throws {
    guard let failure else { return }
    let isFirst = failure.index < Int32(first.columns.count)
    do {
      try checkFit()
    } catch var error as DatabaseError {
      error.table = isFirst ? first.name : second.name
      throw error
    }
  }
}

extension Table {
  /// The names of all columns with the table's.
  fileprivate var fullNames: [String] { columns.indices.map(fullName) }
}
