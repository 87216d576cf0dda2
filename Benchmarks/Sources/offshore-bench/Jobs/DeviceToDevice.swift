import Offshore
import OffshoreWire

/// Measures an edit on one device until another shows it, with a server and its hints between them:
/// two commits on devices, one on the server, three requests.
///
/// The median must be below 10 ms, and the 99th percentile below 50 ms.
struct DeviceToDevice: Job {
  let name: String
  let goal = Goal.milliseconds(must: 10)

  /// The number of scopes that the devices have, with ten rows each.
  private let scopes: Int
  private let rounds = 300

  static let oneScope = DeviceToDevice(name: "device-to-device", scopes: 1)
  static let thousandScopes = DeviceToDevice(name: "device-to-device-1k-scopes", scopes: 1_000)
  static let tenThousandScopes = DeviceToDevice(name: "device-to-device-10k-scopes", scopes: 10_000)

  func measure(in folder: BenchFolder) async throws -> Measurement {
    let server = try LoadServer(in: folder)
    let requests = try LoadDevice(0, of: server).requests(scopes: scopes, rowsEach: 10)
    try await LoadConnection.push([requests], over: [try LoadConnection(to: server.port)])
    let here = try await SyncingDevice(folder.file("here.sqlite"), 0, of: server)
    let there = try await SyncingDevice(folder.file("there.sqlite"), 0, of: server)
    await here.start()
    await there.start()
    for device in [here, there] {
      try await device.wait(for: "SELECT count(*) FROM errands", toBe: scopes * 10)
    }
    let id = "edited"
    let charter = try LoadDevice.scope(scopes / 2).value
    try await here.database.write {
      try SQL(
        """
        INSERT INTO errands (id, charterID, title, items, votes, rank, isOpen)
        VALUES (\(id), \(charter), 'Edited', '{}', 0, 0, 0)
        """
      ).run($0)
    }
    try await there.wait(for: "SELECT count(*) FROM errands", toBe: scopes * 10 + 1)
    var measurement = Measurement()
    for round in 1...rounds + 20 {
      let time = try await Measurement.milliseconds {
        try await here.database.write {
          try SQL("UPDATE errands SET votes = \(1_000 + round) WHERE id = \(id)").run($0)
        }
        try await there.wait(
          for: "SELECT votes FROM errands WHERE id = \(id)", toBe: 1_000 + round)
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
