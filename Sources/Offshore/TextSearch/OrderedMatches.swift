import CSQLite

/// Finds the first rows of a search in an order of columns by reading rows in that order until enough match.
///
/// SQLite itself would look up and sort all rows that match, which takes seconds if a word is in every row. Reading
/// in order takes long if the matching rows are at the end. So it stops once it costs as much as sorting.
struct OrderedMatches<Row: Record> {
  private let query: Query<Row>
  private let match: TextMatch
  private let count: Int
  private let connection: Connection

  /// Matching rows that are read as numbers at the most before any row is.
  private let hitLimit: Int
  /// Rows that are asked about one by one before the numbers of all matching rows are read.
  private let probeLimit: Int

  init?(
    _ query: Query<Row>, _ reader: Reader, hitLimit: Int = 100_000, probeLimit: Int = 500
  ) {
    guard let match = query.match, !query.isRanked, let count = query.count, count > 0,
      query.skipped ?? 0 >= 0, query.key == nil
    else { return nil }
    (self.query, self.match, self.count) = (query, match, count)
    connection = reader.connection
    (self.hitLimit, self.probeLimit) = (hitLimit, probeLimit)
  }

  /// The rows, or `nil` if sorting all that match is better.
  func all() throws -> [Row]? {
    let needed = count.addingReportingOverflow(query.skipped ?? 0)
    guard !needed.overflow else { return nil }
    var hits = try numbers(limit: hitLimit + 1)
    let total = try connection.fetchOne(match.rowCount) { try $0.value(Int.self) } ?? 0
    let isWhole = hits.count <= hitLimit
    // About total / hits rows are read for each match, and a match is looked up and sorted for twice the time.
    guard hits.count > needed.partialValue,
      Double(hits.count) * Double(hits.count) * 2 > Double(total) * Double(needed.partialValue)
    else { return nil }
    let rows = statement
    guard try !rows.explain(Reader(connection)).contains("USE TEMP B-TREE") else { return nil }
    if !isWhole, !match.words.suitsProbes { hits = try numbers(limit: .max) }
    var isComplete = isWhole || !match.words.suitsProbes
    var seen = 0
    return try walk(rows, needed.partialValue) { number in
      seen += 1
      if !isComplete {
        if seen <= probeLimit {
          return try !connection.fetch(match.probe(number)) { _ in true }.isEmpty
        }
        hits = try numbers(limit: .max)
        isComplete = true
      }
      return seen > hits.count * 2 + probeLimit ? nil : hits.containsSorted(number)
    }
  }

  private func numbers(limit: Int) throws -> [Int64] {
    try connection.fetch(match.hits(limit: limit)) { row in
      defer { row.position += 1 }
      return sqlite3_column_int64(row.statement, row.position)
    }
  }

  /// Selects all rows in order, matching or not, each with its number in the index.
  private var statement: SQL {
    var query = query
    query.match = nil
    query.skipped = nil
    var sql: SQL =
      "SELECT \(columns: Row.self), \(match.rowNumber) FROM \(query.tables)\(query.filter)"
    sql.append(query.allTerms.sql)
    return sql
  }

  /// Reads rows until enough match.
  /// - Parameter isHit: whether a row matches, or `nil` to give up.
  private func walk(
    _ sql: SQL, _ needed: Int, _ isHit: (Int64) throws -> Bool?
  ) throws -> [Row]? {
    let (table, statement) = (Row.table, try connection.queryStatement(sql))
    try table.plan.checkFirstUse()
    return try connection.use(statement) {
      try statement.bind(sql.arguments)
      var reader = RowReader(statement.pointer)
      var (rows, found) = ([Row](), 0)
      while found < needed {
        let code = sqlite3_step(statement.pointer)
        if code == SQLITE_DONE { break }
        guard code == SQLITE_ROW else { throw connection.failure(code, statement, sql.arguments) }
        let number = sqlite3_column_int64(statement.pointer, Int32(table.columns.count))
        guard let isHit = try isHit(number) else { return nil }
        guard isHit else { continue }
        found += 1
        guard found > query.skipped ?? 0 else { continue }
        reader.position = 0
        rows.append(table.readOne(&reader))
        guard reader.failure == nil else {
          throw connection.readFailure(code, reader, table, statement, sql.arguments)
        }
      }
      return rows
    }
  }
}

extension [Int64] {
  /// Whether a sorted list has a number.
  fileprivate func containsSorted(_ number: Int64) -> Bool {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if self[middle] == number { return true }
      if self[middle] < number { low = middle + 1 } else { high = middle }
    }
    return false
  }
}
