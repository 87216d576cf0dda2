public import CSQLite

/// A codec that stores a floating-point number as REAL.
///
/// A stored integer is read if the type represents it exactly. NaN is refused when it is bound. A
/// stored number that a `Float` cannot represent exactly is an error; it is never rounded.
@_documentation(visibility: internal)
public protocol RealCodec: ColumnCodec where Value: BinaryFloatingPoint {}

extension RealCodec {
  public static var sqlType: String { "REAL" }
  public static var samples: (Value, Value) { (0, 1) }

  @inlinable @inline(__always)
  public static func read(_ row: inout RowReader, _ index: Int32) -> Value {
    switch row.storageClass(index) {
    case SQLITE_FLOAT:
      if let value = Value(exactly: sqlite3_column_double(row.statement, index)) { return value }
    case SQLITE_INTEGER:
      if let value = Value(exactly: sqlite3_column_int64(row.statement, index)) { return value }
    default: break
    }
    return misfit(&row, index)
  }

  @inlinable @inline(__always)
  public static func bind(_ value: Value, _ row: inout RowWriter, _ index: Int32) {
    row.bind(Double(value), index)
  }

  @usableFromInline @inline(never)
  static func misfit(_ row: inout RowReader, _ index: Int32) -> Value {
    row.fail(index, expected: "a number that \(Value.self) holds exactly")
    return 0
  }
}

/// The codec of `Double` values, stored as REAL.
@_documentation(visibility: internal)
public enum DoubleCodec: RealCodec { public typealias Value = Double }
@_documentation(visibility: internal)
extension Double: ColumnValue { public typealias Codec = DoubleCodec }

/// The codec of `Float` values, stored as REAL.
@_documentation(visibility: internal)
public enum FloatCodec: RealCodec { public typealias Value = Float }
@_documentation(visibility: internal)
extension Float: ColumnValue { public typealias Codec = FloatCodec }
