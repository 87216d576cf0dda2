import Foundation
import Offshore
import OffshoreSync
import OffshoreWire

/// Brings 100,000 rows to an empty device, as the first sync does: pages of 10,000 that are kept until
/// all are there, then applied in one write.
///
/// The answers of the server are there at once. The file does not wait for the disk.
struct Apply: Job {
  let name = "apply"
  let goal = Goal.milliseconds(must: 1000)

  private let count = 100_000
  private let rounds = 5

  func measure(in folder: BenchFolder) async throws -> Measurement {
    let snapshot = try Snapshot(rows: count)
    var (device, round) = (try SyncedDevice(folder.file("device.sqlite")), 0)
    var measurement = try await Measurement.alone(rounds: rounds) {
      device.connection.close()
      device = try SyncedDevice(folder.file("device-\(round).sqlite"))
      round += 1
    } ours: {
      try device.take(snapshot.answers)
    }
    let found = try device.connection.read {
      try SQL("SELECT count(*) FROM errands").one($0, as: Int.self)
    }
    try expect(found == count, "\(count) rows, not \(found ?? 0)")
    measurement.tellRate(of: count, "rows")
    return measurement
  }
}
