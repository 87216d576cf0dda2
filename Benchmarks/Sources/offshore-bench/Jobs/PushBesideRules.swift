/// The cost of access rules for pushes that no rule concerns: 64 devices push 20 insertions at a time to a
/// server whose manifest has rules, and as many to one without rules.
///
/// The goal is at most 3 % more time.
struct PushBesideRules: Job {
  let name = "push-rules"
  let goal = Goal.timeRatio(must: 1.03, aim: 1)

  private let pushes = 20
  private let rows = 20
  private let rounds = 15

  func measure(in folder: BenchFolder) async throws -> Measurement {
    let ruled = try PushingDevices(of: LoadServer(in: folder, hasRules: true))
    let plain = try PushingDevices(of: LoadServer(in: folder))
    return try await Measurement.interleaved(rounds: rounds) {
      try ruled.prepare(pushes, rowsEach: rows)
      try plain.prepare(pushes, rowsEach: rows)
    } ours: {
      try await ruled.push()
    } baseline: {
      try await plain.push()
    }
  }
}

/// The devices of a server, with their connections and the requests of the next round.
private final class PushingDevices {
  private let server: LoadServer
  private let connections: [LoadConnection]
  private var devices: [LoadDevice]
  private var requests: [[[UInt8]]] = []

  init(of server: LoadServer) throws {
    self.server = server
    devices = (0..<LoadDevice.count).map { LoadDevice($0, of: server) }
    connections = try devices.map { _ in try LoadConnection(to: server.port) }
  }

  func prepare(_ count: Int, rowsEach rows: Int) throws {
    requests = []
    for index in devices.indices {
      requests.append(try devices[index].requests(count, rowsEach: rows))
    }
  }

  func push() async throws {
    try await LoadConnection.push(requests, over: connections)
  }
}
