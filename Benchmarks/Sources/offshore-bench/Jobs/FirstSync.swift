import Offshore

/// Sends the 100,000 rows of a server to a device without rows, over HTTP, from its start until all
/// are shown.
///
/// The goal is 50,000 rows a second.
struct FirstSync: Job {
  let name = "first-sync"
  let goal = Goal.milliseconds(must: 2_000)

  private let count = 100_000
  private let rounds = 5

  func measure(in folder: BenchFolder) async throws -> Measurement {
    let server = try LoadServer(in: folder)
    var source = LoadDevice(0, of: server)
    let requests = try source.requests(count / 1_000, rowsEach: 1_000)
    try await LoadConnection.push([requests], over: [try LoadConnection(to: server.port)])
    var measurement = Measurement()
    for round in -1..<rounds {
      let device = try await SyncingDevice(folder.file("device-\(round).sqlite"), 0, of: server)
      let time = try await Measurement.milliseconds {
        await device.start()
        try await device.wait(for: "SELECT count(*) FROM errands", toBe: count)
      }
      await device.end()
      if round >= 0 { measurement.ours.append(time) }
    }
    measurement.tellRate(of: count, "rows")
    withExtendedLifetime(server) {}
    return measurement
  }
}
