import CSQLite
import Foundation

extension Database {
  /// Writes the rows of a query to a file, in their state at this moment, with one row in memory at
  /// a time.
  ///
  /// ```swift
  /// try await database.exportRows(of: Charter.order { $0.startDate }, to: path, as: .csv)
  /// ```
  /// ``importRows(of:from:as:existing:)`` creates the same rows from the file. As with a backup,
  /// the file is renamed to the path once it is complete.
  ///
  /// `.jsonLines` writes a JSON object on a separate line for each row, with the names of the
  /// columns as keys (<https://jsonlines.org>): integers with all digits, reals with a point or an
  /// exponent, BLOBs in base64. Infinity is `{"real":"Infinity"}`. If the codec of a column accepts
  /// values of another kind than the column's, these are marked: a BLOB in a column of numbers or
  /// texts as `{"base64":"…"}`, a text in a column of numbers or BLOBs as `{"text":"…"}`.
  ///
  /// `.csv` writes a header and comma-separated values (<https://www.rfc-editor.org/rfc/rfc4180>):
  /// NULL is an empty value, an empty text is `""`, and BLOBs are in base64. It has no such
  /// marks, so each value must have the kind of its column: number, text or BLOB. Otherwise the
  /// export throws `invalidValue`.
  ///
  /// - Parameters:
  ///   - query: The rows; `Charter.all` for those of a whole table.
  ///   - path: The path of the new file.
  ///   - format: The format of the file.
  ///   - replacesExisting: Whether to replace a file at the path.
  /// - Returns: The number of rows.
  /// - Throws: `CancellationError`; ``DatabaseError``: `fileExists` if the file exists and is not
  ///   to be replaced, or belongs to a database in use; `cannotOpen`, `diskFull` or `inputOutput`
  ///   if it cannot be written; `invalidValue` if the codec of a column cannot read a value, if a
  ///   row has more than 64 MiB, or if CSV cannot express a value.
  @discardableResult
  public func exportRows<Row: Record>(
    of query: Query<Row>, to path: String, as format: TableFormat, replacesExisting: Bool = false
  ) async throws -> Int {
    try await read { reader in
      try reader.connection.requireNoDatabase(at: path)
      let file = try ReplacementFile(path, replacesExisting: replacesExisting)
      let count = try reader.connection.export(query, to: file, format)
      try file.finish()
      return count
    }
  }
}

extension Connection {
  /// The number of bytes that are collected before they are written.
  private static var exportSlice: Int { 64 << 10 }

  /// Writes the rows of a query to a file.
  /// - Returns: The number of rows.
  fileprivate func export<Row: Record>(
    _ query: Query<Row>, to file: ReplacementFile, _ format: TableFormat
  ) throws -> Int {
    let table = Row.table
    try table.plan.checkFirstUse()
    let statement = try queryStatement(query.sql)
    var text = RowText(format, TransferColumn.all(of: table))
    var count = 0
    try use(statement) {
      try statement.bind(query.sql.arguments)
      // The query selects all columns in declared order.
      var row = RowReader(statement.pointer)
      while true {
        let code = sqlite3_step(statement.pointer)
        if code == SQLITE_DONE { break }
        guard code == SQLITE_ROW else { throw failure(code, statement, query.sql.arguments) }
        guard row.storedLength(table.columns.count) <= TransferLimit.rowLength else {
          throw tooLong(row, table)
        }
        row.position = 0
        _ = table.readOne(&row)
        guard row.failure == nil else {
          throw readFailure(code, row, table, statement, query.sql.arguments)
        }
        try append(row, to: &text, table)
        count += 1
        if text.bytes.count >= Self.exportSlice { try flush(&text, to: file) }
      }
    }
    try flush(&text, to: file)
    return count
  }

  private func append<Row>(
    _ row: RowReader, to text: inout RowText, _ table: Table<Row>
  ) throws {
    let start = text.bytes.count
    if let index = text.append(row) {
      let name = table.columns[index].name
      var error = DatabaseError(
        .invalidValue,
        "Column “\(name)” of “\(table.name)” holds \(row.describe(Int32(index))), which the format "
          + "cannot express there. Export it as JSON Lines, or correct the row.")
      error.table = table.name
      error.column = name
      error.rowKey = table.plan.keyIndexes.map { row.storedValue(of: $0) }
      throw error
    }
    guard text.bytes.count - start <= TransferLimit.rowLength else { throw tooLong(row, table) }
  }

  private func tooLong<Row>(_ row: RowReader, _ table: Table<Row>) -> DatabaseError {
    var error = DatabaseError.rowTooLong(
      "A row of “\(table.name)”", "Copy the file by a backup instead.")
    error.table = table.name
    error.rowKey = table.plan.keyIndexes.map { row.storedValue(of: $0) }
    return error
  }

  private func flush(_ text: inout RowText, to file: ReplacementFile) throws {
    try text.bytes.withUnsafeBytes { try file.write($0) }
    text.removeAll()
    try checkCancellation()
  }
}

extension RowReader {
  /// Returns the number of bytes in the texts and BLOBs of the first columns.
  fileprivate func storedLength(_ count: Int) -> Int {
    (0..<Int32(count)).reduce(0) { length, index in
      let type = storageClass(index)
      guard type == SQLITE_TEXT || type == SQLITE_BLOB else { return length }
      return length + Int(sqlite3_column_bytes(statement, index))
    }
  }
}
