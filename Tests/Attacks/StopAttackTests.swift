import Foundation
import OffshoreWire
import TestSupport
import Testing

extension AttackTests {
  /// The end of a server that has much to do.
  struct StopAttackTests {
    /// A client with a body that never arrives as a whole, and a push that waits for its turn.
    private struct Client: Sendable {
      let (halfBody, push): (Socket, Socket)

      init(_ call: Call, _ port: UInt16) throws {
        let half = call.body.prefix(call.body.count / 2)
        guard let slow = Socket(to: port, timeout: 60), slow.write(call.head + half),
          let push = Socket(to: port, timeout: 60), push.write(call.head + call.body)
        else { throw Unanswered(description: "A push could not be sent.") }
        (halfBody, self.push) = (slow, push)
      }
    }

    @Test(.timeLimit(.minutes(5)))
    func `A server ends in time although bodies arrive and pushes wait`() async throws {
      let server = try await AttackedServer()
      var tokens: [String] = []
      for name in ["eve", "mallory", "trudy"] { tokens.append(try await server.signUp(name).token) }
      let clients = try await Threads.run(isSoak ? 60 : 12) { [port = server.port, tokens] number in
        let token = tokens[number % tokens.count]
        return try Client(try MemoryAttackTests.bomb(RawDevice(), token, "n\(number)"), port)
      }
      // After the first answer, other pushes are in hand or wait.
      try await Threads.run {
        var pushes = clients.map { client in
          pollfd(fd: client.push.descriptor, events: Int16(POLLIN), revents: 0)
        }
        guard poll(&pushes, nfds_t(pushes.count), 60_000) > 0 else {
          throw Unanswered(description: "No push was answered.")
        }
      }
      try await server.stop()
      for client in clients {
        client.halfBody.close()
        client.push.close()
      }
    }
  }
}
