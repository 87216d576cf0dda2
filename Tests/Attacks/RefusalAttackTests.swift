import OffshoreWire
import Testing

extension AttackTests {
  /// Batches that are refused, and others for the same row after them.
  struct RefusalAttackTests {
    private static let opsPerBatch = isSoak ? 5_000 : 500

    @Test(.timeLimit(.minutes(5)))
    func `Many refused edits of a row do not make its next edits slow`() async throws {
      try await AttackTests.run { server in
        let device = try RawDevice()
        let person = try await server.signUp("eve")
        try await device.fill(server, person.token, [device.note("bomb")])
        return (device, person.token)
      } attack: { server, setting, _ in
        let (port, (device, token)) = (server.port, setting)
        let outcomes = try await Threads.run {
          try (0...10).map { number in
            let isLast = number == 10
            let first = device.note("bomb", table: isLast ? "notes" : "nosuch")
            let edits = (1..<Self.opsPerBatch).map { _ in device.note("bomb") }
            let call = try Call.message(
              device.push([first] + edits), to: "v1/push", token: token, isCompressed: true)
            return try call.send(to: port).message(PushResponse.self).results.first?.outcome
          }
        }
        for outcome in outcomes.dropLast() {
          guard case .rejected = outcome else {
            Issue.record("A batch for an unknown table was answered by \(outcome as Any).")
            return
          }
        }
        guard case .applied? = outcomes.last ?? nil else {
          Issue.record("The batch for a known table was answered by \(outcomes.last as Any).")
          return
        }
      }
    }
  }
}
