public import CSQLite

/// How one type of value is stored in one SQLite column.
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

  /// The type that a column of this codec is declared with, for example `"TEXT"`.
  static var sqlType: String { get }

  /// Whether the column accepts NULL. `false` unless the codec says otherwise.
  static var isNullable: Bool { get }

  /// Two different values, which the check of a table's declaration tells columns apart by.
  static var samples: (Value, Value) { get }

  /// Reads the value at a zero-based index of the current row.
  ///
  /// A value that does not fit is reported by ``RowReader/fail(_:expected:)``; what is returned then
  /// is discarded with the row, so any sample will do.
  static func read(_ row: inout RowReader, _ index: Int32) -> Value

  /// Binds a value to a one-based parameter.
  ///
  /// A value that the column cannot hold is reported by ``RowWriter/fail(_:reason:)``.
  static func bind(_ value: Value, _ row: inout RowWriter, _ index: Int32)

  // These have defaults that no codec needs to replace. They are requirements so that each codec
  // has them compiled for itself, which the loops over whole tables gain from.

  /// Reads NULL as `nil` and all else as ``read(_:_:)`` does.
  static func readOptional(_ row: inout RowReader, _ index: Int32) -> Value?

  /// Binds the value at an address.
  static func bind(at address: UnsafePointer<Value>, _ row: inout RowWriter, _ index: Int32)

  /// Binds the optional at an address, `nil` as NULL.
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
/// The standard types conform. An enum of raw values conforms by saying so, if it is `CaseIterable`:
///
/// ```swift
/// extension CrewRole: ColumnValue {}  // enum CrewRole: String, CaseIterable { … }
/// ```
public protocol ColumnValue: Equatable & Sendable {
  /// The codec that a column of this type has unless its declaration names another.
  associatedtype Codec: ColumnCodec where Codec.Value == Self
}

/// A codec named at a column's declaration: `Column("id", \.id, as: .blob)`.
///
/// Codecs of one's own join by a constrained extension:
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
