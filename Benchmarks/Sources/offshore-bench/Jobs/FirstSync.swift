import Offshore

/// Sends the rows of a server to a device without rows, over HTTP, from its start until all are
/// shown.
///
/// The goal is 50,000 rows a second.
struct FirstSync: Job {
  let name: String
  let goal: Goal

  private let scopes: Int
  private let rowsEach: Int
  private let rounds: Int

  static let oneScope = FirstSync(name: "first-sync", scopes: 1, rowsEach: 100_000, rounds: 5)
  static let thousandScopes = FirstSync(
    name: "first-sync-1k-scopes", scopes: 1_000, rowsEach: 10, rounds: 5)
  static let tenThousandScopes = FirstSync(
    name: "first-sync-10k-scopes", scopes: 10_000, rowsEach: 10, rounds: 3)

  private init(name: String, scopes: Int, rowsEach: Int, rounds: Int) {
    (self.name, self.scopes, self.rowsEach, self.rounds) = (name, scopes, rowsEach, rounds)
    goal = .milliseconds(must: Double(scopes * rowsEach) / 50)
  }

  func measure(in folder: BenchFolder) async throws -> Measurement {
    let server = try LoadServer(in: folder)
    var source = LoadDevice(0, of: server)
    let requests =
      scopes == 1
      ? try source.requests(rowsEach / 1_000, rowsEach: 1_000)
      : try source.requests(scopes: scopes, rowsEach: rowsEach)
    try await LoadConnection.push([requests], over: [try LoadConnection(to: server.port)])
    var measurement = Measurement()
    for round in -1..<rounds {
      let device = try await SyncingDevice(folder.file("device-\(round).sqlite"), 0, of: server)
      let time = try await Measurement.milliseconds {
        await device.start()
        try await device.wait(for: "SELECT count(*) FROM errands", toBe: scopes * rowsEach)
      }
      await device.end()
      if round >= 0 { measurement.ours.append(time) }
    }
    measurement.tellRate(of: scopes * rowsEach, "rows")
    withExtendedLifetime(server) {}
    return measurement
  }
}
