public import CSQLite
public import Foundation

/// A codec that stores bytes as a BLOB; a stored text is an error.
@_documentation(visibility: internal)
public enum DataCodec: ColumnCodec {
  public static var sqlType: String { "BLOB" }
  public static var samples: (Data, Data) { (Data([0]), Data([1])) }

  @inlinable @inline(__always)
  public static func read(_ row: inout RowReader, _ index: Int32) -> Data {
    guard row.storageClass(index) == SQLITE_BLOB else {
      row.fail(index, expected: "a BLOB")
      return Data()
    }
    return Data(row.bytes(index))
  }

  @inlinable @inline(__always)
  public static func bind(_ value: Data, _ row: inout RowWriter, _ index: Int32) {
    value.withUnsafeBytes { row.bind(blob: $0, index) }
  }
}

@_documentation(visibility: internal)
extension Data: ColumnValue { public typealias Codec = DataCodec }
