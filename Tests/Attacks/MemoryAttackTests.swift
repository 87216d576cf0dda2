import OffshoreWire
import TestSupport
import Testing

extension AttackTests {
  /// Small requests that need much memory.
  struct MemoryAttackTests {
    /// Returns an account with a device.
    private static func prepare(
      _ server: AttackedServer
    ) async throws -> (device: RawDevice, token: String) {
      (try RawDevice(), try await server.signUp("eve").token)
    }

    /// Returns a push of a few dozen KB that has nearly 8 MiB once it is decompressed.
    static func bomb(_ device: RawDevice, _ token: String, _ name: String) throws -> Call {
      let text = String(repeating: "a", count: 1_500)
      let push = device.push((0..<5_000).map { device.note("\(name)-\($0)", text) })
      return try .message(push, to: "v1/push", token: token, isCompressed: true)
    }

    @Test(.timeLimit(.minutes(10)))
    func `Compressed bodies that arrive at once are decompressed as memory allows`() async throws {
      // The bodies are made before, because the bystander would wait for the work of making them.
      try await AttackTests.run { server in
        let (_, token) = try await Self.prepare(server)
        return try (0..<(isSoak ? 60 : 20)).map {
          try Self.bomb(RawDevice(), token, "n\($0)")
        }
      } attack: { server, calls, _ in
        let port = server.port
        let statuses = try await Threads.run(calls.count) { number in
          #expect(calls[number].body.count < 100 << 10)
          return try calls[number].send(to: port, timeout: 300).status
        }
        #expect(statuses.contains(200))
        #expect(statuses.allSatisfy { [200, 429, 503].contains($0) }, "\(Set(statuses))")
      }
    }

    @Test(.timeLimit(.minutes(10)))
    func `Compressed bodies that arrive all the time do not delay short requests`() async throws {
      try await AttackTests.run { server in
        let (_, token) = try await Self.prepare(server)
        return try (0..<4).map { try Self.bomb(RawDevice(), token, "n\($0)") }
      } attack: { server, calls, _ in
        let port = server.port
        let statuses = try await Threads.run(calls.count) { number in
          // The same batch is repeated, so that nothing but the body is work.
          try (0..<(isSoak ? 50 : 3)).map { _ in
            try calls[number].send(to: port, timeout: 300).status
          }
        }
        #expect(statuses.flatMap(\.self).contains(200))
      }
    }

    @Test(.timeLimit(.minutes(10)))
    func `A push of a few bytes that changes many large rows does not load them all`() async throws
    {
      let count = isSoak ? 300 : 70
      try await AttackTests.run { server in
        let setting = try await Self.prepare(server)
        let text = String(repeating: "b", count: 1_000_000)
        let notes = (0..<count).map { setting.device.note("n\($0)", text) }
        try await setting.device.fill(server, setting.token, notes)
        return setting
      } attack: { server, setting, _ in
        let (port, (device, token)) = (server.port, setting)
        let patches = (0..<count).map { device.edit(.patch, "n\($0)", ["weight": 1]) }
        let results = try await Threads.run {
          try Call.message(device.push(patches), to: "v1/push", token: token).send(to: port)
            .message(PushResponse.self).results
        }
        guard case .rejected(let rejection, _)? = results.first?.outcome else {
          Issue.record("The patches were answered by \(results).")
          return
        }
        #expect(rejection.code == .tooLarge)
      }
    }

    @Test(.timeLimit(.minutes(10)))
    func `The deletion of a row ends many large rows that refer to it without loading them all`()
      async throws
    {
      let count = isSoak ? 300 : 70
      try await AttackTests.run { server in
        let setting = try await Self.prepare(server)
        let text = String(repeating: "c", count: 512_000)
        let device = setting.device
        let parts = (0..<count).map { device.part("p\($0)", of: "parent", text) }
        try await device.fill(server, setting.token, [device.note("parent")] + parts)
        return setting
      } attack: { server, setting, _ in
        let (port, (device, token)) = (server.port, setting)
        let results = try await Threads.run {
          let deletion = device.edit(.delete, "parent")
          return try Call.message(device.push([deletion]), to: "v1/push", token: token)
            .send(to: port).message(PushResponse.self).results
        }
        guard case .applied? = results.first?.outcome else {
          Issue.record("The deletion was answered by \(results).")
          return
        }
        let left = try await Threads.run {
          try Call(path: "v1/tables/parts/rows", token: token).send(to: port)
        }
        #expect(left.status == 200 && !left.text.contains("parent"))
      }
    }

    @Test(.timeLimit(.minutes(10)))
    func `Clients that do not read their answers do not hold memory`() async throws {
      let count = isSoak ? 200 : 40
      try await AttackTests.run { server in
        let setting = try await Self.prepare(server)
        // Bytes without a pattern, because answers that become small are sent at once.
        let notes = (0..<4).map { number in
          setting.device.note("n\(number)", Self.noise(950_000, seed: UInt64(number)))
        }
        try await setting.device.fill(server, setting.token, notes)
        return setting
      } attack: { server, setting, bystander in
        let (port, (device, token)) = (server.port, setting)
        let call = try Call.message(device.pull(), to: "v1/pull", token: token)
        let silent = try await Threads.run(count) { _ in
          guard let socket = Socket(to: port, receiveBuffer: 4_096, timeout: 60),
            socket.write(call.head + call.body)
          else { throw Unanswered(description: "A pull could not be sent.") }
          return socket
        }
        await bystander.wait(rounds: isSoak ? 50 : 10)
        for socket in silent { socket.close() }
      }
    }

    /// Returns text that does not become much smaller by compression.
    static func noise(_ count: Int, seed: UInt64) -> String {
      var random = SeededRandom(seed: seed)
      var bytes: [UInt8] = []
      bytes.reserveCapacity(count)
      while bytes.count < count {
        let bits = random.next()
        for shift in stride(from: 0, to: 60, by: 6) { bytes.append(48 + UInt8(bits >> shift & 63)) }
      }
      return String(decoding: bytes, as: UTF8.self)
    }
  }
}
