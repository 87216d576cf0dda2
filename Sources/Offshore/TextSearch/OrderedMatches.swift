import CSQLite

/// A search for the first matching rows in an order of columns, which reads rows in that order
/// until enough match.
///
/// SQLite itself would find and sort all matching rows, which takes seconds if a word is in every
/// row or many words have the searched beginning. Reading in order is slow if few rows match, or
/// only the last ones. So if few of the first rows match, the index is queried for the number of
/// matching rows, and reading stops once it costs as much as sorting. It is queried only for the words
/// that are rare in the rows read so far.
struct OrderedMatches<Row: Record> {
  private let query: Query<Row>
  private let match: TextMatch
  private let finder: WordFinder
  private let needed: Int
  private let connection: Connection

  /// The number of rows that are read before the frequency of matches is judged.
  private let trialCount: Int
  /// The maximum number of rows that are read without querying the index.
  private let rowLimit: Int

  init?(_ query: Query<Row>, _ reader: Reader, trialCount: Int = 200, rowLimit: Int = 4_000) {
    guard let match = query.match, let finder = match.finder, !query.isRanked,
      let count = query.count, count > 0, query.skipped ?? 0 >= 0, query.key == nil,
      reader.connection.opening == nil
    else { return nil }
    let needed = count.addingReportingOverflow(query.skipped ?? 0)
    guard !needed.overflow else { return nil }
    (self.query, self.match, self.finder) = (query, match, finder)
    self.needed = needed.partialValue
    connection = reader.connection
    (self.trialCount, self.rowLimit) = (trialCount, rowLimit)
  }

  /// Returns the rows, or `nil` if sorting all matching rows is better.
  /// - Throws: the error of the first row that cannot be read; other `DatabaseError`s.
  func all() throws -> [Row]? {
    guard let found = try readable() else { return nil }
    if let error = found.unreadable.first { throw error }
    return found.rows
  }

  /// Returns the readable rows and the errors of the others, or `nil` if sorting all matching rows is
  /// better.
  func readable() throws -> ReadableRows<Row>? {
    // The index is not needed to read the texts of the rows, but its absence is an error.
    _ = try connection.queryStatement(match.hitCount)
    let sql = statement(for: nil)
    // A sort among rows that are equal in the first terms is accepted: rows still arrive in order.
    guard try !sql.explain(Reader(connection)).contains("USE TEMP B-TREE FOR ORDER BY") else {
      return nil
    }
    try Row.table.plan.checkFirstUse()
    return try run(sql) { statement in
      let meter = WorkMeter(connection, limit: rowLimit * Self.work)
      defer { meter.stop() }
      return try readInOrder(statement, sql, meter)
    }
  }

  /// The number of instructions of SQLite's virtual machine that one row may cost.
  private static var work: Int { 50 }

  /// Returns a query for rows in order, each with its indexed texts.
  /// - Parameter match: the search that the rows match; `nil` for all rows, matching or not.
  private func statement(for match: TextMatch?) -> SQL {
    var query = query
    query.match = match
    query.skipped = nil
    let texts = self.match.columns.joined(separator: ", ")
    var sql: SQL =
      "SELECT \(columns: Row.self), \(SQL(raw: texts)) FROM \(query.tables)\(query.filter)"
    sql.append(query.allTerms.sql)
    return sql
  }

  private func run<Result>(_ sql: SQL, _ body: (Statement) throws -> Result) throws -> Result {
    let statement = try connection.queryStatement(sql)
    return try connection.use(statement) {
      try statement.bind(sql.arguments)
      return try body(statement)
    }
  }

  /// Reads rows until enough match.
  /// - Returns: The rows, or `nil` to give up.
  private func readInOrder(
    _ statement: Statement, _ sql: SQL, _ meter: WorkMeter
  ) throws -> ReadableRows<Row>? {
    var (rows, seen) = (FoundRows<Row>(statement, sql, connection), 0)
    var misses = WordFinder.Misses(finder)
    var limit: Int?
    while rows.found < needed {
      if seen >= limit ?? .max { return nil }
      if limit == nil, seen >= trialCount,
        Double(rows.found) * Double(rowLimit) < Double(needed) * Double(seen)
      {
        let rare = match.replacingWords(by: misses.rareWords(of: match.words))
        guard let hits = try meter.pause({ try hits(of: rare, after: seen, rows.found) }) else {
          guard rare.words != match.words else { return nil }
          return try meter.pause { try readHits(of: rare) }
        }
        if hits <= rows.found { break }
        meter.limit += hits * Self.work
        limit = seen + hits
      }
      let code = sqlite3_step(statement.pointer)
      if code == SQLITE_DONE { break }
      if meter.isExceeded { return nil }
      guard code == SQLITE_ROW else { throw connection.failure(code, statement, sql.arguments) }
      seen += 1
      let missing = missingWords(in: statement)
      misses.count(missing)
      if missing.isNone { try rows.add(skipping: query.skipped) }
    }
    return rows.rows
  }

