import Foundation
import OffshoreSync
import ServerSupport
import Testing

/// The requests of an account about its own devices.
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
}
