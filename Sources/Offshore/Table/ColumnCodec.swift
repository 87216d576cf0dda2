public import CSQLite

/// A representation of one Swift type in an SQLite column.
///
/// A codec is a type with static members, never a value: the compiler then specializes the loops
/// that read and write whole tables. Declare one as a caseless enum, and use the codecs of other
/// types, such as `Double.Codec` and `String.Codec`, to read and bind:
///
/// ```swift
/// enum Celsius: ColumnCodec {
///   static let sqlType = "REAL"
///   static let samples = (Temperature(celsius: 0), Temperature(celsius: 1))
///   static func read(_ row: inout RowReader, _ index: Int32) -> Temperature {
///     Temperature(celsius: Double.Codec.read(&row, index))
///   }
///   static func bind(_ value: Temperature, _ row: inout RowWriter, _ index: Int32) {
///     Double.Codec.bind(value.celsius, &row, index)
///   }
/// }
/// ```
/// `Column("temperature", \.temperature, as: .celsius)` uses the codec by its ``CodecKind``. An
/// optional property needs no other codec: `nil` is stored as NULL. A codec whose own values can be
/// NULL sets `isNullable`, which is `false` by default.
public protocol ColumnCodec: Sendable {
  /// The Swift type of the column's values.
  associatedtype Value: Equatable & Sendable

  /// The SQL type of columns with this codec, for example `"TEXT"`.
  static var sqlType: String { get }

  /// Whether the column accepts NULL; `false` by default.
  @_documentation(visibility: internal)
  static var isNullable: Bool { get }

  /// Two different values, with which the library checks the order of a table's columns.
  ///
  /// When a table is first used, the library makes rows of samples, and reads their properties. So
  /// it detects columns that are not in the order of the initializer's parameters. The first sample
  /// is also the placeholder for a stored value that cannot be read; the row with it is discarded.
  static var samples: (Value, Value) { get }

  /// Reads the value at a zero-based index of the current row.
  ///
  /// Report a value that does not fit by ``RowReader/fail(_:expected:detail:)`` and return any
  /// sample: it is discarded with the row.
  static func read(_ row: inout RowReader, _ index: Int32) -> Value

  /// Binds a value to a one-based parameter.
  ///
  /// Report a value that the column cannot store by ``RowWriter/fail(_:expected:detail:)``.
  static func bind(_ value: Value, _ row: inout RowWriter, _ index: Int32)

  // These have defaults that no codec needs to replace. As requirements, they are compiled for each
  // codec, which makes the loops over whole tables faster.

  /// Reads NULL as `nil` and any other value as ``read(_:_:)`` does.
  @_documentation(visibility: internal)
  static func readOptional(_ row: inout RowReader, _ index: Int32) -> Value?

  /// Binds the value at an address.
  @_documentation(visibility: internal)
  static func bind(at address: UnsafePointer<Value>, _ row: inout RowWriter, _ index: Int32)

  /// Binds the optional at an address, and `nil` as NULL.
  @_documentation(visibility: internal)
  static func bindOptional(
    at address: UnsafePointer<Value?>, _ row: inout RowWriter, _ index: Int32)
}

@_documentation(visibility: internal)
extension ColumnCodec {
  public static var isNullable: Bool { false }

  @inlinable
  public static func readOptional(_ row: inout RowReader, _ index: Int32) -> Value? {
    row.storageClass(index) == SQLITE_NULL ? nil : read(&row, index)
  }

  @inlinable
  public static func bind(
    at address: UnsafePointer<Value>, _ row: inout RowWriter, _ index: Int32
  ) {
    bind(address.pointee, &row, index)
  }

  @inlinable
  public static func bindOptional(
    at address: UnsafePointer<Value?>, _ row: inout RowWriter, _ index: Int32
  ) {
    if let value = address.pointee { bind(value, &row, index) } else { row.bindNull(index) }
  }
}

/// A type with a native column representation.
///
/// | Swift | SQL type | stored value |
/// | --- | --- | --- |
/// | `Int`, `Int8` … `UInt64` | `INTEGER` | the number, at most `Int64.max` |
/// | `Double`, `Float` | `REAL` | the number; NaN is refused |
/// | `Bool` | `INTEGER` | 0 or 1 |
/// | `String` | `TEXT` | UTF-8 |
/// | `Data` | `BLOB` | the bytes |
/// | `UUID` | `TEXT` | 36 characters in uppercase; `as: .blob` stores 16 bytes |
/// | `Date` | `REAL` | seconds since 2001-01-01 UTC, bit for bit; or `as: .text`, `as: .unixSeconds` |
/// | `Decimal` | `TEXT` | the shortest text, which SQL can test for equality only; NaN is refused |
/// | `URL` | `TEXT` | the absolute text |
///
/// A stored value of another type, or outside the range of the Swift type, is a ``DatabaseError``
/// with code `invalidValue`, never a rounded or a default value. An enum with raw values can
/// conform if it is `CaseIterable`; it is stored by its raw value:
///
/// ```swift
/// extension CrewRole: ColumnValue {}  // enum CrewRole: String, CaseIterable { … }
/// ```
/// Optionals of such types conform, too. A `Codable` type is a ``JSONColumnValue`` instead, and any
/// other type declares a ``ColumnCodec``.
public protocol ColumnValue: Equatable & Sendable {
  /// The default codec of columns of this type.
  associatedtype Codec: ColumnCodec where Codec.Value == Self
}

/// The name of a codec in a column's declaration: `Column("id", \.id, as: .blob)`.
///
/// The library has these:
///
/// | type | name | stored value |
/// | --- | --- | --- |
/// | `UUID` | `.text` | the default: 36 characters in uppercase |
/// | `UUID` | `.blob` | 16 bytes |
/// | `Date` | `.text` | UTC text `yyyy-MM-dd HH:mm:ss.SSS`, rounded to the millisecond |
/// | `Date` | `.unixSeconds` | seconds since 1970 as REAL, exact to a quarter of a microsecond |
///
/// They also name the representation of a value in SQL: `\(id, as: .blob)`. For a
/// ``JSONColumnValue``, there is `as: .json`, in declarations of columns only. Add the name of your
/// own codec in a constrained extension:
///
/// ```swift
/// extension CodecKind where Codec == Celsius {
///   static var celsius: Self { Self() }
/// }
/// ```
public struct CodecKind<Codec: ColumnCodec>: Sendable {
  /// Creates the name of a codec.
  public init() {}
}
