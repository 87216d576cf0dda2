import CSQLite

/// A prepared statement of one connection.
final class Statement {
  let pointer: OpaquePointer
  let sql: String
  /// The data that the statement reads.
  let region: Region
  /// The changes that the statement may make.
  let effect: Effect
  /// Whether the statement changes nothing in the file.
  let isReadOnly: Bool
  /// Whether the statement is being stepped.
  var isBusy = false

  /// The number of the table declaration that has the same columns as the result, in the same
  /// order; `nil` if that is not known.
  var columnsMatch: Int?

  private let preparations: Int32

  /// Wraps a newly prepared statement, and owns it from then on.
  init(_ pointer: OpaquePointer, sql: String, region: Region, effect: Effect) {
    self.pointer = pointer
    self.sql = sql
    self.region = region
    self.effect = effect
    isReadOnly = sqlite3_stmt_readonly(pointer) != 0
    preparations = sqlite3_stmt_status(pointer, SQLITE_STMTSTATUS_REPREPARE, 0)
  }

  deinit { sqlite3_finalize(pointer) }

  /// Whether SQLite has recompiled the statement after a change of the schema, so that ``region``
  /// and ``effect`` may be outdated.
  var isStale: Bool {
    sqlite3_stmt_status(pointer, SQLITE_STMTSTATUS_REPREPARE, 0) != preparations
  }

  /// Returns whether the result is known to have the columns of a table declaration, in order.
  func hasColumns(of plan: Int) -> Bool { columnsMatch == plan }

  /// Ends the execution, so that the statement can run again. Its values stay bound.
  func reset() { sqlite3_reset(pointer) }

  /// Releases the bound values.
  func unbind() { sqlite3_clear_bindings(pointer) }

  /// Binds values to the parameters in order.
  /// - Throws: ``DatabaseError``: `invalidSQL` if the numbers of values and parameters differ,
  ///   `invalidValue` if a value cannot be stored.
  func bind(_ arguments: [SQLValue]) throws {
    let count = Int(sqlite3_bind_parameter_count(pointer))
    guard count == arguments.count else {
      var error = DatabaseError(
        .invalidSQL, "The statement has \(count) parameters but \(arguments.count) values.")
      error.sql = sql
      throw error
    }
    var writer = RowWriter(pointer)
    for (index, argument) in arguments.enumerated() {
      argument.bind(&writer, Int32(index + 1))
    }
    if let failure = writer.failure { throw invalidArgument(failure, arguments) }
  }

  private func invalidArgument(_ failure: ColumnFailure, _ arguments: [SQLValue]) -> DatabaseError {
    var error = DatabaseError(
      .invalidValue,
      "Value \(failure.index + 1) of the statement cannot be stored: expected \(failure.expected).")
    error.detail = failure.detail
    error.sql = sql
    error.arguments = arguments
    return error
  }

  /// Checks the number of columns in the result.
  /// - Throws: ``DatabaseError`` with code `invalidSQL` if it differs from the expected one.
  func requireColumns(_ expected: Int) throws {
    let count = Int(sqlite3_column_count(pointer))
    guard count != expected else { return }
    var error = DatabaseError(
      .invalidSQL,
      "The result has \(count) columns where \(expected) are asked for. Select as many as there "
        + "are types.")
    error.sql = sql
    throw error
  }

  /// The names of the result's columns.
  var columnNames: [String] {
    (0..<sqlite3_column_count(pointer)).map {
      sqlite3_column_name(pointer, $0).map { String(cString: $0) } ?? ""
    }
  }
}

