import Foundation
import Offshore

/// Delivers 100,000 rows to a device, in pages of 10,000 that are stored until all have arrived and
/// then applied in one write.
///
/// The bodies of the server's answers are available at once. The file does not wait for the disk.
struct Apply: Job {
  let name: String
  let goal: Goal
  private let isFirst: Bool

  /// To an empty device, as in the first sync.
  static let first = Apply(name: "apply", goal: .milliseconds(must: 1000), isFirst: true)
  /// To a device that has the rows: a title of each has changed.
  static let changes = Apply(name: "apply-changes", goal: .known, isFirst: false)

  private let count = 100_000
  private let rounds = 5

  private init(name: String, goal: Goal, isFirst: Bool) {
    (self.name, self.goal, self.isFirst) = (name, goal, isFirst)
  }

  func measure(in folder: BenchFolder) async throws -> Measurement {
    let snapshot = try Snapshot(rows: count)
    var (device, round) = (try SyncedDevice(folder.file("device.sqlite")), 0)
    var measurement = try await Measurement.alone(rounds: rounds) {
      device.connection.close()
      device = try SyncedDevice(folder.file("device-\(round).sqlite"))
      if !isFirst { try device.apply(snapshot.answers) }
      round += 1
    } ours: {
      try device.apply(isFirst ? snapshot.answers : snapshot.changes)
    }
    let found = try device.connection.read {
      try SQL("SELECT count(*) FROM errands WHERE (title = 'Changed') <> \(isFirst)")
        .first($0, as: Int.self)
    }
    try expect(found == count, "\(count) rows, not \(found ?? 0)")
    measurement.tellRate(of: count, "rows")
    return measurement
  }
}
