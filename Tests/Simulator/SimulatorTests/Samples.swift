import Foundation
import OffshoreWire

@testable import OffshoreSimulator

/// Sample values for the model's tests.
enum Samples {
  static func device(_ number: UInt8) -> DeviceID {
    DeviceID(UUID(uuid: (number, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, number)))
  }

  static func stamp(_ milliseconds: Int64, by number: UInt8 = 1) -> Stamp {
    Stamp(milliseconds: milliseconds, device: device(number))
  }

  static func scope(_ value: String = "b1") throws -> ScopeID {
    try ScopeID(kind: "board", value: value)
  }

  static let card = RowID(table: "cards", id: "c1")

  /// Returns an edit of a row, by default the card.
  static func edit(
    _ kind: Op.Kind = .patch, _ fields: [String: WireValue] = [:], at time: Int64,
    by number: UInt8 = 1, generation: Int64 = 1, seen: [String: Stamp] = [:], of row: RowID = card
  ) -> ModelEdit {
    ModelEdit(
      Op(
        kind, row, generation: generation, fields: fields, base: seen,
        stamp: stamp(time, by: number)), notAfter: 1_000_000)
  }
}
