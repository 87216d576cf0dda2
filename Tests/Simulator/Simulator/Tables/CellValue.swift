import Offshore
import OffshoreWire

/// A column's value as SQLite stores it, of any type.
struct CellValue: ColumnValue, Hashable {
  let value: WireValue

  enum Codec: ColumnCodec {
    static var sqlType: String { "" }
    static var isNullable: Bool { true }
    static var samples: (CellValue, CellValue) { (CellValue(value: 0), CellValue(value: 1)) }

    static func read(_ row: inout RowReader, _ index: Int32) -> CellValue {
      // The type codes of https://sqlite.org/c3ref/c_blob.html.
      let value: WireValue =
        switch row.storageClass(index) {
        case 1: .integer(Int64.Codec.read(&row, index))
        case 2: .real(Double.Codec.read(&row, index))
        case 3: .text(Array(row.bytes(index)))
        case 4: .blob(Array(row.bytes(index)))
        default: .null
        }
      return CellValue(value: value)
    }

    static func bind(_ value: CellValue, _ row: inout RowWriter, _ index: Int32) {
      switch value.value {
      case .null: row.bindNull(index)
      case .integer(let number): row.bind(number, index)
      case .real(let number): row.bind(number, index)
      case .text(let bytes): bytes.withUnsafeBufferPointer { row.bind(utf8: $0, index) }
      case .blob(let bytes): bytes.withUnsafeBytes { row.bind(blob: $0, index) }
      }
    }
  }
}
