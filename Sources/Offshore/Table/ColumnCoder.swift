/// The base class of ``ColumnCoder``, so that coders of different value types can be stored
/// together.
@usableFromInline
class AnyCoder: @unchecked Sendable {  // Immutable.
  @usableFromInline let valueType: ObjectIdentifier

  fileprivate init(of valueType: Any.Type) { self.valueType = ObjectIdentifier(valueType) }

  /// Returns the coder if it is one of a value type, or else `nil`. A cast would look up the
  /// generic class.
  @inlinable
  func coder<Value>(of _: Value.Type) -> ColumnCoder<Value>? {
    guard valueType == ObjectIdentifier(Value.self) else { return nil }
    return unsafeDowncast(self, to: ColumnCoder<Value>.self)
  }
}

/// A coder that encodes and decodes values of a type in the representation of one column.
@usableFromInline
final class ColumnCoder<Value>: AnyCoder, @unchecked Sendable {  // Immutable.
  /// Returns the stored value, as an array of one for statements, and the failure if the value
  /// cannot be stored.
  @usableFromInline let encode: @Sendable (Value) -> (stored: [SQLValue], failure: ColumnFailure?)
  /// Reads the next value of a row.
  let decode: @Sendable (inout RowReader) -> Value
  /// Reads the next value of a row, and NULL as `nil` even if the column does not accept it.
  let decodeOptional: @Sendable (inout RowReader) -> Value?
  /// Whether the column accepts NULL.
  let isNullable: Bool
  /// The coder of the values that are not NULL, if the column accepts NULL.
  let wrapped: AnyCoder?
  /// The identity of the codec, without its optionality. Values of equal storage can be compared in
  /// SQL.
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

  /// The coder of the same values that also accepts NULL.
  var optional: ColumnCoder<Value?> {
    ColumnCoder<Value?>(
      encode: { [encode] value in value.map(encode) ?? ([.null], nil) }, decode: decodeOptional,
      wrapped: self, storage: storage)
  }

  /// Returns a `?` with a value in the representation of the column.
  @usableFromInline
  func bind(_ value: Value) -> SQL {
    let (stored, failure) = encode(value)
    guard let failure else { return SQL(text: "?", arguments: stored) }
    return SQL(problem: .invalidValue, "A value cannot be stored: expected \(failure.expected).")
  }
}

/// A codec of optionals, without its static type.
private protocol OptionalCodec {
  static var wrappedCoder: AnyCoder { get }
  static var storage: ObjectIdentifier { get }
}

extension Nullable: OptionalCodec {
  static var wrappedCoder: AnyCoder { ColumnCoder(Wrapped.self) }
  static var storage: ObjectIdentifier { ObjectIdentifier(Wrapped.self) }
}
