/// The cost of access rules for pushes that no rule concerns: 64 devices push 20 insertions at a time to a
/// server whose manifest has rules, and as many to one without rules.
///
/// The goal is at most 3 % more time of the processors for the server. The time until the answers also has
/// that of the devices and of the disk, which is larger and varies by more. Two processes of one program can
/// differ by more, too, such as by the places of their memory, so there are several pairs of servers, which
/// take turns.
struct PushBesideRules: Job {
  let name = "push-rules"
  let goal = Goal.timeRatio(must: 1.03, aim: 1)

  private let pushes = 4
  private let rows = 20
  /// Odd, so that each pair has rounds that begin with either server.
  private let pairCount = 3
  private let rounds = 90

  func measure(in folder: BenchFolder) async throws -> Measurement {
    // NB: All servers start before the first connection, because Foundation's `Process` may crash beside
    // a thousand open files.
    let servers = try (0..<pairCount).map { _ in
      (ruled: try LoadServer(in: folder, hasRules: true), plain: try LoadServer(in: folder))
    }
    let pairs = try servers.map {
      (ruled: try PushingDevices(of: $0.ruled), plain: try PushingDevices(of: $0.plain))
    }
    for pair in pairs {
      for devices in [pair.ruled, pair.plain] {
        try devices.prepare(pushes, rowsEach: rows)
        _ = try await devices.push()
      }
    }
    var turn = 0
    return try await Measurement.interleavedTimes(rounds: rounds) {
      turn = (turn + 1) % pairs.count
      try pairs[turn].ruled.prepare(pushes, rowsEach: rows)
      try pairs[turn].plain.prepare(pushes, rowsEach: rows)
    } ours: {
      try await pairs[turn].ruled.push()
    } baseline: {
      try await pairs[turn].plain.push()
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

  /// Sends the requests.
  /// - Returns: the time of the processors for the server, in milliseconds.
  func push() async throws -> Double {
    let start = try server.processorTime
    try await LoadConnection.push(requests, over: connections)
    return try server.processorTime - start
  }
}
