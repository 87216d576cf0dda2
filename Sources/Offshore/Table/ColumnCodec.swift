public import CSQLite

/// A representation of one Swift type in an SQLite column.
///
/// A codec is a type with static members, never a value: the compiler then specializes the loops
/// that read and write whole tables. Declare one as a caseless enum:
///
/// ```swift
/// enum Celsius: ColumnCodec {
///   static let sqlType = "REAL"
///   static let samples = (Temperature(celsius: 0), Temperature(celsius: 1))
///   static func read(_ row: inout RowReader, _ index: Int32) -> Temperature {
///     Temperature(celsius: DoubleCodec.read(&row, index))
///   }
///   static func bind(_ value: Temperature, _ row: inout RowWriter, _ index: Int32) {
///     DoubleCodec.bind(value.celsius, &row, index)
///   }
/// }
/// ```
public protocol ColumnCodec: Sendable {
  /// The Swift type of the column's values.
  associatedtype Value: Equatable & Sendable

  /// The SQL type of columns with this codec, for example `"TEXT"`.
  static var sqlType: String { get }

  /// Whether the column accepts NULL; `false` by default.
  static var isNullable: Bool { get }

  /// Two different values, by which the check of a table's declaration distinguishes columns.
  static var samples: (Value, Value) { get }

  /// Reads the value at a zero-based index of the current row.
  ///
  /// Report a value that does not fit by ``RowReader/fail(_:expected:detail:)`` and return any
  /// sample: it is discarded with the row.
  static func read(_ row: inout RowReader, _ index: Int32) -> Value

  /// Binds a value to a one-based parameter.
  ///
  /// Report a value that the column cannot store by ``RowWriter/fail(_:reason:detail:)``.
  static func bind(_ value: Value, _ row: inout RowWriter, _ index: Int32)

  // These have defaults that no codec needs to replace. As requirements, they are compiled for each
  // codec, which makes the loops over whole tables faster.

  /// Reads NULL as `nil` and any other value as ``read(_:_:)`` does.
  static func readOptional(_ row: inout RowReader, _ index: Int32) -> Value?

  /// Binds the value at an address.
  static func bind(at address: UnsafePointer<Value>, _ row: inout RowWriter, _ index: Int32)

  /// Binds the optional at an address, and `nil` as NULL.
  static func bindOptional(
    at address: UnsafePointer<Value?>, _ row: inout RowWriter, _ index: Int32)
}

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
/// The standard types conform. An enum with raw values can conform if it is `CaseIterable`:
///
/// ```swift
/// extension CrewRole: ColumnValue {}  // enum CrewRole: String, CaseIterable { … }
/// ```
public protocol ColumnValue: Equatable & Sendable {
  /// The default codec of columns of this type.
  associatedtype Codec: ColumnCodec where Codec.Value == Self
}

/// The name of a codec in a column's declaration: `Column("id", \.id, as: .blob)`.
///
/// Add the name of your own codec in a constrained extension:
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
