import Offshore
import OffshoreWire

/// Measures an edit on one device until another shows it, with a server and its hints between them:
/// two commits on devices, one on the server, three requests.
///
/// The median must be below 10 ms, and the 99th percentile below 50 ms.
struct DeviceToDevice: Job {
  let name = "device-to-device"
  let goal = Goal.milliseconds(must: 10)

  private let rounds = 300

  func measure(in folder: BenchFolder) async throws -> Measurement {
    let server = try LoadServer(in: folder)
    let here = try await SyncingDevice(folder.file("here.sqlite"), 0, of: server)
    let there = try await SyncingDevice(folder.file("there.sqlite"), 0, of: server)
    await here.start()
    await there.start()
    var errand = Errand.rows(1)[0]
    errand.charterID = try LoadDevice.scope(0).value
    try await here.database.write { [errand] in try errand.insert($0) }
    try await there.wait(for: "SELECT count(*) FROM errands", toBe: 1)
    var measurement = Measurement()
    for round in 1...rounds + 20 {
      let time = try await Measurement.milliseconds {
        try await here.database.write {
          try SQL("UPDATE errands SET votes = \(1_000 + round)").run($0)
        }
        try await there.wait(for: "SELECT votes FROM errands", toBe: 1_000 + round)
      }
      // The first ones include the time to connect.
      if round > 20 { measurement.ours.append(time) }
    }
    await here.end()
    await there.end()
    let slow = measurement.ours.sorted()[rounds * 99 / 100]
    measurement.figures["p99 ms"] = slow
    measurement.counts["p99 over 50 ms"] = .init(found: slow > 50 ? 1 : 0, expected: 0)
    withExtendedLifetime(server) {}
    return measurement
  }
}
