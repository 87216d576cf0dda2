import OffshoreWire
import Testing

extension AttackTests {
  /// Small requests that make the server read much.
  struct ReadAttackTests {
    private static let rows = isSoak ? 100_000 : 5_000

    /// Returns an account with a scope of many small rows.
    private static func prepare(
      _ server: AttackedServer
    ) async throws -> (device: RawDevice, token: String) {
      let device = try RawDevice()
      let token = try await server.signUp("eve").token
      try await device.fill(server, token, (0..<rows).map { device.note("n\($0)", "a") })
      return (device, token)
    }

    /// Expects that each request was answered, or refused for now, and that some were answered.
    private static func check(_ statuses: [Int]) {
      #expect(statuses.contains(200))
      #expect(statuses.allSatisfy { [200, 429, 503].contains($0) }, "\(Set(statuses))")
    }

    @Test(.timeLimit(.minutes(10)))
    func `Digests of a large scope, asked for from many connections, leave room for others`()
      async throws
    {
      try await AttackTests.run(prepare: Self.prepare) { server, setting, _ in
        let port = server.port
        let call = try Call.message(
          setting.device.pull(limit: 1, wantsDigests: true), to: "v1/pull", token: setting.token)
        Self.check(
          try await Threads.run(isSoak ? 200 : 50) { _ in try call.send(to: port).status })
      }
    }

    @Test(.timeLimit(.minutes(10)))
    func `Rows of a table without any leave room for others, whatever its scope has`() async throws
    {
      try await AttackTests.run(prepare: Self.prepare) { server, setting, _ in
        let port = server.port
        let call = Call(path: "v1/tables/parts/rows", token: setting.token)
        let statuses = try await Threads.run(8) { _ in
          try (0..<(isSoak ? 50 : 5)).map { _ in try call.send(to: port).status }
        }
        Self.check(statuses.flatMap(\.self))
      }
    }

    @Test(.timeLimit(.minutes(10)))
    func `Pulls of many scopes, of which a page has few, leave room for others`() async throws {
      let count = isSoak ? 1_000 : 100
      try await AttackTests.run { server in
        let token = try await server.signUp("eve").token
        let devices = try (0..<count).map { _ in try RawDevice() }
        let text = String(repeating: "a", count: 40_000)
        for device in devices {
          try await device.fill(server, token, [device.note("n", text)])
        }
        return (devices, token)
      } attack: { server, setting, _ in
        let (port, (devices, token)) = (server.port, setting)
        let request = PullRequest(
          device: devices[0].device, manifestVersion: 1, grantsAfter: 0,
          cursors: devices.map {
            PullCursor($0.scope, epoch: 0, position: .changes(after: 0), acknowledged: 0)
          }, limit: 500)
        let call = try Call.message(request, to: "v1/pull", token: token)
        let statuses = try await Threads.run(8) { _ in
          try (0..<(isSoak ? 20 : 2)).map { _ in try call.send(to: port).status }
        }
        Self.check(statuses.flatMap(\.self))
      }
    }
  }
}
