/// The rows of a file, as values of a table's columns.
struct RowInput {
  private enum Source {
    case csv(CSVInput, fileColumns: [Int])
    case jsonLines(JSONLinesInput)
  }

  private let columns: [TransferColumn]
  private let indexes: [String: Int]
  private let source: Source

  /// Opens a file and reads its header.
  /// - Throws: ``DatabaseError``: `cannotOpen` if the file cannot be opened, `invalidValue` if the
  ///   header does not fit the columns.
  init(_ path: String, _ format: TableFormat, _ columns: [TransferColumn]) throws {
    self.columns = columns
    indexes = Dictionary(
      columns.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    let input = try ByteInput(path)
    switch format {
    case .jsonLines: source = .jsonLines(JSONLinesInput(input))
    case .csv:
      let records = CSVInput(input)
      let fileColumns = try Self.readHeader(records, columns, indexes)
      source = .csv(records, fileColumns: fileColumns)
    }
  }

  /// The line on which the current row begins, from 1.
  var line: Int {
    switch source {
    case .csv(let records, _): records.line
    case .jsonLines(let lines): lines.line
    }
  }

  /// Reads the values of the next row, in the order of the columns.
  ///
  /// - Returns: The values, or `nil` at the end of the file.
  /// - Throws: ``DatabaseError`` with code `invalidValue` that names line and column.
  func next() throws -> [ExactValue]? {
    let values: [ExactValue]
    switch source {
    case .csv(let records, let fileColumns):
      repeat {
        guard try records.readRecord(limit: fileColumns.count) else { return nil }
      } while records.isBlank && columns.count > 1
      values = try self.values(of: records, fileColumns)
    case .jsonLines(let lines):
      guard try lines.readLine() else { return nil }
      values = try lines.values(of: columns, indexes)
    }
    for (column, value) in zip(columns, values) where value == .null && !column.isNullable {
      throw place(column).error(TransferMisfit(expected: "a value", found: "NULL"))
    }
    return values
  }

  func place(_ column: TransferColumn) -> ImportPlace {
    ImportPlace(line: line, column: column.name)
  }

  // MARK: - CSV

  /// The maximum number of columns that a table can have (<https://sqlite.org/limits.html>).
  private static var columnLimit: Int { 32_767 }

  /// Reads the header.
  /// - Returns: The index of the column for each value of a record.
  private static func readHeader(
    _ records: CSVInput, _ columns: [TransferColumn], _ indexes: [String: Int]
  ) throws -> [Int] {
    guard try records.readRecord(limit: columnLimit) else {
      throw DatabaseError(
        .invalidValue, "The file is empty. Its first line must name the columns.")
    }
    var found: [Int] = []
    for field in records.fields {
      let name = String(decoding: records.bytes(of: field), as: UTF8.self)
      guard let index = indexes[name] else {
        throw headerError("names a column “\(name)” that the table does not have", name)
      }
      guard !found.contains(index) else { throw headerError("names column “\(name)” twice", name) }
      found.append(index)
    }
    if let missing = columns.indices.first(where: { !found.contains($0) }) {
      let name = columns[missing].name
      throw headerError("does not name column “\(name)”", name)
    }
    return found
  }

  private static func headerError(_ reason: String, _ column: String) -> DatabaseError {
    var error = DatabaseError(.invalidValue, "The header \(reason).")
    error.column = column
    return error
  }

  private func values(of records: CSVInput, _ fileColumns: [Int]) throws -> [ExactValue] {
    guard records.fields.count == fileColumns.count else {
      throw DatabaseError(
        .invalidValue,
        "Line \(records.line) has \(records.fields.count) values for \(fileColumns.count) columns.")
    }
    var values = [ExactValue](repeating: .null, count: columns.count)
    for (field, index) in zip(records.fields, fileColumns) {
      let column = columns[index]
      do {
        values[index] = try Self.value(records.bytes(of: field), field.isQuoted, column)
      } catch let misfit as TransferMisfit {
        throw ImportPlace(line: records.line, column: column.name).error(misfit)
      }
    }
    return values
  }

  private static func value(
    _ bytes: ArraySlice<UInt8>, _ isQuoted: Bool, _ column: TransferColumn
  ) throws -> ExactValue {
    if bytes.isEmpty, !isQuoted { return .null }
    switch column.kind {
    case .integer, .real: return try TransferNumber.parse(bytes, for: column.kind)
    case .text:
      guard bytes.allSatisfy({ $0 < 0x80 }) || String(validating: bytes, as: UTF8.self) != nil
      else {
        throw TransferMisfit(expected: "a text in UTF-8", found: "\(bytes.count) other bytes")
      }
      return column.stored(text: Array(bytes))
    case .blob: return try TransferBlob.parse(String(decoding: bytes, as: UTF8.self))
    }
  }
}

/// A place in an imported file.
struct ImportPlace {
  let line: Int
  let column: String

  /// Returns the error of a value that does not fit its column.
  func error(_ misfit: TransferMisfit) -> DatabaseError {
    var error = DatabaseError(
      .invalidValue,
      "Line \(line), column “\(column)”: expected \(misfit.expected), found \(misfit.found).")
    error.column = column
    return error
  }
}
