import OffshoreWire
import Testing

@testable import OffshoreServer

/// The behaviour of accounts that all storages share.
struct AccountStorageTests {
  @Test(arguments: StorageKind.allCases)
  func `An account is found by id and by name, and can be replaced`(kind: StorageKind) async throws
  {
    try await kind.write { log in
      var account = try Account.sample(1)
      #expect(try log.account(account.id) == nil && log.account(named: account.name) == nil)
      try log.setAccount(account)
      try log.setAccount(.sample(2))
      #expect(try log.account(account.id) == account)
      #expect(try log.account(named: account.name) == account)
      account.password = PasswordHash(stored: "another")
      account.isDisabled = true
      try log.setAccount(account)
      #expect(try log.account(account.id) == account)
      #expect(try log.account(.sample(2)) == .sample(2))
    }
  }

  @Test(arguments: StorageKind.allCases)
  func `An account reads a scope from its state when the reading began`(kind: StorageKind)
    async throws
  {
    try await kind.write { log in
      let (account, scope) = (AccountID.sample(1), try ScopeID("list/1"))
      func grant(_ role: Role, isByRule: Bool = false) throws -> ReadingStart? {
        var state = try log.scope(scope)
        (state.head, state.conflicts) = (state.head + 1, state.conflicts + 10)
        try log.setScope(scope, state)
        try log.grant(role, to: account, in: scope, isByRule: isByRule)
        return try log.reading(of: account, in: scope)?.start
      }
      #expect(try log.reading(of: account, in: scope) == nil)
      #expect(try grant(.viewer) == ReadingStart(conflicts: 10))
      #expect(try grant(.owner) == ReadingStart(conflicts: 10))
      #expect(try grant(.revoked) == nil)
      #expect(try grant(.viewer, isByRule: true) == ReadingStart(head: 4, conflicts: 40))
      #expect(try log.reading(of: account, in: scope)?.grant.role == .viewer)
    }
  }

  @Test(arguments: StorageKind.allCases)
  func `Memberships of a kind are those that an account has now`(kind: StorageKind) async throws {
    try await kind.write { log in
      let scopes = ["list/1", "list/2", "list/3", "list/4", "lists/1", "lis/1"]
      let roles: [Role] = [.owner, .editor, .viewer, .viewer, .viewer, .owner]
      for (scope, role) in zip(scopes, roles) {
        try log.grant(role, to: .sample(1), in: ScopeID(scope))
        try log.grant(.viewer, to: .sample(2), in: ScopeID(scope))
      }
      #expect(try log.membershipCount(of: .sample(1), ofKind: "list") == 4)
      try log.grant(.revoked, to: .sample(1), in: ScopeID("list/3"))
      try log.grant(.left, to: .sample(1), in: ScopeID("list/4"))
      #expect(try log.membershipCount(of: .sample(1), ofKind: "list") == 2)
      #expect(try log.membershipCount(of: .sample(1), ofKind: "lists") == 1)
      #expect(try log.membershipCount(of: .sample(1), ofKind: "other") == 0)
      #expect(try log.membershipCount(of: .sample(3), ofKind: "list") == 0)
    }
  }

  @Test(arguments: StorageKind.allCases)
  func `Accounts are listed in the order of their ids, from one of them on`(kind: StorageKind)
    async throws
  {
    try await kind.write { log in
      #expect(try log.accounts(after: nil, limit: 9).isEmpty)
      let numbers: [UInt8] = [200, 3, 16, 1]
      for number in numbers { try log.setAccount(.sample(number)) }
      let ids = numbers.map { AccountID.sample($0) }.sorted()
      #expect(ids.first == .sample(1) && ids.last == .sample(200))
      #expect(try log.accounts(after: nil, limit: 9) == ids)
      #expect(try log.accounts(after: nil, limit: 2) == Array(ids[..<2]))
      #expect(try log.accounts(after: ids[1], limit: 9) == Array(ids[2...]))
      #expect(try log.accounts(after: ids[3], limit: 9).isEmpty)
    }
  }

