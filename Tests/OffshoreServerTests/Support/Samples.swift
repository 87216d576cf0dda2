import Foundation
import OffshoreWire
import TestSupport
import Testing

@testable import OffshoreServer

extension UUID {
  /// Returns the UUID of a number.
  static func sample(_ number: UInt8) -> UUID {
    UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, number))
  }
}

extension UUID {
  /// Returns the UUID of a batch's number.
  static func batch(_ number: Int64) -> UUID {
    let (high, low) = (UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number))
    return UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, high, low))
  }
}

extension DeviceID {
  /// Returns the device of a number. The devices have the order of the numbers.
  static func sample(_ number: UInt8) -> DeviceID { DeviceID(.sample(number)) }
}

extension AccountID {
  /// Returns the account of a number.
  static func sample(_ number: UInt8) -> AccountID { AccountID(.sample(number)) }
}

extension Stamp {
  /// Returns the stamp of a time and a device.
  static func at(_ milliseconds: Int64, by device: UInt8 = 1) -> Stamp {
    Stamp(milliseconds: milliseconds, device: .sample(device))
  }
}

extension SeededRandom {
  /// Returns a random number from 0 up to, but not including, a limit.
  mutating func number(below limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }
}

extension NumberedConflict {
  /// Returns a conflict about a task, made by a merge.
  static func sample(_ number: Int64, of id: String = "a") throws -> NumberedConflict {
    let merge = try Merge(Lists.manifest())
    let state = RowState(stamp: .at(900), fields: ["title": "new"])
    let late = Op.edit(id, ["title": WireValue("old \(number)")], at: number, by: 2)
    guard case .merged(let merged) = merge.apply(late, to: state) else {
      throw Rejection(.invalidOp, "The edit is refused.")
    }
    return NumberedConflict(number: number, try #require(merged.conflicts.first))
  }
}

extension SyncedRow {
  /// Returns a row, living by default.
  static func sample(
    _ id: String, seq: Int64, _ presence: RowState.Presence = .living, table: String = "tasks"
  ) -> SyncedRow {
    let state = RowState(
      presence: presence, stamp: .at(seq), fields: ["title": WireValue("№ \(id)"), "done": 1],
      versions: ["done": .at(seq + 1, by: 2)])
    return SyncedRow(RowID(table: table, id: id), seq: seq, state: state)
  }
}