  private func missingWords(in statement: Statement) -> WordFinder.Missing {
    finder.missing(
      in: statement.pointer, from: Row.table.columns.count, count: match.columns.count)
  }

  /// Returns an upper bound of the number of matching rows, or `nil` if sorting them costs less than
  /// reading on.
  private func hits(of match: TextMatch, after seen: Int, _ found: Int) throws -> Int? {
    let hits = try connection.fetchOne(match.hitCount) { try $0.value(Int.self) } ?? 0
    let total = try connection.fetchOne(match.rowCount) { try $0.value(Int.self) } ?? 0
    guard hits > found else { return hits }
    return Double(total) * Double(needed) / Double(hits) <= Double(seen + hits) ? hits : nil
  }

  /// Returns the rows among the sorted hits of the rare words that match all words.
  ///
  /// The index would first list each row with a frequent word, which takes longer than comparing the texts of
  /// the hits.
  private func readHits(of rare: TextMatch) throws -> ReadableRows<Row> {
    let sql = statement(for: rare)
    return try run(sql) { statement in
      var rows = FoundRows<Row>(statement, sql, connection)
      while rows.found < needed {
        let code = sqlite3_step(statement.pointer)
        if code == SQLITE_DONE { break }
        guard code == SQLITE_ROW else { throw connection.failure(code, statement, sql.arguments) }
        if missingWords(in: statement).isNone { try rows.add(skipping: query.skipped) }
      }
      return rows.rows
    }
  }
}

/// The matching rows of a running statement.
private struct FoundRows<Row: Record> {
  private(set) var rows = ReadableRows<Row>()
  /// The number of matching rows, with those that were skipped.
  private(set) var found = 0
  private var reader: RowReader
  private let statement: Statement
  private let sql: SQL
  private let connection: Connection

  init(_ statement: Statement, _ sql: SQL, _ connection: Connection) {
    (self.statement, self.sql, self.connection) = (statement, sql, connection)
    reader = RowReader(statement.pointer)
  }

  /// Reads the current row of the statement, unless it is one of the first rows, which are skipped.
  mutating func add(skipping skipped: Int?) throws {
    found += 1
    guard found > skipped ?? 0 else { return }
    reader.position = 0
    let row = Row.table.readOne(&reader)
    guard reader.failure != nil else { return rows.rows.append(row) }
    let error = connection.readFailure(SQLITE_ROW, reader, Row.table, statement, sql.arguments)
    guard error.isUnreadableRow else { throw error }
    rows.unreadable.append(error)
    reader.failure = nil
  }
}

/// Counts the instructions of SQLite's virtual machine, and interrupts a statement that exceeds a
/// limit.
///
/// A single step can run long if few rows satisfy a condition, or many rows are equal in an order.
private final class WorkMeter {
  /// The number of allowed instructions.
  var limit: Int
  /// Whether a statement was interrupted.
  private(set) var isExceeded = false
  private var count = 0
  private let connection: Connection

  private static let step = 1_000

  init(_ connection: Connection, limit: Int) {
    (self.connection, self.limit) = (connection, limit)
    start()
  }

  private func start() {
    sqlite3_progress_handler(
      connection.handle, Int32(Self.step),
      { context in
        guard let context else { return 0 }
        return Unmanaged<WorkMeter>.fromOpaque(context).takeUnretainedValue().mustStop() ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  private func mustStop() -> Bool {
    count += Self.step
    isExceeded = count > limit
    return isExceeded
  }

  /// Stops counting.
  func stop() { sqlite3_progress_handler(connection.handle, 0, nil, nil) }

  /// Runs a closure whose statements are not counted.
  func pause<Result>(_ body: () throws -> Result) rethrows -> Result {
    stop()
    defer { start() }
    return try body()
  }
}