extension Connection {
  /// Runs one statement, or several without values, to completion.
  /// - Returns: The number of rows that the last statement changed.
  /// - Throws: ``DatabaseError``.
  @discardableResult
  package func run(_ sql: SQL) throws -> Int {
    try sql.check()
    var rest = sql.text
    var changesBefore: Int64 = 0
    while true {
      let (statement, tail) = try statement(rest)
      changesBefore = sqlite3_total_changes64(handle)
      try use(statement) {
        try statement.bind(sql.arguments)
        while true {
          let code = sqlite3_step(statement.pointer)
          if code == SQLITE_DONE { break }
          guard code == SQLITE_ROW else { throw failure(code, statement, sql.arguments) }
        }
      }
      guard let tail else { break }
      guard sql.arguments.isEmpty else {
        throw DatabaseError(.invalidSQL, "Several statements cannot share values. Run one by one.")
      }
      rest = tail
    }
    // After a statement of another kind, SQLite still reports the rows of the last INSERT, UPDATE
    // or DELETE.
    guard sqlite3_total_changes64(handle) > changesBefore else { return 0 }
    return Int(sqlite3_changes64(handle))
  }

  /// Returns the first statement of an SQL text, cached or newly prepared, and the text after its
  /// semicolon.
  func statement(_ sql: String) throws -> (Statement, tail: String?) {
    if let statement = cache.statement(for: sql) { return (statement, nil) }
    let (statement, tail) = try prepare(sql)
    // A statement that was prepared outside a closure may be forbidden inside one.
    if tail == nil, authorizer.isGuarding { cache.insert(statement) }
    return (statement, tail)
  }

  /// Runs a closure that steps a statement: refuses writes in a read, checks for cancellation, and
  /// records the statement's changes afterwards.
  func use<Result>(_ statement: Statement, _ body: () throws -> Result) throws -> Result {
    if !changedTextQueues.isEmpty, TextIndexNames.isRead(by: statement) {
      try TextIndexUpkeep(self).flush()
    }
    if statement.isReadOnly {
      try startReading(statement)
      defer { endReading(statement) }
      return try body()
    }
    try checkCancellation()
    guard transaction.mode != .read else {
      var error = DatabaseError(.readOnly, "A read cannot change the database. Use a write.")
      error.sql = statement.sql
      throw error
    }
    if transaction.mode == .write { try requireTransaction() }
    return try recordingChanges(of: statement, body)
  }

  /// Begins the steps of a read-only statement.
  /// - Throws: `CancellationError` if the task of the read or write was cancelled.
  func startReading(_ statement: Statement) throws {
    try checkCancellation()
    recordedRegion?.formUnion(statement.region)
    statement.isBusy = true
  }

  /// Ends the steps of a read-only statement.
  func endReading(_ statement: Statement) {
    #if DEBUG
      reportScan(of: statement)
    #endif
    statement.reset()
    statement.isBusy = false
    guard statement.isStale else { return }
    forget(statement)
    if recordedRegion != nil, let fresh = try? prepare(statement.sql).0 {
      recordedRegion?.formUnion(fresh.region)
    }
  }

  /// Throws an error if the task of the read or write was cancelled.
  /// - Throws: `CancellationError`.
  func checkCancellation() throws {
    if let cancellation, cancellation.isSet { throw CancellationError() }
  }

  /// The schema version, which SQLite raises with each change of the schema; -1 if it cannot be
  /// read.
  var schemaVersion: Int64 {
    if versionQuery == nil {
      sqlite3_prepare_v3(
        handle, "PRAGMA schema_version", -1, UInt32(SQLITE_PREPARE_PERSISTENT), &versionQuery, nil)
    }
    guard let versionQuery else { return -1 }
    defer { sqlite3_reset(versionQuery) }
    return sqlite3_step(versionQuery) == SQLITE_ROW ? sqlite3_column_int64(versionQuery, 0) : -1
  }

  /// Removes a statement that SQLite has recompiled from the caches, so that it is analyzed again.
  private func forget(_ statement: Statement) {
    cache.remove(statement)
    repeated.remove(statement)
  }

  private func recordingChanges<Result>(
    of statement: Statement, _ body: () throws -> Result
  ) throws -> Result {
    let effect = statement.effect
    let changesBefore = sqlite3_total_changes64(handle)
    let versionBefore = effect.changesSchema ? schemaVersion : 0
    if effect.namesRows { startNamingRows() }
    statement.isBusy = true
    defer {
      statement.reset()
      // A large value would be held until the next use of the statement.
      statement.unbind()
      statement.isBusy = false
      if effect.namesRows { sqlite3_update_hook(handle, nil, nil) }
      let count = sqlite3_total_changes64(handle) - changesBefore
      if effect.changesSchema || statement.isStale {
        recordChange(of: statement, count: count, versionBefore: versionBefore)
      } else if count > 0 {
        record(effect, count: count, isFollowed: effect.namesRows)
      }
    }
    return try body()
  }

