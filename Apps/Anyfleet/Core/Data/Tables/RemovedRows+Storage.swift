import Offshore

extension RemovedRows.Table {
  /// Copies rows of a table as they are stored.
  init<Row: Record>(_ type: Row.Type, where condition: SQL, _ reader: Reader) throws {
    let name = Row.table.name
    var columns: [String: [RemovedRows.Value]] = [:]
    for column in Row.table.columns {
      columns[column.name] = try SQL(
        """
        SELECT \(identifier: column.name) FROM \(identifier: name) WHERE \(condition) ORDER BY rowid
        """
      ).all(reader, as: RemovedRows.Value.self)
    }
    self.init(name: name, columns: columns)
  }

  /// How many rows there are.
  var count: Int { columns.values.first?.count ?? 0 }

  /// Puts the rows back, but for those whose key is taken.
  func insert(_ writer: Writer) throws {
    let columns = columns.sorted { $0.key < $1.key }
    let names = columns.dropFirst().reduce("\(identifier: columns.first?.key ?? "")" as SQL) {
      "\($0), \(identifier: $1.key)"
    }
    for row in 0..<count {
      let values = columns.dropFirst().reduce(columns[0].value[row].sql) {
        "\($0), \($1.value[row].sql)"
      }
      try SQL(
        "INSERT INTO \(identifier: name) (\(names)) VALUES (\(values)) ON CONFLICT DO NOTHING"
      ).run(writer)
    }
  }
}

extension RemovedRows {
  /// Whether there is no row.
  var isEmpty: Bool { tables.allSatisfy { $0.count == 0 } }

  /// Puts all rows back, but for those whose key is taken.
  func insert(_ writer: Writer) throws {
    for table in tables { try table.insert(writer) }
  }
}

// MARK: - Values

extension RemovedRows.Value {
  /// The value in a statement. A text that is not UTF-8 would be mended on its way.
  fileprivate var sql: SQL {
    guard case .text(let bytes) = self, String(validating: bytes, as: UTF8.self) == nil else {
      return "\(self)"
    }
    return "CAST(\(Self.blob(bytes)) AS TEXT)"
  }
}

extension RemovedRows.Value: ColumnValue {
  /// Stores any value as what it was.
  enum Codec: ColumnCodec {
    static let sqlType = ""
    static let isNullable = true
    static let samples = (RemovedRows.Value.null, RemovedRows.Value.integer(0))

    // The storage classes of SQLite: <https://sqlite.org/c3ref/c_blob.html>.
    private static let integer: Int32 = 1
    private static let real: Int32 = 2
    private static let text: Int32 = 3
    private static let blob: Int32 = 4

    static func read(_ row: inout RowReader, _ index: Int32) -> RemovedRows.Value {
      switch row.storageClass(index) {
      case integer: .integer(Int64.Codec.read(&row, index))
      case real: .real(Double.Codec.read(&row, index))
      case text: .text(Array(row.bytes(index)))
      case blob: .blob(Array(row.bytes(index)))
      default: .null
      }
    }

    static func bind(_ value: RemovedRows.Value, _ row: inout RowWriter, _ index: Int32) {
      switch value {
      case .null: row.bindNull(index)
      case .integer(let value): row.bind(value, index)
      case .real(let value): row.bind(value, index)
      case .text(let bytes): bytes.withUnsafeBufferPointer { row.bind(utf8: $0, index) }
      case .blob(let bytes): bytes.withUnsafeBytes { row.bind(blob: $0, index) }
      }
    }
  }
}
