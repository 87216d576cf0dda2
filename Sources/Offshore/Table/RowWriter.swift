public import CSQLite

/// The parameters of a statement, to which codecs bind values.
///
/// A ``ColumnCodec`` receives it, and passes it to the codecs of other types. A codec that binds
/// SQLite's values itself calls one of `bindNull(index)`, `bind(integer, index)`,
/// `bind(real, index)`, `bind(utf8: bytes, index)` and `bind(blob: bytes, index)`, which copy the
/// bytes.
public struct RowWriter {
  /// The first value that could not be bound, if any.
  @usableFromInline var failure: ColumnFailure?

  @usableFromInline let statement: OpaquePointer?
  @usableFromInline var collected: [SQLValue] = []
  @usableFromInline var position: Int32 = 0
  /// The number of parameters before those of the row.
  @usableFromInline var base: Int32 = 0

  /// Creates a writer that binds to a statement, or one that collects values if there is none.
  @usableFromInline
  init(_ statement: OpaquePointer?) { self.statement = statement }

  /// Binds NULL.
  @_documentation(visibility: internal)
  @inlinable
  public mutating func bindNull(_ index: Int32) {
    guard let statement else { return collected.append(.null) }
    check(sqlite3_bind_null(statement, index), index)
  }

  /// Binds an integer.
  @_documentation(visibility: internal)
  @inlinable
  public mutating func bind(_ value: Int64, _ index: Int32) {
    guard let statement else { return collected.append(.integer(value)) }
    check(sqlite3_bind_int64(statement, index, value), index)
  }

  /// Binds a real number. NaN is refused, because SQLite would store it as NULL.
  @_documentation(visibility: internal)
  @inlinable
  public mutating func bind(_ value: Double, _ index: Int32) {
    guard !value.isNaN else { return fail(index, expected: "a number: SQLite stores NaN as NULL") }
    guard let statement else { return collected.append(.real(value)) }
    check(sqlite3_bind_double(statement, index, value), index)
  }

  /// Binds a copy of the UTF-8 bytes of a text.
  @_documentation(visibility: internal)
  @inlinable
  public mutating func bind(utf8 bytes: UnsafeBufferPointer<UInt8>, _ index: Int32) {
    guard let statement else {
      return collected.append(.text(String(decoding: bytes, as: UTF8.self)))
    }
    guard let count = Int32(exactly: bytes.count) else { return failTooLarge(index) }
    // An empty buffer may have no address, and SQLite reads a null address as NULL.
    let code =
      if let start = bytes.baseAddress {
        start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
          offshore_sqlite3_bind_text_copy(statement, index, $0, count)
        }
      } else {
        offshore_sqlite3_bind_text_copy(statement, index, "", 0)
      }
    check(code, index)
  }

  /// Binds a copy of a BLOB.
  @_documentation(visibility: internal)
  @inlinable
  public mutating func bind(blob bytes: UnsafeRawBufferPointer, _ index: Int32) {
    guard let statement else { return collected.append(.blob(Array(bytes))) }
    guard let count = Int32(exactly: bytes.count) else { return failTooLarge(index) }
    check(offshore_sqlite3_bind_blob_copy(statement, index, bytes.baseAddress, count), index)
  }

  /// Reports that the value for an index cannot be stored. The first report counts.
  ///
  /// - Parameters:
  ///   - index: The one-based number of the parameter.
  ///   - expected: A description of a value that can be stored, as the end of the sentence
  ///     "expected …". It must not contain the value.
  ///   - detail: The path of the faulty part of a composite value, for example `address.city` in
  ///     JSON. Only the `debugDescription` of the error has it, so it may contain keys of the
  ///     value.
  @inline(never)
  public mutating func fail(_ index: Int32, expected: String, detail: String? = nil) {
    guard failure == nil else { return }
    failure = ColumnFailure(
      index: index - 1, expected: expected, found: "a value it cannot store", detail: detail)
    if statement == nil { collected.append(.null) }
  }

  @usableFromInline @inline(never)
  mutating func failTooLarge(_ index: Int32) {
    fail(index, expected: "at most 2,147,483,647 bytes")
  }

  @inlinable @inline(__always)
  mutating func check(_ code: Int32, _ index: Int32) {
    if code != SQLITE_OK { failBinding(code, index) }
  }

  @usableFromInline @inline(never)
  mutating func failBinding(_ code: Int32, _ index: Int32) {
    fail(
      index, expected: "a value within SQLite's limits (\(String(cString: sqlite3_errstr(code))))")
  }

  /// Binds the next parameter in declared order.
  @inlinable @inline(__always)
  mutating func next<Codec: ColumnCodec>(_: Codec.Type, _ value: Codec.Value) {
    position &+= 1
    Codec.bind(value, &self, base &+ position)
  }

  /// Binds the next parameter in declared order to a row's stored property, by the property's
  /// offset.
  @inlinable @inline(__always)
  mutating func next<Codec: ColumnCodec>(
    _: Codec.Type, of row: UnsafeRawPointer, at offsets: UnsafePointer<Int>
  ) {
    let address = row + offsets[Int(position)]
    position &+= 1
    Codec.bind(
      at: address.assumingMemoryBound(to: Codec.Value.self), &self, base &+ position)
  }
}
