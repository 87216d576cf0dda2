/// A codec that stores an optional: `nil` as NULL, and other values by the wrapped codec.
@_documentation(visibility: internal)
public enum Nullable<Wrapped: ColumnCodec>: ColumnCodec {
  public static var sqlType: String { Wrapped.sqlType }
  public static var isNullable: Bool { true }
  public static var samples: (Wrapped.Value?, Wrapped.Value?) {
    (Wrapped.samples.0, Wrapped.samples.1)
  }

  @inlinable @inline(__always)
  public static func read(_ row: inout RowReader, _ index: Int32) -> Wrapped.Value? {
    Wrapped.readOptional(&row, index)
  }

  @inlinable @inline(__always)
  public static func bind(_ value: Wrapped.Value?, _ row: inout RowWriter, _ index: Int32) {
    withUnsafePointer(to: value) { Wrapped.bindOptional(at: $0, &row, index) }
  }

  @inlinable @inline(__always)
  public static func bind(
    at address: UnsafePointer<Wrapped.Value?>, _ row: inout RowWriter, _ index: Int32
  ) {
    Wrapped.bindOptional(at: address, &row, index)
  }
}

@_documentation(visibility: internal)
extension Optional: ColumnValue where Wrapped: ColumnValue {
  public typealias Codec = Nullable<Wrapped.Codec>
}

/// A codec that stores an enum by its raw value; a stored value without a case is an error.
@_documentation(visibility: internal)
public enum RawValueCodec<Value>: ColumnCodec
where Value: RawRepresentable & CaseIterable & Equatable & Sendable, Value.RawValue: ColumnValue {
  public static var sqlType: String { Value.RawValue.Codec.sqlType }

  /// The first and the last case.
  ///
  /// - Precondition: The enum has at least one case.
  public static var samples: (Value, Value) {
    let cases = Array(Value.allCases)
    guard let first = cases.first, let last = cases.last else {
      preconditionFailure("\(Value.self) has no case: an enum without values cannot be a column.")
    }
    return (first, last)
  }

  @inlinable @inline(__always)
  public static func read(_ row: inout RowReader, _ index: Int32) -> Value {
    let rawValue = Value.RawValue.Codec.read(&row, index)
    guard let value = Value(rawValue: rawValue) else {
      row.fail(index, expected: "the raw value of a case of \(Value.self)")
      return samples.0
    }
    return value
  }

  @inlinable @inline(__always)
  public static func bind(_ value: Value, _ row: inout RowWriter, _ index: Int32) {
    Value.RawValue.Codec.bind(value.rawValue, &row, index)
  }
}

@_documentation(visibility: internal)
extension ColumnValue
where Self: RawRepresentable & CaseIterable, Self.RawValue: ColumnValue {
  public typealias Codec = RawValueCodec<Self>
}
