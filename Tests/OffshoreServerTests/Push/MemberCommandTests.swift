import Foundation
import OffshoreWire
import ServerSupport
import Testing

@testable import OffshoreServer

/// Commands about members, pushed as batches. Account 1 owns lists 1 and 2, and can add known accounts;
/// account 2 is a viewer of list 1, 3 an editor of list 2, and 4 a stranger.
struct MemberCommandTests {
  private var server: TestServer
  private let list: ScopeID

  init() throws {
    server = try TestServer()
    list = try Lists.scope("1")
    server.pushRules = try PushRules(
      Manifest(
        version: 1, tables: [Lists.lists, Lists.tasks], claimableKinds: ["list"],
        admittingKinds: ["list"]))
    for number in 1...UInt8(4) {
      server.log.setAccount(
        Account(
          id: .sample(number), name: try AccountName("person-\(number)"), password: .none,
          created: 0))
    }
    try server.log.grant(.editor, to: .sample(3), in: Lists.scope("2"))
    _ = try server.push(1, [.list("1", at: 1)])
  }

  private func command(
    _ role: Role, of account: UInt8, by device: UInt8, isAddition: Bool = false
  ) -> Op {
    MemberCommand(role, of: AccountID.sample(account).uuid, isAddition: isAddition)
      .op(at: .at(5, by: device))
  }

  /// Adds an account to list 1, by its owner.
  private mutating func add(
    _ account: UInt8, as role: Role = .viewer, number: Int64 = 2
  ) throws -> BatchResult.Outcome? {
    try server.push(number, [command(role, of: account, by: 1, isAddition: true)])
  }

  /// Pushes a command from the device with the number of its account.
  private mutating func push(
    _ role: Role, of account: UInt8, by sender: UInt8, number: Int64? = nil, in list: String = "1"
  ) throws -> BatchResult.Outcome? {
    try server.push(
      number ?? (sender == 1 ? 2 : 1), in: list, [command(role, of: account, by: sender)],
      device: sender, account: sender)
  }

  private func role(_ account: UInt8) -> Role? {
    server.log.grant(of: .sample(account), in: list)?.role
  }

  private func name(_ account: UInt8) throws -> String? {
    let row = try server.state(MemberRow.id(of: AccountID.sample(account).uuid))
    return row.flatMap { $0.isLiving ? $0.fields["name"]?.string : nil }
  }

  // MARK: - What they do

