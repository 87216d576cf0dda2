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
