public import CSQLite

/// The current row of a running statement, as codecs see it.
///
/// One reader serves all rows of a fetch. A value that does not fit is noted by
/// ``fail(_:expected:detail:)``; no codec throws.
public struct RowReader {
  /// The statement that is positioned on the row.
  @usableFromInline let statement: OpaquePointer

  /// The first value of the row that did not fit, if any. The loop around the codecs checks it once per row.
  @usableFromInline var failure: ColumnFailure?

  @usableFromInline var position: Int32 = 0
  @usableFromInline let map: UnsafePointer<Int32>?

  /// Creates a reader over a statement.
  /// - Parameter map: for each column in declared order its index in the result, or `nil` where the
  ///   two orders are the same. It must outlive the reader.
  @usableFromInline
  init(_ statement: OpaquePointer, map: UnsafePointer<Int32>? = nil) {
    self.statement = statement
    self.map = map
  }

  /// The storage class of a value: one of `SQLITE_INTEGER`, `SQLITE_FLOAT`, `SQLITE_TEXT`,
  /// `SQLITE_BLOB`, `SQLITE_NULL`.
  @inlinable
  public func storageClass(_ index: Int32) -> Int32 { sqlite3_column_type(statement, index) }

  /// The UTF-8 bytes of a text, or `nil` where there is none; valid until the next step.
  package func text(_ index: Int32) -> UnsafeBufferPointer<UInt8>? {
    storageClass(index) == SQLITE_TEXT ? bytes(index) : nil
  }

  /// The UTF-8 bytes of a text, or the bytes of a BLOB; valid until the next step.
  @inlinable
  public func bytes(_ index: Int32) -> UnsafeBufferPointer<UInt8> {
    // In this order: asking for the count turns a text of a UTF-16 file into UTF-8, which moves it.
    let count = Int(sqlite3_column_bytes(statement, index))
    let start = sqlite3_column_blob(statement, index)
    return UnsafeBufferPointer(
      start: start?.assumingMemoryBound(to: UInt8.self), count: start == nil ? 0 : count)
  }

  /// The text of the bytes at an index, or `nil` where they are not UTF-8.
  ///
  /// `String(validating:as:)` says the same; it is generic, and takes three times as long. `OffshoreWire`,
  /// which stands on nothing, has the like.
  @inlinable @inline(__always)
  func string(_ index: Int32) -> String? {
    let bytes = bytes(index)
    var text = String(decoding: bytes, as: UTF8.self)
    // What is not UTF-8 was repaired, and has other bytes.
    let isSame = text.withUTF8 { own in
      own.count == bytes.count
        && offshore_has_equal_bytes(own.baseAddress, bytes.baseAddress, own.count) != 0
    }
    return isSame ? text : nil
  }

  /// Notes that the value at an index is not what its column holds; the first note of a row stays.
  ///
  /// - Parameters:
  ///   - expected: what would have fitted, as the end of the sentence "expected …", without values.
  ///   - detail: where in the value, for developers; it may reveal a part of it.
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

  /// What is stored at an index, without revealing it: its storage class and size.
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
  /// What would have fitted.
  let expected: String
  /// What was there: a storage class and a size, never the value.
  let found: String
  /// Where in the value, which may reveal a part of it.
  let detail: String?
}
