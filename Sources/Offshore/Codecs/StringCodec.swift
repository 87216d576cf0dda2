public import CSQLite

/// A codec that stores a string as TEXT in UTF-8; stored bytes that are not valid UTF-8 are an
/// error.
@_documentation(visibility: internal)
public enum StringCodec: ColumnCodec {
  public static var sqlType: String { "TEXT" }
  public static var samples: (String, String) { ("a", "b") }

  @inlinable @inline(__always)
  public static func read(_ row: inout RowReader, _ index: Int32) -> String {
    guard row.storageClass(index) == SQLITE_TEXT,
      let value = row.string(index)
    else {
      row.fail(index, expected: "a text in UTF-8")
      return ""
    }
    return value
  }

  @inlinable @inline(__always)
  public static func bind(_ value: String, _ row: inout RowWriter, _ index: Int32) {
    guard row.statement != nil else { return row.collected.append(.text(value)) }
    var value = value
    value.withUTF8 { row.bind(utf8: $0, index) }
  }
}

@_documentation(visibility: internal)
extension String: ColumnValue { public typealias Codec = StringCodec }
