import CSQLite

/// A stored value, preserved bit for bit: a text may have bytes that are not UTF-8.
enum ExactValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text([UInt8])
  case blob([UInt8])

  /// Reads the value at an index of a row.
  init(_ row: RowReader, _ index: Int32) {
    self =
      switch row.storageClass(index) {
      case SQLITE_INTEGER: .integer(sqlite3_column_int64(row.statement, index))
      case SQLITE_FLOAT: .real(sqlite3_column_double(row.statement, index))
      case SQLITE_TEXT: .text(Array(row.bytes(index)))
      case SQLITE_BLOB: .blob(Array(row.bytes(index)))
      default: .null
      }
  }

  /// Binds the value to a parameter.
  func bind(_ row: inout RowWriter, _ index: Int32) {
    switch self {
    case .null: row.bindNull(index)
    case .integer(let value): row.bind(value, index)
    case .real(let value): row.bind(value, index)
    case .text(let bytes): bytes.withUnsafeBufferPointer { row.bind(utf8: $0, index) }
    case .blob(let bytes): bytes.withUnsafeBytes { row.bind(blob: $0, index) }
    }
  }

  /// A parameter with the value. Text that is not UTF-8 is bound as bytes and cast, because an
  /// argument cannot store it.
  var sql: SQL {
    switch self {
    case .null: SQL(text: "?", arguments: [.null])
    case .integer(let value): SQL(text: "?", arguments: [.integer(value)])
    case .real(let value): SQL(text: "?", arguments: [.real(value)])
    case .blob(let bytes): SQL(text: "?", arguments: [.blob(bytes)])
    case .text(let bytes):
      if let text = String(validating: bytes, as: UTF8.self) {
        SQL(text: "?", arguments: [.text(text)])
      } else {
        SQL(text: "CAST(? AS TEXT)", arguments: [.blob(bytes)])
      }
    }
  }
}
