import Foundation
import OffshoreServer
import OffshoreSync
import OffshoreWire
import ServerSupport
import Testing

/// The requests of an account about its own devices, about invitations, and about its end.
struct AccountClientTests {
  /// Returns the code of a failure, or `nil` if there is none.
  private func code(
    _ body: () async throws -> Void
  ) async -> AccountClient.Failure.Code? {
    do {
      try await body()
      return nil
    } catch {
      return (error as? AccountClient.Failure)?.code
    }
  }

  @Test(arguments: ["c9", "a?b%c#d&e;f"])
  func `An invitation has its terms, a preview, and errors with codes`(value: String) async throws {
    let schema = try SyncSchema(
      version: 1, SyncTable(Charter.self, scope: .kind("charter", \.id)),
      claimableKinds: ["charter"], memberLimits: ["charter": 2])
    let server = try LoopbackServer(schema.manifest)
    let accounts = AccountClient(HTTPTransport(server.url))
    let ida = try await accounts.signUp("ida", "correct horse", as: UUID())
    let ben = try await accounts.signUp("ben", "correct horse", as: UUID())
    let scope = try ScopeID(kind: "charter", value: value)
    try await server.storage.write { log in
      _ = try log.grant(.owner, to: AccountID(ida.id), in: scope)
    }
    let invitation = try await accounts.invite(
      to: scope, as: .viewer, uses: 2, label: "crew", title: "Kornati", lifetime: .seconds(120),
      token: ida.token)
    #expect(invitation.uses == 2 && invitation.role == .viewer)
    let preview = try await accounts.preview(invitation.code, token: ben.token)
    #expect(preview.scope == scope.text && preview.title == "Kornati" && preview.members == 1)
    #expect(preview.inviter == "ida" && preview.expires == invitation.expires)
    #expect(try await accounts.accept(invitation.code, token: ben.token) == scope)
    let members = try await accounts.members(of: scope, token: ben.token)
    #expect(Set(members.map(\.name)) == ["ida", "ben"])
    let open = try await accounts.invitations(to: scope, token: ida.token)
    #expect(open.map(\.uses) == [1] && open.map(\.label) == ["crew"])

    let eve = try await accounts.signUp("eve", "correct horse", as: UUID())
    let full = await code { _ = try await accounts.accept(invitation.code, token: eve.token) }
    #expect(full == .scopeFull)
    let foreign = await code { _ = try await accounts.invitations(to: scope, token: eve.token) }
    #expect(foreign == .forbidden)
    try await accounts.withdraw(invitation.id, to: scope, token: ida.token)
    let ended = await code { _ = try await accounts.preview(invitation.code, token: eve.token) }
    #expect(ended == .invalidInvitation)
    await server.stop()
  }

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
