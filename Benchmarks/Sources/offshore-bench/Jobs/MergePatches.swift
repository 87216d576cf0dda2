import Foundation
import OffshoreSync
import OffshoreWire

/// Merges 100,000 patches of two fields; every second patch was made without knowing the current
/// values.
struct MergePatches: Job {
  let name = "merge"
  let goal = Goal.known

  private let count = 100_000
  private let maker = DeviceID(UUID())
  private let other = DeviceID(UUID())

  func measure(in folder: BenchFolder) async throws -> Measurement {
    let merge = try Merge(try Errand.schema().manifest)
    let rows = Errand.rows(count).enumerated().map { $1.synced(seq: Int64($0 + 1)) }
    let ops = rows.map { patch($0) }
    var changed = 0
    var measurement = try await Measurement.alone {
      changed = 0
      for (row, op) in zip(rows, ops) {
        guard case .merged(let merged) = merge.apply(op, to: row.state) else { continue }
        changed += merged.changed.count
      }
    }
    try expect(changed == count * 2, "\(count * 2) changed fields, not \(changed)")
    measurement.tellRate(of: count, "ops")
    return measurement
  }

  private func patch(_ row: SyncedRow) -> Op {
    let seen = row.seq.isMultiple(of: 2) ? row.state.stamp : Stamp(milliseconds: 1, device: other)
    return Op(
      .patch, row.row, fields: ["title": WireValue("Another"), "votes": .integer(13)],
      base: ["title": seen, "votes": seen],
      stamp: Stamp(milliseconds: 1_800_000_000_000 + row.seq, device: maker))
  }
}
