/// The root of ``ColumnCoder``, so that coders of all value types can be kept together.
@usableFromInline
class AnyCoder: @unchecked Sendable {  // Immutable.
  @usableFromInline let valueType: ObjectIdentifier

  fileprivate init(of valueType: Any.Type) { self.valueType = ObjectIdentifier(valueType) }

  /// The coder as one of a type, or `nil` if it is of another. A cast would look up the generic class.
  @inlinable
  func coder<Value>(of _: Value.Type) -> ColumnCoder<Value>? {
    guard valueType == ObjectIdentifier(Value.self) else { return nil }
    return unsafeDowncast(self, to: ColumnCoder<Value>.self)
  }
}

/// Encodes and decodes values of a type the way one column stores them.
@usableFromInline
final class ColumnCoder<Value>: AnyCoder, @unchecked Sendable {  // Immutable.
  /// The stored value, alone in an array as statements take them, and why a value cannot be stored.
  @usableFromInline let encode: @Sendable (Value) -> (stored: [SQLValue], failure: ColumnFailure?)
  /// Reads the next value of a row.
  let decode: @Sendable (inout RowReader) -> Value
  /// Reads the next value of a row, and NULL as `nil` whether or not the column accepts it.
  let decodeOptional: @Sendable (inout RowReader) -> Value?
  /// Whether the column accepts NULL.
  let isNullable: Bool
  /// The coder of the values that are not NULL, where the column accepts NULL.
  let wrapped: AnyCoder?
  /// The codec apart from whether it accepts NULL: values of equal storage compare in SQL.
  let storage: ObjectIdentifier

  init<Codec: ColumnCodec>(_: Codec.Type) where Codec.Value == Value {
    encode = { value in
      var writer = RowWriter(nil)
      Codec.bind(value, &writer, 1)
      guard writer.collected.count != 1 else { return (writer.collected, writer.failure) }
      return ([writer.collected.first ?? .null], writer.failure)
    }
    decode = { $0.next(Codec.self) }
    decodeOptional = { row in
      row.position += 1
      return Codec.readOptional(&row, row.position - 1)
    }
    isNullable = Codec.isNullable
    let nullable = Codec.self as? any OptionalCodec.Type
    wrapped = nullable?.wrappedCoder
    storage = nullable?.storage ?? ObjectIdentifier(Codec.self)
    super.init(of: Value.self)
  }

  private init(
    encode: @escaping @Sendable (Value) -> (stored: [SQLValue], failure: ColumnFailure?),
    decode: @escaping @Sendable (inout RowReader) -> Value, wrapped: AnyCoder?,
    storage: ObjectIdentifier
  ) {
    self.encode = encode
    self.decode = decode
    decodeOptional = { decode(&$0) }
    isNullable = true
    self.wrapped = wrapped
    self.storage = storage
    super.init(of: Value.self)
  }

  /// The coder of values that may be NULL besides.
  var optional: ColumnCoder<Value?> {
    ColumnCoder<Value?>(
      encode: { [encode] value in value.map(encode) ?? ([.null], nil) }, decode: decodeOptional,
      wrapped: self, storage: storage)
  }

  /// A `?` with a value as the column stores it.
  @usableFromInline
  func bind(_ value: Value) -> SQL {
    let (stored, failure) = encode(value)
    guard let failure else { return SQL(text: "?", arguments: stored) }
    return SQL(problem: .invalidValue, "A value cannot be stored: expected \(failure.expected).")
  }
}

/// A codec of optionals, seen without its type.
private protocol OptionalCodec {
  static var wrappedCoder: AnyCoder { get }
  static var storage: ObjectIdentifier { get }
}

extension Nullable: OptionalCodec {
  static var wrappedCoder: AnyCoder { ColumnCoder(Wrapped.self) }
  static var storage: ObjectIdentifier { ObjectIdentifier(Wrapped.self) }
}
