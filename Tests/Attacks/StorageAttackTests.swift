import Foundation
import OffshoreWire
import TestSupport
import Testing

extension AttackTests {
  /// Requests that cost more with each repetition, or that count twice.
  struct StorageAttackTests {
    @Test(.timeLimit(.minutes(10)))
    func `Scopes that are claimed and left again do not make further claims slow`() async throws {
      // An account may make 2,000 requests at once.
      let (rounds, count) = isSoak ? (4, 480) : (3, 40)
      try await AttackTests.run { server in
        try await server.signUp("eve")
      } attack: { server, person, _ in
        let port = server.port
        let durations = try await Threads.run {
          try (0..<rounds).map { _ in
            let id = DeviceID(UUID())
            let devices = try (0..<count).map { _ in try RawDevice(device: id) }
            let push = PushRequest(
              device: id, epoch: 0, manifestVersion: 1,
              batches: devices.map { $0.batch([$0.note("n")]) })
            let call = try Call.message(push, to: "v1/push", token: person.token)
            let start = ContinuousClock.now
            let results = try call.send(to: port).message(PushResponse.self).results
            let duration = start.duration(to: .now)
            #expect(results.allSatisfy { if case .applied = $0.outcome { true } else { false } })
            for device in devices {
              let leaving = Call(
                method: "DELETE", path: "v1/scopes/\(device.scope.text)/members/\(person.account)",
                token: person.token)
              let status = try leaving.send(to: port).status
              #expect(status == 204)
            }
            return duration
          }
        }
        print("claims: \(durations)")
        let (first, last) = (durations.first ?? .zero, durations.last ?? .zero)
        #expect(last < first * 4 + (isSoak ? .milliseconds(250) : .seconds(5)))
      }
    }

    @Test(.timeLimit(.minutes(5)))
    func `A batch that arrives again under its former number does not count twice`() async throws {
      try await AttackTests.run { server in
        let device = try RawDevice()
        let token = try await server.signUp("eve").token
        try await device.fill(server, token, [device.note("n")])
        return (device, token)
      } attack: { server, setting, _ in
        let (port, (device, token)) = (server.port, setting)
        let vote = device.edit(.increment, "n", ["votes": 1])
        let id = UUID()
        let outcomes = try await Threads.run {
          // The device renumbers the batch from 3 to 2, and the first request arrives late.
          try [Int64](arrayLiteral: 3, 2, 3).map { number in
            let batch = Batch(device.scope, number: number, id: id, ops: [vote])
            let call = try Call.message(device.push(batch), to: "v1/push", token: token)
            return try call.send(to: port).message(PushResponse.self).results.first?.outcome
          }
        }
        #expect(outcomes.first == .gap(expected: 2))
        let row = try await Threads.run {
          try Call(path: "v1/tables/notes/rows/n?scope=\(device.scope)", token: token).send(
            to: port)
        }
        #expect(row.text.contains(#""votes":1"#), "\(row.text) \(outcomes)")
      }
    }

    @Test(.timeLimit(.minutes(5)))
    func `Slow downloads do not use up the files that a server may have open`() async throws {
      let blob = Array(MemoryAttackTests.noise(4_000_000, seed: 1).utf8)
      let path = "v1/blobs/\(ContentHash(of: blob))"
      try await AttackTests.run(openFiles: 700) { server in
        let device = try RawDevice()
        let token = try await server.signUp("eve").token
        try await device.fill(server, token, [device.note("n")])
        let put = Call(
          method: "PUT", path: "\(path)?scope=\(device.scope.text)", token: token, body: blob)
        let answer = try await Threads.run { [port = server.port] in try put.send(to: port) }
        guard 200..<300 ~= answer.status else {
          throw Unanswered(description: "The blob is refused: \(answer.status) \(answer.text)")
        }
        return token
      } attack: { server, token, bystander in
        let port = server.port
        let call = Call(path: path, token: token)
        // A server that accepts no more connections leaves the rest waiting.
        let silent = try await Threads.run(340) { _ in
          guard let socket = Socket(to: port, receiveBuffer: 4_096, timeout: 60) else {
            throw Unanswered(description: "No connection: \(errno)")
          }
          _ = socket.write(call.head)
          return socket
        }
        await bystander.wait(rounds: isSoak ? 50 : 10)
        for socket in silent { socket.close() }
      }
    }

    @Test(.timeLimit(.minutes(5)))
    func `Bodies that arrive slowly do not disturb others, and are refused once no byte arrives`()
      async throws
    {
      try await AttackTests.run { server in
        try await server.signUp("eve").token
      } attack: { server, token, bystander in
        let port = server.port
        var call = Call(method: "POST", path: "v1/push", token: token)
        call.fields["Content-Type"] = WireProtocol.contentType
        call.body = [UInt8](repeating: 0, count: 1_000)
        let (head, path) = (call.head, call.path)
        @Sendable func begin() throws -> Socket {
          guard let socket = Socket(to: port, timeout: 90), socket.write(head + [0]) else {
            throw Unanswered(description: "A body could not be begun.")
          }
          return socket
        }
        let silent = try await Threads.run(isSoak ? 200 : 50) { _ in try begin() }
        guard isSoak else {
          await bystander.wait(rounds: 10)
          for socket in silent { socket.close() }
          return
        }
        let start = ContinuousClock.now
        async let slow = Threads.run {
          let socket = try begin()
          defer { socket.close() }
          // The pauses are the attack. A reset connection refuses the last bytes.
          return try (0..<4).allSatisfy { _ in
            Thread.sleep(forTimeInterval: 20)
            return socket.write([0])
          } && socket.write([UInt8](repeating: 0, count: 995))
            && CallAnswer(from: socket, path).status == 400
        }
        let statuses = try await Threads.run(silent.count) { number in
          defer { silent[number].close() }
          return (try? CallAnswer(from: silent[number], path).status) ?? 0
        }
        let duration = start.duration(to: .now)
        #expect(statuses.allSatisfy { [0, 408].contains($0) }, "\(Set(statuses))")
        #expect(duration > .seconds(25) && duration < .seconds(40))
        #expect(try await slow, "A body of which a byte arrives each 20 seconds was cut off.")
      }
    }
  }
}
