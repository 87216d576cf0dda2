/// A value of one of SQLite's five storage classes (<https://sqlite.org/datatype3.html>).
///
/// It is `.null`, `.integer(Int64)`, `.real(Double)`, `.text(String)` or `.blob([UInt8])`. The
/// `rowKey` of a ``DatabaseError`` and the `arguments` of ``SQL`` are such values. The
/// `description` of a value is its SQL literal.
public enum SQLValue: Hashable, Sendable {
  /// The absence of a value.
  @_documentation(visibility: internal)
  case null
  /// A signed 64-bit integer.
  @_documentation(visibility: internal)
  case integer(Int64)
  /// A 64-bit IEEE 754 number; never NaN.
  @_documentation(visibility: internal)
  case real(Double)
  /// A text, stored as UTF-8.
  @_documentation(visibility: internal)
  case text(String)
  /// Bytes, stored unchanged.
  @_documentation(visibility: internal)
  case blob([UInt8])
}

@_documentation(visibility: internal)
extension SQLValue: CustomStringConvertible {
  /// The value as an SQL literal.
  public var description: String {
    switch self {
    case .null: "NULL"
    case .integer(let value): String(value)
    case .real(let value) where value.isInfinite: value < 0 ? "-9e999" : "9e999"
    case .real(let value): String(value)
    // A NUL character would end the statement.
    case .text(let value) where value.utf8.contains(0):
      "CAST(\(SQLValue.blob(Array(value.utf8))) AS TEXT)"
    case .text(let value): "'" + value.replacing("'", with: "''") + "'"
    case .blob(let bytes):
      "x'" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "'"
    }
  }

  /// The text without quotes, or the SQL literal of another value.
  package var plainText: String { if case .text(let text) = self { text } else { description } }
}

extension SQLValue {
  func bind(_ row: inout RowWriter, _ index: Int32) {
    switch self {
    case .null: row.bindNull(index)
    case .integer(let value): row.bind(value, index)
    case .real(let value): row.bind(value, index)
    case .text(let value): StringCodec.bind(value, &row, index)
    case .blob(let bytes): bytes.withUnsafeBytes { row.bind(blob: $0, index) }
    }
  }
}