  private func record(_ effect: Effect, count: Int64, isFollowed: Bool) {
    if !effect.textQueues.isEmpty { changedTextQueues.formUnion(effect.textQueues) }
    transaction.add(effect, count: count, isFollowed: isFollowed)
  }

  /// Records the changes of a statement that may have changed the schema, or that SQLite has
  /// recompiled.
  private func recordChange(of statement: Statement, count: Int64, versionBefore: Int64) {
    var effect = statement.effect
    if effect.changesSchema { schemaAnswers.removeAll() }
    if statement.isStale {
      forget(statement)
      if let fresh = try? prepare(statement.sql).0 { effect = fresh.effect }
    }
    let changesSchema = effect.changesSchema && schemaVersion != versionBefore
    if changesSchema {
      cache.removeAll()
      repeated.removeAll()
    }
    guard count > 0 || changesSchema else { return }
    record(effect, count: count, isFollowed: statement.effect.namesRows)
  }

  // MARK: - Preparing

  /// Compiles the first statement of a text, and collects its reads and changes.
  /// - Returns: The statement and the text after its semicolon.
  /// - Throws: ``DatabaseError``, with code `invalidSQL` if the text has no statement or a NUL
  ///   character.
  func prepare(_ sql: String) throws -> (Statement, tail: String?) {
    guard isOpen else { throw DatabaseError.closed }
    if let refusal { throw refusal }
    guard !sql.utf8.contains(0) else {
      throw DatabaseError(
        .invalidSQL, "The statement holds a NUL character, where SQLite would end it. Bind values.")
    }
    var pointer: OpaquePointer?
    var tail: String?
    var (region, effect) = try authorizer.collect(
      hidesRows: { hidesRows(sql, $0) },
      prepare: {
        try sql.withCString { start in
          var rest: UnsafePointer<CChar>?
          let code = sqlite3_prepare_v3(
            handle, start, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &pointer, &rest)
          guard code == SQLITE_OK else { throw refusedError(code, sql) }
          tail = rest.flatMap(Self.meaningfulTail)
        }
      })
    guard let pointer else {
      throw DatabaseError(.invalidSQL, "The statement is empty.")
    }
    if sqlite3_stmt_readonly(pointer) != 0 { addSources(to: &region) }
    return (Statement(pointer, sql: sql, region: region, effect: effect), tail)
  }

  private func refusedError(_ code: Int32, _ sql: String) -> DatabaseError {
    var error = failure(code, sql)
    if error.code == .transaction, let refusal = authorizer.refusal {
      error.message = refusal.message
    }
    return error
  }

  /// Returns the text after the first statement, or `nil` if it is only whitespace and comments.
  private static func meaningfulTail(_ rest: UnsafePointer<CChar>) -> String? {
    let tail = String(cString: rest)
    return SQLTokens.isBlank(tail) ? nil : tail
  }

  // MARK: - Changed rows

  private func startNamingRows() {
    transaction.touched.removeAll()
    sqlite3_update_hook(
      handle,
      { context, operation, _, table, rowID in
        guard let context, let table else { return }
        Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue()
          .transaction.touched.add(operation, table, rowID)
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  // MARK: - Errors

  /// Returns the error for a result code of a step.
  func failure(
    _ code: Int32, _ statement: Statement, _ arguments: [SQLValue] = []
  ) -> DatabaseError {
    var error = failure(code, statement.sql)
    error.arguments = arguments
    return error
  }

  private func failure(_ code: Int32, _ sql: String) -> DatabaseError {
    let error = DatabaseError.sqlite(code, handle, sql: sql)
    guard untouchedFile != nil, error.code == .readOnly else { return error }
    return UntouchedFile.refusal(of: error)
  }
}
