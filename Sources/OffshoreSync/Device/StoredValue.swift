package import Offshore
import OffshoreWire

/// A value as SQLite stores it, read bit for bit whatever the declared type of the column.
package struct StoredValue: Hashable, Sendable, ColumnValue {
  let value: WireValue

  /// The number of the storage class of a BLOB (<https://sqlite.org/c3ref/c_blob.html>).
  static let blobClass: Int32 = 4

  /// The codec of values of all five storage classes.
  package enum Codec: ColumnCodec {
    package static var sqlType: String { "" }
    package static var isNullable: Bool { true }
    package static var samples: (StoredValue, StoredValue) {
      (StoredValue(value: 0), StoredValue(value: 1))
    }

    package static func read(_ row: inout RowReader, _ index: Int32) -> StoredValue {
      // The numbers of the storage classes (https://sqlite.org/c3ref/c_blob.html).
      switch row.storageClass(index) {
      case 1: StoredValue(value: .integer(Int64Codec.read(&row, index)))
      case 2: StoredValue(value: .real(DoubleCodec.read(&row, index)))
      case 3: StoredValue(value: .text(Array(row.bytes(index))))
      case blobClass: StoredValue(value: .blob(Array(row.bytes(index))))
      default: StoredValue(value: .null)
      }
    }

    package static func bind(_ value: StoredValue, _ row: inout RowWriter, _ index: Int32) {
      StoredValue.bind(value.value, &row, index)
    }
  }

  /// Binds a value, or NULL for `nil`.
  static func bind(_ value: WireValue?, _ row: inout RowWriter, _ index: Int32) {
    switch value {
    case .null, nil: row.bindNull(index)
    case .integer(let number): row.bind(number, index)
    case .real(let number): row.bind(number, index)
    case .text(let bytes): bytes.withUnsafeBufferPointer { row.bind(utf8: $0, index) }
    case .blob(let bytes): bytes.withUnsafeBytes { row.bind(blob: $0, index) }
    }
  }
}
