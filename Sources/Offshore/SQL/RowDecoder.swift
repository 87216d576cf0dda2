import CSQLite
import Foundation

/// A decoder of one row of a result. It finds columns by the names of the value's coding keys.
struct RowDecoder: Decoder {
  fileprivate let row: DecodedRow
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// Creates a decoder of the reader's current row.
  /// - Parameter indexes: The index of each column of the result by its name.
  init(_ reader: RowReader, _ indexes: [String: Int32]) {
    row = DecodedRow(reader, indexes)
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(RowContainer(row: row))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw Self.onlyKeys }
  func singleValueContainer() throws -> any SingleValueDecodingContainer { throw Self.onlyKeys }

  fileprivate static var onlyKeys: DatabaseError {
    DatabaseError(
      .declaration, "A row is decoded by the names of its columns. Decode it into a struct.")
  }
}

/// The row that is being decoded.
private final class DecodedRow {
  private var reader: RowReader
  let indexes: [String: Int32]

  init(_ reader: RowReader, _ indexes: [String: Int32]) {
    self.reader = reader
    self.indexes = indexes
  }

  func index(of name: String) throws -> Int32 {
    if let index = indexes[name] { return index }
    throw DatabaseError(
      .invalidSQL, "The result has no column “\(name)”. Select it, with AS if it is an expression.")
  }

  func isNull(_ index: Int32) -> Bool { reader.storageClass(index) == SQLITE_NULL }

  func read<Value: ColumnValue>(_: Value.Type, _ name: String) throws -> Value {
    let value = Value.Codec.read(&reader, try index(of: name))
    try reader.checkFit()
    return value
  }

  /// Decodes a value from a column.
  ///
  /// If the type is a ``ColumnValue``, its codec reads the column. Otherwise the `init(from:)` of
  /// the type decodes it: from the column's value if the initializer uses a single-value
  /// container, as for an enum with raw values, or else from the column's text as JSON.
  func decode<Value: Decodable>(_ type: Value.Type, _ name: String) throws -> Value {
    if let column = type as? any ColumnValue.Type, let value = try read(column, name) as? Value {
      return value
    }
    do {
      return try Value(from: ColumnDecoder(row: self, name: name))
    } catch is NeedsJSON {
      return try decodeJSON(type, name)
    }
  }

  private func decodeJSON<Value: Decodable>(_ type: Value.Type, _ name: String) throws -> Value {
    let text = try read(String.self, name)
    do {
      return try JSONDecoder().decode(type, from: Data(text.utf8))
    } catch {
      var failure = DatabaseError(
        .invalidValue, "Result “\(name)” is no JSON of the type \(type). Store it as JSON.")
      failure.column = name
      failure.cause = error
      throw failure
    }
  }
}

/// The error of a type with nested values, which one column stores as JSON.
private struct NeedsJSON: Error {}

/// A decoder of one column's value.
private struct ColumnDecoder: Decoder, SingleValueDecodingContainer {
  let row: DecodedRow
  let name: String
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    throw NeedsJSON()
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw NeedsJSON() }
  func singleValueContainer() -> any SingleValueDecodingContainer { self }
  func decodeNil() -> Bool { (try? row.index(of: name)).map(row.isNull) ?? true }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try row.decode(type, name)
  }
}

private struct RowContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let row: DecodedRow
  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { row.indexes.keys.compactMap(Key.init(stringValue:)) }

  func contains(_ key: Key) -> Bool { row.indexes[key.stringValue] != nil }

  func decodeNil(forKey key: Key) throws -> Bool {
    row.isNull(try row.index(of: key.stringValue))
  }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try row.decode(type, key.stringValue)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    throw RowDecoder.onlyKeys
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    throw RowDecoder.onlyKeys
  }

  func superDecoder() throws -> any Decoder { throw RowDecoder.onlyKeys }
  func superDecoder(forKey key: Key) throws -> any Decoder { throw RowDecoder.onlyKeys }
}

extension SQL {
  /// Returns all rows of the result as values of a type whose coding keys name the columns.
  ///
  /// ```swift
  /// struct Total: Decodable { let name: String, sum: Int }
  /// try SQL("SELECT name, sum(cents) AS sum FROM … GROUP BY name").all(reader, as: Total.self)
  /// ```
  /// A property is read as a ``ColumnValue`` if its type is one. Otherwise the `init(from:)` of the
  /// property's type decodes it: from the column's value if the initializer uses a single-value
  /// container, as for an enum with raw values, or else from the column's text as JSON.
  /// - Throws: ``DatabaseError``: `invalidSQL` if SQLite refuses the statement or a column is
  ///   missing, `invalidValue` if a value does not fit. Errors of the type's own decoding.
  @_documentation(visibility: internal)
  @_disfavoredOverload
  public func all<Value: Decodable>(_ reader: Reader, as type: Value.Type) throws -> [Value] {
    try rows(reader, type, limit: .max)
  }

  /// Returns the first row of the result as a value of a type whose coding keys name the columns;
  /// `nil` if the result is empty.
  /// - Throws: The errors of `all(_:as:)`.
  @_documentation(visibility: internal)
  @_disfavoredOverload
  public func first<Value: Decodable>(_ reader: Reader, as type: Value.Type) throws -> Value? {
    try rows(reader, type, limit: 1).first
  }

  private func rows<Value: Decodable>(
    _ reader: Reader, _ type: Value.Type, limit: Int
  ) throws -> [Value] {
    let statement = try reader.connection.queryStatement(self)
    // The first step may prepare the statement again, with other columns.
    var indexes: [String: Int32]?
    return try reader.connection.fetch(statement, arguments, limit: limit) { row in
      let known = indexes ?? statement.indexesByName
      indexes = known
      return try Value(from: RowDecoder(row, known))
    }
  }
}

extension Statement {
  /// The index of each column of the result by its name.
  var indexesByName: [String: Int32] {
    let names = columnNames.enumerated().map { ($1, Int32($0)) }
    return Dictionary(names, uniquingKeysWith: { first, _ in first })
  }
}