  @Test(arguments: StorageKind.allCases)
  func `Tokens are found by their hash and listed by creation time`(kind: StorageKind) async throws
  {
    try await kind.write { log in
      for number in [UInt8(1), 2] { try log.setAccount(.sample(number)) }
      let tokens = (0..<5).map { (number: UInt8) in
        AccessToken(
          hash: Secret.sample(number).hash, account: .sample(number < 4 ? 1 : 2),
          label: "№ \(number)", created: 100 - Int64(number), expires: 1_000 + Int64(number))
      }
      for token in tokens { try log.addToken(token) }
      for token in tokens { #expect(try log.token(token.hash) == token) }
      #expect(try log.tokens(of: .sample(1)) == tokens[..<4].reversed())
      try log.removeToken(tokens[1].hash)
      try log.removeToken(tokens[1].hash)
      #expect(try log.token(tokens[1].hash) == nil)
      try log.removeExpired(at: 1_002)
      #expect(try log.tokens(of: .sample(1)) == [tokens[3]])
      #expect(try log.tokens(of: .sample(2)) == [tokens[4]])
    }
  }

  @Test(arguments: StorageKind.allCases)
  func `All tokens and all invitations can be removed, and are counted`(kind: StorageKind)
    async throws
  {
    try await kind.write { log in
      try log.setAccount(.sample(1))
      for number in 1...2 {
        let hash = Secret.sample(UInt8(number)).hash
        try log.addToken(
          AccessToken(hash: hash, account: .sample(1), label: "", created: 1, expires: 2))
        try log.addInvitation(
          Invitation(
            hash: hash, scope: Lists.scope("1"), role: .viewer, inviter: .sample(1), expires: 2))
      }
      #expect(try log.removeAllTokens() == 2)
      #expect(try log.tokens(of: .sample(1)).isEmpty)
      #expect(try log.invitations(to: Lists.scope("1")).count == 2)
      #expect(try log.removeAllInvitations() == 2)
      #expect(try log.invitations(to: Lists.scope("1")).isEmpty)
      #expect(try log.removeAllTokens() + log.removeAllInvitations() == 0)
    }
  }

  @Test(arguments: StorageKind.allCases)
  func `An invitation is stored until it is removed or expires`(kind: StorageKind) async throws {
    try await kind.write { log in
      try log.setAccount(.sample(1))
      let invitations = try (0..<3).map { (number: UInt8) in
        Invitation(
          hash: Secret.sample(number).hash, scope: try Lists.scope("\(number)"),
          role: number == 0 ? .viewer : .editor, inviter: .sample(1),
          expires: 500 + Int64(number))
      }
      for invitation in invitations { try log.addInvitation(invitation) }
      for each in invitations { #expect(try log.invitation(each.hash) == each) }
      try log.removeInvitation(invitations[2].hash)
      try log.removeExpired(at: 500)
      #expect(try log.invitation(invitations[0].hash) == nil)
      #expect(try log.invitation(invitations[1].hash) == invitations[1])
      #expect(try log.invitation(invitations[2].hash) == nil)
      try log.removeInvitations(to: Lists.scope("2"))
      #expect(try log.invitation(invitations[1].hash) == invitations[1])
      try log.removeInvitations(to: Lists.scope("1"))
      #expect(try log.invitation(invitations[1].hash) == nil)
    }
  }

  @Test(arguments: StorageKind.allCases)
  func `Members are listed by name, each with the current role`(
    kind: StorageKind
  ) async throws {
    try await kind.write { log in
      let scope = try Lists.scope("1")
      #expect(try !log.hasGrants(in: scope))
      for number in [UInt8(3), 1, 2] { try log.setAccount(.sample(number)) }
      try log.grant(.owner, to: .sample(3), in: scope)
      try log.grant(.editor, to: .sample(1), in: scope)
      try log.grant(.revoked, to: .sample(1), in: scope)
      try log.grant(.viewer, to: .sample(2), in: Lists.scope("2"))
      let names = try (1...3).map { try Account.sample($0).name }
      #expect(
        try log.members(of: scope) == [
          Member(.sample(1), name: names[0], role: .revoked),
          Member(.sample(3), name: names[2], role: .owner),
        ])
      #expect(try log.hasGrants(in: scope))
      #expect(try log.members(of: Lists.scope("3")) == [])
      #expect(try !log.hasGrants(in: Lists.scope("3")))
    }
  }
}

extension Account {
  /// Returns the account of a number. The names have the order of the numbers.
  static func sample(_ number: UInt8) throws -> Account {
    Account(
      id: .sample(number), name: try AccountName("person-\(number)"),
      password: PasswordHash(stored: "hash \(number)"), created: Int64(number))
  }
}

extension Secret {
  /// Returns the secret of a number.
  static func sample(_ number: UInt8) -> Secret {
    Secret(bytes: Array(repeating: number, count: byteCount))
  }
}
