import CSQLite

extension Database {
  /// Inserts the rows of a file into a table: all of them or none.
  ///
  /// ```swift
  /// try await database.importRows(of: Charter.self, from: path, as: .csv, existing: .replace)
  /// ```
  /// The header of a CSV file, or each object of JSON Lines, names exactly the columns of the
  /// table, in any order. Values are stored unchanged if the codecs of their columns can read them;
  /// only UUIDs as text are converted to uppercase. One row is in memory at a time. Other writes
  /// wait until the end.
  ///
  /// - Parameters:
  ///   - type: The record type of the table.
  ///   - path: The path of the file, in UTF-8 with or without a byte order mark.
  ///   - format: The format of the file.
  ///   - existing: The treatment of rows whose key already exists in the table: by `.refuse`, the
  ///     import fails with code `constraint`; by `.replace`, the values of the existing row are
  ///     replaced, and rows that refer to it stay.
  /// - Returns: The number of rows.
  /// - Throws: `CancellationError`; ``DatabaseError``: `cannotOpen` if the file cannot be opened;
  ///   `fileExists` if it is the file of a database in use; `invalidValue` with line, column, expected
  ///   and found value if the file or a row does not fit; `constraint` with the line of a row that
  ///   a constraint of the table refuses; `declaration` if rows are to be replaced in a table
  ///   without a primary key.
  @discardableResult
  public func importRows<Row: Record>(
    of type: Row.Type, from path: String, as format: TableFormat, existing: ExistingRows = .refuse
  ) async throws -> Int {
    try await write { writer in
      do {
        return try TableImport<Row>(writer.connection, path, format, existing).run()
      } catch var error as DatabaseError {
        error.table = error.table ?? Row.table.name
        error.message += " Nothing was imported."
        throw error
      }
    }
  }
}

/// One import of a file into a table.
private final class TableImport<Row: Record> {
  /// The number of rows between two checks for a cancellation.
  private static var sliceCount: Int { 512 }

  private let connection: Connection
  private let columns: [TransferColumn]
  private let sql: String
  private let input: RowInput
  private var count = 0
  private var isOver = false

  init(
    _ connection: Connection, _ path: String, _ format: TableFormat, _ existing: ExistingRows
  ) throws {
    self.connection = connection
    let table = Row.table
    try table.plan.checkFirstUse()
    try connection.requireNoDatabase(at: path)
    if existing == .replace { try connection.requireKey(table) }
    columns = TransferColumn.all(of: table)
    input = try RowInput(path, format, columns)
    let insert = existing == .replace ? table.plan.sql.save : table.plan.sql.insert
    // The statement returns the stored row, so that the codecs can check it.
    sql = insert + " RETURNING " + table.plan.sql.columnList
  }

  func run() throws -> Int {
    let statement = try connection.statement(sql).0
    while !isOver {
      try connection.use(statement) { try insertSlice(statement) }
      connection.transaction.forgetRowsOfLastChange()
    }
    return count
  }

  private func insertSlice(_ statement: Statement) throws {
    for _ in 0..<Self.sliceCount {
      guard let values = try input.next() else {
        isOver = true
        return
      }
      try insert(values, statement)
      count += 1
    }
  }

  private func insert(_ values: [ExactValue], _ statement: Statement) throws {
    var writer = RowWriter(statement.pointer)
    for (index, value) in values.enumerated() { value.bind(&writer, Int32(index + 1)) }
    if let failure = writer.failure {
      throw misfit(failure.index, failure.expected, failure.found)
    }
    defer { statement.reset() }
    var code = sqlite3_step(statement.pointer)
    // If the table has only key columns, an existing row is not changed, and not returned.
    if code == SQLITE_ROW {
      var reader = RowReader(statement.pointer)
      _ = Row.table.readOne(&reader)
      if let failure = reader.failure {
        throw misfit(failure.index, failure.expected, failure.found)
      }
      code = sqlite3_step(statement.pointer)
    }
    guard code == SQLITE_DONE else {
      var error = connection.failure(code, statement)
      error.message = "Line \(input.line): \(error.message)"
      throw error
    }
  }

  private func misfit(_ index: Int32, _ expected: String, _ found: String) -> DatabaseError {
    input.place(columns[Int(index)]).error(TransferMisfit(expected: expected, found: found))
  }
}
