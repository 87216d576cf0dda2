public import CSQLite

/// A codec that stores a fixed-width integer as INTEGER; a stored value outside the type's range is
/// an error.
///
/// Unsigned 64-bit values above `Int64.max` cannot be stored and are refused when they are bound.
@_documentation(visibility: internal)
public protocol IntegerCodec: ColumnCodec where Value: FixedWidthInteger {}

extension IntegerCodec {
  public static var sqlType: String { "INTEGER" }
  public static var samples: (Value, Value) { (0, 1) }

  @inlinable @inline(__always)
  public static func read(_ row: inout RowReader, _ index: Int32) -> Value {
    guard row.storageClass(index) == SQLITE_INTEGER,
      let value = Value(exactly: sqlite3_column_int64(row.statement, index))
    else { return misfit(&row, index) }
    return value
  }

  @inlinable @inline(__always)
  public static func bind(_ value: Value, _ row: inout RowWriter, _ index: Int32) {
    guard let integer = Int64(exactly: value) else {
      return row.fail(index, expected: "an integer up to 9,223,372,036,854,775,807")
    }
    row.bind(integer, index)
  }

  @usableFromInline @inline(never)
  static func misfit(_ row: inout RowReader, _ index: Int32) -> Value {
    row.fail(index, expected: "an integer from \(Value.min) to \(Value.max)")
    return 0
  }
}

// Each type has its own codec rather than a generic one, so that the code above is specialized for
// each.

/// The codec of `Int` values, stored as INTEGER.
@_documentation(visibility: internal)
public enum IntCodec: IntegerCodec { public typealias Value = Int }
@_documentation(visibility: internal)
extension Int: ColumnValue { public typealias Codec = IntCodec }

/// The codec of `Int8` values, stored as INTEGER.
@_documentation(visibility: internal)
public enum Int8Codec: IntegerCodec { public typealias Value = Int8 }
@_documentation(visibility: internal)
extension Int8: ColumnValue { public typealias Codec = Int8Codec }

/// The codec of `Int16` values, stored as INTEGER.
@_documentation(visibility: internal)
public enum Int16Codec: IntegerCodec { public typealias Value = Int16 }
@_documentation(visibility: internal)
extension Int16: ColumnValue { public typealias Codec = Int16Codec }

/// The codec of `Int32` values, stored as INTEGER.
@_documentation(visibility: internal)
public enum Int32Codec: IntegerCodec { public typealias Value = Int32 }
@_documentation(visibility: internal)
extension Int32: ColumnValue { public typealias Codec = Int32Codec }

/// The codec of `Int64` values, stored as INTEGER.
@_documentation(visibility: internal)
public enum Int64Codec: IntegerCodec { public typealias Value = Int64 }
@_documentation(visibility: internal)
extension Int64: ColumnValue { public typealias Codec = Int64Codec }

/// The codec of `UInt` values, stored as INTEGER.
@_documentation(visibility: internal)
public enum UIntCodec: IntegerCodec { public typealias Value = UInt }
@_documentation(visibility: internal)
extension UInt: ColumnValue { public typealias Codec = UIntCodec }

/// The codec of `UInt8` values, stored as INTEGER.
@_documentation(visibility: internal)
public enum UInt8Codec: IntegerCodec { public typealias Value = UInt8 }
@_documentation(visibility: internal)
extension UInt8: ColumnValue { public typealias Codec = UInt8Codec }

/// The codec of `UInt16` values, stored as INTEGER.
@_documentation(visibility: internal)
public enum UInt16Codec: IntegerCodec { public typealias Value = UInt16 }
@_documentation(visibility: internal)
extension UInt16: ColumnValue { public typealias Codec = UInt16Codec }

/// The codec of `UInt32` values, stored as INTEGER.
@_documentation(visibility: internal)
public enum UInt32Codec: IntegerCodec { public typealias Value = UInt32 }
@_documentation(visibility: internal)
extension UInt32: ColumnValue { public typealias Codec = UInt32Codec }

/// The codec of `UInt64` values, stored as INTEGER.
@_documentation(visibility: internal)
public enum UInt64Codec: IntegerCodec { public typealias Value = UInt64 }
@_documentation(visibility: internal)
extension UInt64: ColumnValue { public typealias Codec = UInt64Codec }

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
