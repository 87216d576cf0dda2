public import CSQLite

/// The current row of a running statement, from which codecs read values.
///
/// A ``ColumnCodec`` receives it, and passes it to the codecs of other types. Codecs do not throw:
/// they report a value that does not fit by ``fail(_:expected:detail:)``. A codec that reads
/// SQLite's values itself uses `storageClass(index)`, which is one of SQLite's constants, such as
/// `SQLITE_TEXT`, and `bytes(index)`, the UTF-8 of a text or the bytes of a BLOB, valid until the
/// codec returns.
public struct RowReader {
  /// The statement that is positioned on the row.
  @usableFromInline let statement: OpaquePointer

  /// The first value of the row that did not fit, if any. The loop that calls the codecs checks it
  /// once for each row.
  @usableFromInline var failure: ColumnFailure?

  @usableFromInline var position: Int32 = 0
  @usableFromInline let map: UnsafePointer<Int32>?

  /// Creates a reader over a statement.
  /// - Parameter map: The index in the result of each column in declared order, or `nil` if the two
  ///   orders are equal. It must outlive the reader.
  @usableFromInline
  init(_ statement: OpaquePointer, map: UnsafePointer<Int32>? = nil) {
    self.statement = statement
    self.map = map
  }

  /// Returns the storage class of a value: one of `SQLITE_INTEGER`, `SQLITE_FLOAT`, `SQLITE_TEXT`,
  /// `SQLITE_BLOB`, `SQLITE_NULL`.
  @_documentation(visibility: internal)
  @inlinable
  public func storageClass(_ index: Int32) -> Int32 { sqlite3_column_type(statement, index) }

  /// Returns the UTF-8 bytes of a text, or `nil` for another value. They are valid until the next
  /// step.
  package func text(_ index: Int32) -> UnsafeBufferPointer<UInt8>? {
    storageClass(index) == SQLITE_TEXT ? bytes(index) : nil
  }

  /// Returns the UTF-8 bytes of a text, or the bytes of a BLOB. They are valid until the next step.
  @_documentation(visibility: internal)
  @inlinable
  public func bytes(_ index: Int32) -> UnsafeBufferPointer<UInt8> {
    // The count comes first: it converts a text of a UTF-16 file to UTF-8, which moves the text.
    let count = Int(sqlite3_column_bytes(statement, index))
    let start = sqlite3_column_blob(statement, index)
    return UnsafeBufferPointer(
      start: start?.assumingMemoryBound(to: UInt8.self), count: start == nil ? 0 : count)
  }

  /// Returns the text at an index, or `nil` if its bytes are not UTF-8.
  ///
  /// `String(validating:as:)` does the same, but is generic and three times slower. `OffshoreWire`,
  /// which has no dependencies, has a similar function.
  @inlinable @inline(__always)
  func string(_ index: Int32) -> String? {
    let bytes = bytes(index)
    var text = String(decoding: bytes, as: UTF8.self)
    // Bytes that are not UTF-8 were repaired, so the text has different bytes.
    let isSame = text.withUTF8 { own in
      own.count == bytes.count
        && offshore_has_equal_bytes(own.baseAddress, bytes.baseAddress, own.count) != 0
    }
    return isSame ? text : nil
  }

  /// Reports that the value at an index does not fit its column. The first report for a row counts.
  ///
  /// - Parameters:
  ///   - index: The zero-based index of the value in the row.
  ///   - expected: A description of a fitting value, as the end of the sentence "expected …". It
  ///     must not contain the value.
  ///   - detail: The path of the faulty part of a composite value, for example `address.city` in
  ///     JSON. Only the `debugDescription` of the error has it, so it may contain keys of the
  ///     value.
  @inline(never)
  public mutating func fail(_ index: Int32, expected: String, detail: String? = nil) {
    guard failure == nil else { return }
    failure = ColumnFailure(
      index: index, expected: expected, found: describe(index), detail: detail)
  }

  /// Reads the next column in declared order.
  @inlinable @inline(__always)
  mutating func next<Codec: ColumnCodec>(_: Codec.Type) -> Codec.Value {
    let index = if let map { map[Int(position)] } else { position }
    position &+= 1
    return Codec.read(&self, index)
  }

  /// Describes the value at an index by its storage class and size, without revealing it.
  func describe(_ index: Int32) -> String {
    switch sqlite3_column_type(statement, index) {
    case SQLITE_NULL: "NULL"
    case SQLITE_INTEGER: "an integer"
    case SQLITE_FLOAT: "a real number"
    case SQLITE_TEXT: "a text of \(sqlite3_column_bytes(statement, index)) bytes"
    default: "a BLOB of \(sqlite3_column_bytes(statement, index)) bytes"
    }
  }
}

/// A stored value that does not fit its column, or a value that its column cannot store.
@usableFromInline
struct ColumnFailure: Equatable, Sendable {
  /// The zero-based index of the value in the row, or of the parameter in the statement.
  let index: Int32
  /// A description of the values that would fit.
  let expected: String
  /// The storage class and size of the value, never the value itself.
  let found: String
  /// The path of the faulty part of a composite value, which may contain keys of the value.
  let detail: String?
}
