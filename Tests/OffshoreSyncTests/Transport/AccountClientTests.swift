import Foundation
import OffshoreSync
import ServerSupport
import Testing

/// The requests of an account about its own devices, and about its end.
struct AccountClientTests {
  @Test func `An account lists its devices, and signs one of them out`() async throws {
    let server = try await LoopbackServer.fleet()
    let accounts = AccountClient(HTTPTransport(server.url))
    let phone = try await accounts.signUp("ida", "correct horse", as: UUID(), device: "Phone")
    let tablet = try await accounts.signIn("ida", "correct horse", device: "Tablet")
    let devices = try await accounts.devices(token: tablet.token)
    #expect(Set(devices.map(\.name)) == ["Phone", "Tablet"])
    #expect(devices.filter(\.isCurrent).map(\.name) == ["Tablet"])
    #expect(devices.allSatisfy { $0.since > 0 && $0.since < $0.expires })

    let other = try #require(devices.first { !$0.isCurrent })
    try await accounts.endSignIn(of: other, token: tablet.token)
    #expect(try await accounts.devices(token: tablet.token).map(\.name) == ["Tablet"])
    await #expect { try await accounts.endSignIn(of: other, token: tablet.token) } throws: {
      ($0 as? AccountClient.Failure)?.code == .notFound
    }
    await #expect { _ = try await accounts.devices(token: phone.token) } throws: {
      ($0 as? AccountClient.Failure)?.code == .unauthorized
    }
    await server.stop()
  }

  @Test func `An account is deleted by its password, and its id is not free again`() async throws {
    let server = try await LoopbackServer.fleet()
    let accounts = AccountClient(HTTPTransport(server.url))
    let id = UUID()
    let phone = try await accounts.signUp("ida", "correct horse", as: id)
    let tablet = try await accounts.signIn("ida", "correct horse")
    await #expect {
      try await accounts.deleteAccount(password: "wrong horse", token: phone.token)
    } throws: {
      ($0 as? AccountClient.Failure)?.code == .wrongPassword
    }
    #expect(try await accounts.devices(token: tablet.token).count == 2)
    try await accounts.deleteAccount(password: "correct horse", token: phone.token)
    for token in [phone.token, tablet.token] {
      await #expect { _ = try await accounts.devices(token: token) } throws: {
        ($0 as? AccountClient.Failure)?.code == .unauthorized
      }
    }
    await #expect { _ = try await accounts.signIn("ida", "correct horse") } throws: {
      ($0 as? AccountClient.Failure)?.code == .wrongPassword
    }
    await #expect { _ = try await accounts.signUp("ida", "correct horse", as: id) } throws: {
      ($0 as? AccountClient.Failure)?.code == .deleted
    }
    #expect(try await accounts.signUp("ida", "correct horse", as: UUID()).id != id)
    await server.stop()
  }
}
