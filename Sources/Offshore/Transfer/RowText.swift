import CSQLite
import Foundation

/// A buffer for the text of exported rows.
struct RowText {
  private(set) var bytes: [UInt8] = []
  private let format: TableFormat
  private let columns: [TransferColumn]

  init(_ format: TableFormat, _ columns: [TransferColumn]) {
    self.format = format
    self.columns = columns
    guard format == .csv else { return }
    for (index, column) in columns.enumerated() {
      if index > 0 { append(",") }
      append(quotedIfNeeded: Array(column.name.utf8))
    }
    append("\r\n")
  }

  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  /// Appends the current row of a statement.
  ///
  /// - Returns: The index of a column whose value the format cannot express, or `nil` if there is
  ///   none.
  mutating func append(_ row: RowReader) -> Int? {
    switch format {
    case .jsonLines: appendObject(row)
    case .csv: appendRecord(row)
    }
  }

  private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

  private mutating func append(base64 data: UnsafeBufferPointer<UInt8>) {
    append(Data(data).base64EncodedString())
  }

  // MARK: - JSON

  private mutating func appendObject(_ row: RowReader) -> Int? {
    append("{")
    for (index, column) in columns.enumerated() {
      if index > 0 { append(",") }
      bytes.append(contentsOf: column.key)
      guard appendValue(row, Int32(index), column.kind) else { return index }
    }
    append("}\n")
    return nil
  }

  /// Appends a value. If its type does not follow from the column, it is wrapped in an object.
  /// - Returns: Whether JSON can express the value.
  private mutating func appendValue(
    _ row: RowReader, _ index: Int32, _ kind: TransferColumn.Kind
  ) -> Bool {
    switch row.storageClass(index) {
    case SQLITE_INTEGER: append(String(sqlite3_column_int64(row.statement, index)))
    case SQLITE_FLOAT:
      let value = sqlite3_column_double(row.statement, index)
      let text = TransferNumber.text(value)
      append(value.isInfinite ? "{\"real\":\"\(text)\"}" : text)
    case SQLITE_TEXT:
      guard Self.isUTF8(row, index) else { return false }
      if kind != .text { append("{\"text\":") }
      append(json: row.bytes(index))
      if kind != .text { append("}") }
    case SQLITE_BLOB:
      append(kind == .blob ? "\"" : "{\"base64\":\"")
      append(base64: row.bytes(index))
      append(kind == .blob ? "\"" : "\"}")
    default: append("null")
    }
    return true
  }

  private static func isUTF8(_ row: RowReader, _ index: Int32) -> Bool {
    row.bytes(index).allSatisfy { $0 < 0x80 } || row.string(index) != nil
  }

  private mutating func append(json text: UnsafeBufferPointer<UInt8>) {
    bytes.append(UInt8(ascii: "\""))
    var start = 0
    for (index, byte) in text.enumerated() where byte < 0x20 || byte == 0x22 || byte == 0x5C {
      bytes.append(contentsOf: text[start..<index])
      start = index + 1
      switch byte {
      case 0x22: append("\\\"")
      case 0x5C: append("\\\\")
      case 0x0A: append("\\n")
      default: append("\\u00" + (byte < 16 ? "0" : "") + String(byte, radix: 16))
      }
    }
    bytes.append(contentsOf: text[start...])
    bytes.append(UInt8(ascii: "\""))
  }

  // MARK: - CSV

  private mutating func appendRecord(_ row: RowReader) -> Int? {
    for (index, column) in columns.enumerated() {
      if index > 0 { append(",") }
      guard appendField(row, Int32(index), column.kind) else { return index }
    }
    append("\r\n")
    return nil
  }

  /// Appends a value. One whose type is not the column's cannot be written, because it would be
  /// read as the column's.
  /// - Returns: Whether the value was written.
  private mutating func appendField(
    _ row: RowReader, _ index: Int32, _ kind: TransferColumn.Kind
  ) -> Bool {
    let isNumber = kind == .integer || kind == .real
    switch row.storageClass(index) {
    case SQLITE_NULL: break
    case SQLITE_INTEGER where isNumber:
      append(String(sqlite3_column_int64(row.statement, index)))
    case SQLITE_FLOAT where isNumber:
      append(TransferNumber.text(sqlite3_column_double(row.statement, index)))
    case SQLITE_TEXT where kind == .text && Self.isUTF8(row, index):
      append(quotedIfNeeded: row.bytes(index))
    case SQLITE_BLOB where kind == .blob:
      let data = row.bytes(index)
      if data.isEmpty { append("\"\"") } else { append(base64: data) }
    default: return false
    }
    return true
  }

  private mutating func append<Text: Collection<UInt8>>(quotedIfNeeded text: Text) {
    let needsQuotes =
      text.isEmpty || text.contains { $0 == 0x22 || $0 == 0x2C || $0 == 0x0A || $0 == 0x0D }
      // Without quotes, a byte order mark at the start of the file would not be read as part of a
      // value.
      || text.first == 0xEF || text.first == 0x20 || text.reversed().first == 0x20
    guard needsQuotes else { return bytes.append(contentsOf: text) }
    bytes.append(0x22)
    for byte in text {
      if byte == 0x22 { bytes.append(0x22) }
      bytes.append(byte)
    }
    bytes.append(0x22)
  }
}
