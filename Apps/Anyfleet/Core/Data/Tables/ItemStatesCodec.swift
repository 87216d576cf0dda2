import Foundation
import Offshore
import OffshoreJSON

/// Stores ticks as a JSON object by item.
enum ItemStatesCodec: ColumnCodec {
  static let sqlType = "TEXT"
  static let samples = (
    ItemStates(), ItemStates(entries: [UUIDText.samples.0: .init(isChecked: true)])
  )

  static func read(_ row: inout RowReader, _ index: Int32) -> ItemStates {
    do {
      return try ItemStates(json: row.bytes(index))
    } catch {
      let reason = (error as? JSONScanner.Fault)?.reason ?? "is not readable"
      row.fail(index, expected: "JSON of ticks by item, but the text \(reason)")
      return samples.0
    }
  }

  static func bind(_ value: ItemStates, _ row: inout RowWriter, _ index: Int32) {
    StringCodec.bind(value.json, &row, index)
  }
}

extension CodecKind where Codec == ItemStatesCodec {
  /// Ticks as a JSON object by item.
  static var itemStates: Self { Self() }
}
