/// 64 devices that push 20 insertions at a time to a server over separate connections. Each waits
/// for the answer to a push, which the server sends when the push is on the disk.
///
/// The goal is 20,000 operations a second.
struct PushLoad: Job {
  let name = "push"
  let goal = Goal.milliseconds(must: 2_560)

  private let pushes = 40
  private let rows = 20
  private let rounds = 5

  func measure(in folder: BenchFolder) async throws -> Measurement {
    let server = try LoadServer(in: folder)
    var devices = (0..<LoadDevice.count).map { LoadDevice($0, of: server) }
    let connections = try devices.map { _ in try LoadConnection(to: server.port) }
    var requests: [[[UInt8]]] = []
    var measurement = try await Measurement.alone(rounds: rounds) {
      requests = []
      for index in devices.indices {
        requests.append(try devices[index].requests(pushes, rowsEach: rows))
      }
    } ours: {
      try await LoadConnection.push(requests, over: connections)
    }
    measurement.tellRate(of: LoadDevice.count * pushes * rows, "ops")
    withExtendedLifetime(server) {}
    return measurement
  }
}