  @Test mutating func `An owner changes a role, and removes the member`() throws {
    let head = try server.scope().head
    #expect(
      try push(.editor, of: 2, by: 1)?.range == SeqRange(first: head + 1, count: 1))
    #expect(try role(2) == .editor && name(2) == "person-2")
    #expect(try push(.revoked, of: 2, by: 1, number: 3)?.range?.count == 1)
    #expect(try role(2) == .revoked && name(2) == nil)
    #expect(
      try push(.revoked, of: 2, by: 1, number: 4)?.range?.count == 0, "it is removed already")
  }

  @Test mutating func `A member leaves with a copy or without`() throws {
    #expect(try push(.left, of: 2, by: 2)?.range?.count == 1)
    #expect(role(2) == .left)
    try server.log.grant(.viewer, to: .sample(2), in: list)
    #expect(try push(.revoked, of: 2, by: 2, number: 2)?.range != nil)
    #expect(role(2) == .revoked)
    #expect(server.log.device(.sample(2), in: list).forbiddenOps == 0)
  }

  @Test mutating func `If the last owner leaves, the next one becomes owner in the same batch`()
    throws
  {
    try server.log.grant(.editor, to: .sample(3), in: list)
    #expect(try push(.left, of: 1, by: 1)?.range?.count == 2)
    #expect(role(1) == .left && role(3) == .owner)
  }

  @Test mutating func `A command takes effect once`() throws {
    #expect(try push(.editor, of: 2, by: 1)?.range != nil)
    try server.log.grant(.viewer, to: .sample(2), in: list)
    let batch = try TestServer.batch(2, [command(.editor, of: 2, by: 1)])
    let repeated = try server.push([batch]).results.first
    #expect(repeated?.isRepeated == true && repeated?.outcome.range != nil)
    #expect(role(2) == .viewer)
  }

  // MARK: - Known accounts

  @Test mutating func `An owner adds an account that shares another scope`() throws {
    #expect(try add(3)?.range?.count == 1)
    #expect(try role(3) == .viewer && name(3) == "person-3")
  }

  @Test mutating func `An added account that is a member gets the role`() throws {
    #expect(try add(2, as: .editor)?.range?.count == 1)
    #expect(role(2) == .editor)
  }

  @Test(arguments: [Role.left, .revoked])
  mutating func `No former member is added`(_ ended: Role) throws {
    try server.log.grant(.editor, to: .sample(2), in: Lists.scope("2"))
    #expect(try push(ended, of: 2, by: 2)?.range != nil)
    #expect(try add(2)?.rejection == .forbidden)
    #expect(role(2) == ended)
  }

  @Test mutating func `No stranger is added, and a changed role adds no account`() throws {
    let before = server.log
    #expect(try add(4)?.rejection == .forbidden)
    #expect(try add(99, number: 3)?.rejection == .forbidden)
    #expect(try push(.viewer, of: 3, by: 1, number: 4)?.rejection == .forbidden)
    #expect(try add(3, as: .revoked, number: 5)?.range?.count == 0)
    #expect(role(4) == nil && role(3) == nil)
    #expect(try server.scope() == before.scope(list))
  }

  @Test mutating func `Without admitting kinds, accounts join by invitations only`() throws {
    server.pushRules = try PushRules(Lists.manifest())
    #expect(try add(3)?.rejection == .forbidden)
    #expect(role(3) == nil)
  }

  @Test mutating func `No account is added to a full scope, or beyond its memberships`() throws {
    func rules(members: Int, memberships: Int) throws -> PushRules {
      try PushRules(
        Manifest(
          version: 1, tables: [Lists.lists, Lists.tasks], claimableKinds: ["list"],
          admittingKinds: ["list"], memberLimits: ["list": members],
          membershipLimits: ["list": memberships]))
    }
    let before = try server.scope()
    server.pushRules = try rules(members: 2, memberships: 9)
    #expect(try add(3)?.rejection == .scopeFull)
    server.pushRules = try rules(members: 9, memberships: 1)
    #expect(try add(3, number: 3)?.rejection == .accountFull)
    #expect(try role(3) == nil && server.scope() == before)
    server.pushRules = try rules(members: 3, memberships: 2)
    #expect(try add(3, number: 4)?.range?.count == 1)
  }

  @Test mutating func `A member of a full scope gets another role, and leaves`() throws {
    server.pushRules = try PushRules(
      Manifest(
        version: 1, tables: [Lists.lists, Lists.tasks], claimableKinds: ["list"],
        admittingKinds: ["list"], memberLimits: ["list": 2]))
    #expect(try add(2, as: .editor)?.range?.count == 1)
    #expect(try push(.left, of: 2, by: 2)?.range?.count == 1)
    #expect(try add(3, number: 3)?.range?.count == 1)
  }

  @Test mutating func `Refused commands of a viewer are stored up to the limit`() throws {
    server.pushRules.maximumForbiddenOps = 3
    for number in 1...Int64(5) {
      #expect(try push(.owner, of: 2, by: 2, number: number)?.rejection != nil)
    }
    #expect(server.log.device(.sample(2), in: list).lastNumber == 3)
    #expect(role(2) == .viewer)
  }

  // MARK: - Who may

  @Test mutating func `Only an owner changes the members, and a stranger learns nothing`() throws {
    try server.log.grant(.editor, to: .sample(3), in: list)
    let before = server.log
    for (role, account) in [(Role.owner, UInt8(2)), (.owner, 3), (.revoked, 1), (.revoked, 2)] {
      #expect(
        try push(
          role, of: account, by: 3, number: before.device(.sample(3), in: list).lastNumber + 1)?
          .rejection == .forbidden)
      server.log = before
    }
    let known = try push(.owner, of: 4, by: 4)
    let unknown = try push(.owner, of: 4, by: 4, in: "77")
    #expect(known?.rejection == .forbidden && known == unknown)
    #expect(server.log == before, "no scope is claimed by a command, and nothing is stored")
  }

  @Test mutating func `An account that was removed cannot leave`() throws {
    try server.log.grant(.revoked, to: .sample(2), in: list)
    #expect(try push(.left, of: 2, by: 2)?.rejection == .forbidden)
    #expect(role(2) == .revoked)
  }

  @Test mutating func `The last owner neither leaves viewers alone nor gives up the role`() throws {
    #expect(try push(.left, of: 1, by: 1)?.rejection == .lastOwner)
    #expect(try push(.editor, of: 1, by: 1, number: 3)?.rejection == .lastOwner)
    #expect(role(1) == .owner)
  }

  @Test mutating func `A command in a batch with other changes is refused`() throws {
    let outcome = try server.push(
      2, [command(.editor, of: 2, by: 1), .task("t", at: 6)])
    #expect(outcome?.rejection == .unknownTable)
    #expect(try role(2) == .viewer && server.state(Lists.task("t")) == nil)
  }

  @Test mutating func `A command of another device is refused`() throws {
    #expect(try server.push(2, [command(.editor, of: 2, by: 9)])?.rejection == .invalidOp)
    #expect(role(2) == .viewer)
  }

  @Test mutating func `Many commands of one push leave the later ones for the next push`() throws {
    server.pushRules.processedBytesPerPush = 2 * server.pushRules.bytesPerCommand
    let batches = try (2...6).map { number in
      try TestServer.batch(number, [command(number % 2 == 0 ? .editor : .viewer, of: 2, by: 1)])
    }
    #expect(try server.push(batches).results.count == 3)
  }

  @Test mutating func `A push reports the grants that it has changed`() throws {
    try server.log.grant(.editor, to: .sample(3), in: list)
    let request = PushRequest(
      device: .sample(1), epoch: 7, manifestVersion: 1,
      batches: [try TestServer.batch(2, [command(.left, of: 1, by: 1)])])
    server.log.changes = GrantChanges()
    _ = try server.pushRules.apply(request, of: .sample(1), at: server.now, to: &server.log)
    let grants = server.log.changes.grants
    #expect(Set(grants.map(\.account)) == [.sample(1), .sample(3)])
    #expect(Set(grants.map(\.grant.role)) == [.left, .owner])
  }
}
