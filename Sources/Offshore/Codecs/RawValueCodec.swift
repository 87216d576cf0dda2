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
