public import CSQLite

/// A codec that stores a Boolean as the integer 0 or 1; any other stored value is an error.
@_documentation(visibility: internal)
public enum BoolCodec: ColumnCodec {
  public static var sqlType: String { "INTEGER" }
  public static var samples: (Bool, Bool) { (false, true) }

  @inlinable @inline(__always)
  public static func read(_ row: inout RowReader, _ index: Int32) -> Bool {
    if row.storageClass(index) == SQLITE_INTEGER {
      switch sqlite3_column_int64(row.statement, index) {
      case 0: return false
      case 1: return true
      default: break
      }
    }
    row.fail(index, expected: "0 or 1")
    return false
  }

  @inlinable @inline(__always)
  public static func bind(_ value: Bool, _ row: inout RowWriter, _ index: Int32) {
    row.bind(value ? 1 : 0 as Int64, index)
  }
}

@_documentation(visibility: internal)
extension Bool: ColumnValue { public typealias Codec = BoolCodec }
