import Foundation
import Offshore

/// Brings 100,000 changed rows to a device that has them: a title of each, in pages of 10,000 that are
/// kept until all are there, then applied in one write.
///
/// The answers of the server are there at once. The file does not wait for the disk.
struct ApplyChanges: Job {
  let name = "apply-changes"
  let goal = Goal.known

  private let count = 100_000
  private let rounds = 5

  func measure(in folder: BenchFolder) async throws -> Measurement {
    let snapshot = try Snapshot(rows: count)
    var (device, round) = (try SyncedDevice(folder.file("device.sqlite")), 0)
    var measurement = try await Measurement.alone(rounds: rounds) {
      device.connection.close()
      device = try SyncedDevice(folder.file("device-\(round).sqlite"))
      try device.take(snapshot.answers)
      round += 1
    } ours: {
      try device.take(snapshot.changes)
    }
    let found = try device.connection.read {
      try SQL("SELECT count(*) FROM errands WHERE title = 'Changed'").one($0, as: Int.self)
    }
    try expect(found == count, "\(count) rows, not \(found ?? 0)")
    measurement.tellRate(of: count, "rows")
    return measurement
  }
}
