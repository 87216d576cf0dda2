import OffshoreServer
import OffshoreWire
import ServerSupport
import Testing

@testable import OffshoreSimulator

/// Tests of the deletion of accounts on the simulated server.
struct ServerAccountsTests {
  private let owner = AccountID(Samples.device(1).uuid)
  private let other = AccountID(Samples.device(2).uuid)

  /// Returns a server with a board, its owner and another member.
  private func server(_ role: Role) throws -> SimulatedServer {
    var server = try SimulatedServer(try AppVersion(2), epoch: 1, pageBytes: 1_000)
    for (number, account) in [owner, other].enumerated() {
      try server.addAccount(account, named: "account-\(number)")
      for kind in ["person", "desk"] {
        let scope = try ScopeID(kind: kind, value: account.description)
        _ = try server.grant(.owner, to: account, in: scope, at: 1, nil)
      }
    }
    for (account, role) in [(owner, Role.owner), (other, role)] {
      _ = try server.grant(role, to: account, in: Samples.scope(), at: 1, nil)
    }
    return server
  }

  @Test func `A member who may write owns the board of a deleted account`() throws {
    var server = try server(.editor)
    let violations = try server.deleteAccount(owner, at: 5, nil)
    #expect(violations == [])
    #expect(try server.history.role(of: other, in: Samples.scope()) == .owner)
    #expect(try server.log.grant(of: other, in: Samples.scope())?.role == .owner)
    #expect(try server.history.role(of: owner, in: Samples.scope()) == nil)
    #expect(server.removedScopes.count == 2)
  }

  @Test func `A board that others may only read is removed with the account`() throws {
    var server = try server(.viewer)
    let violations = try server.deleteAccount(owner, at: 5, nil)
    #expect(violations == [])
    #expect(try server.history.role(of: other, in: Samples.scope()) == .revoked)
    #expect(try server.removedScopes.contains(Samples.scope()))
  }

  @Test func `An account that stays is detected`() throws {
    var server = try server(.editor)
    let violations = try server.deleteAccount(owner, at: 5, .keptAccount)
    #expect(violations.map(\.invariant) == [.accounts])
  }
}
