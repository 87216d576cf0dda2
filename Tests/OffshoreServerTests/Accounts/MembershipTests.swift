import Foundation
import OffshoreWire
import ServerSupport
import Testing

@testable import OffshoreServer

/// Invitations and roles. Account 1 owns list 1, account 2 is an editor, 3 a viewer; 4 and 5 are
/// not members.
struct MembershipTests {
  private let rules = MembershipRules(personalKinds: ["person"])
  private var log = MemoryState(epoch: 7)
  private let scope: ScopeID
  private let now: Int64 = 1_000_000

  init() throws {
    scope = try Lists.scope("1")
    let accounts = AccountRules(personalKinds: ["person"])
    for number in 1...UInt8(5) {
      try accounts.signUp(
        AccountName("person-\(number)"), PasswordHash(stored: "hash"), as: .sample(number),
        at: now, in: &log)
    }
    for (number, role) in [(UInt8(1), Role.owner), (2, .editor), (3, .viewer)] {
      try log.grant(role, to: .sample(number), in: scope)
    }
  }

  private func role(_ number: UInt8) -> Role? {
    log.grant(of: .sample(number), in: scope)?.role
  }

  /// Expects an error with a code, and an unchanged log.
  private mutating func expect(
    _ code: AccountError.Code, _ location: SourceLocation = #_sourceLocation,
    _ body: (inout MemoryState) throws -> Void
  ) {
    let before = log
    let error = #expect(throws: AccountError.self, sourceLocation: location) { try body(&log) }
    #expect(error?.code == code, sourceLocation: location)
    #expect(log == before, sourceLocation: location)
  }

  private mutating func invite(
    _ role: Role, by inviter: UInt8 = 1, code: UInt8 = 1, to scope: ScopeID? = nil, uses: Int = 1
  ) throws {
    _ = try rules.invite(
      by: .sample(code), to: scope ?? self.scope, InvitationTerms(role: role, uses: uses),
      inviter: .sample(inviter), at: now, in: &log)
  }

  /// Records a change in the scope.
  private mutating func begin() {
    var state = log.scope(scope)
    state.head = 1
    log.setScope(scope, state)
  }

  private func row(_ number: UInt8) -> RowState? {
    log.row(MemberRow.id(of: AccountID.sample(number).uuid), in: scope)?.state
  }

  private func member(_ number: UInt8) -> MemberRow? {
    let id = AccountID.sample(number).uuid
    return row(number).flatMap { MemberRow(id: id.uuidString, fields: $0.fields) }
  }

  // MARK: - Invitations

  @Test mutating func `An invitation code makes one account a member, once`() throws {
    try invite(.editor)
    let grant = try rules.accept(.sample(1), by: .sample(4), at: now, in: &log)
    #expect(grant.role == .editor && role(4) == .editor)
    expect(.invalidInvitation) { [rules, now] in
      _ = try rules.accept(.sample(1), by: .sample(5), at: now, in: &$0)
    }
  }

  @Test mutating func `Only an owner invites, and no account is invited to a personal scope`()
    throws
  {
    for inviter in [UInt8(2), 3, 4] {
      expect(.forbidden) { [rules, scope, now] in
        _ = try rules.invite(
          by: .sample(1), to: scope, InvitationTerms(role: .viewer), inviter: .sample(inviter),
          at: now, in: &$0)
      }
    }
    let own = try AccountRules.personalScope("person", of: .sample(1))
    expect(.forbidden) { [rules, now] in
      _ = try rules.invite(
        by: .sample(1), to: own, InvitationTerms(role: .viewer), inviter: .sample(1), at: now,
        in: &$0)
    }
    for role in [Role.owner, .revoked, .left] {
      expect(.malformed) { [rules, scope, now] in
        _ = try rules.invite(
          by: .sample(1), to: scope, InvitationTerms(role: role), inviter: .sample(1), at: now,
          in: &$0)
      }
    }
  }

  @Test mutating func `A code can be used as often as its author allows`() throws {
    try invite(.viewer, uses: 2)
    // A member who accepts uses nothing up.
    _ = try rules.accept(.sample(1), by: .sample(2), at: now, in: &log)
    for number in [UInt8(4), 5] {
      #expect(try rules.invitations(to: scope, for: .sample(1), at: now, from: log).count == 1)
      _ = try rules.accept(.sample(1), by: .sample(number), at: now, in: &log)
      #expect(role(number) == .viewer)
    }
    #expect(try rules.invitations(to: scope, for: .sample(1), at: now, from: log).isEmpty)
    expect(.invalidInvitation) { [rules, now] in
      _ = try rules.accept(.sample(1), by: .sample(1), at: now, in: &$0)
    }
  }

  @Test mutating func `Terms beyond their limits are refused`() throws {
    func terms(_ change: (inout InvitationTerms) -> Void) -> InvitationTerms {
      var terms = InvitationTerms(role: .viewer)
      change(&terms)
      return terms
    }
    for refused in [
      terms { $0.uses = 0 }, terms { $0.uses = 101 }, terms { $0.lifetime = 59_999 },
      terms { $0.lifetime = .max }, terms { $0.label = String(repeating: "a", count: 81) },
      terms { $0.title = String(repeating: "a", count: 201) },
    ] {
      expect(.malformed) { [rules, scope, now] in
        _ = try rules.invite(
          by: .sample(1), to: scope, refused, inviter: .sample(1), at: now, in: &$0)
      }
    }
    let short = try rules.invite(
      by: .sample(1), to: scope, terms { $0.lifetime = 60_000 }, inviter: .sample(1), at: now,
      in: &log)
    #expect(short.expires == now + 60_000)
  }

  @Test mutating func `A preview tells who invites, to what, and how many take part`() throws {
    var terms = InvitationTerms(role: .editor)
    (terms.title, terms.label) = ("Kornati", "crew")
    _ = try rules.invite(by: .sample(1), to: scope, terms, inviter: .sample(1), at: now, in: &log)
    let before = log
    let preview = try rules.preview(.sample(1), at: now, from: log)
    #expect(preview.invitation.title == "Kornati" && preview.invitation.role == .editor)
    #expect(preview.members == 3 && preview.inviter?.text == "person-1")
    #expect(log == before)
    expect(.invalidInvitation) { [rules, now] in
      _ = try rules.preview(.sample(2), at: now, from: $0)
    }
    try rules.withdraw(
      preview.invitation.hash, to: scope, by: .sample(1), in: &log)
    expect(.invalidInvitation) { [rules, now] in
      _ = try rules.preview(.sample(1), at: now, from: $0)
    }
  }

  @Test mutating func `A full scope takes no further member, and the code stays valid`() throws {
    let rules = MembershipRules(personalKinds: ["person"], memberLimits: ["list": 4])
    try invite(.viewer, uses: 3)
    _ = try rules.accept(.sample(1), by: .sample(4), at: now, in: &log)
    expect(.scopeFull) { [now] in
      _ = try rules.accept(.sample(1), by: .sample(5), at: now, in: &$0)
    }
    // A member can still get another role.
    try invite(.editor, code: 2)
    #expect(try rules.accept(.sample(2), by: .sample(4), at: now, in: &log).role == .editor)
    try rules.leave(scope, by: .sample(4), at: now, in: &log)
    #expect(try rules.accept(.sample(1), by: .sample(5), at: now, in: &log).role == .viewer)
  }

  @Test mutating func `An account takes part in a limited number of scopes of a kind`() throws {
    let rules = MembershipRules(personalKinds: ["person"], membershipLimits: ["list": 1])
    try log.grant(.owner, to: .sample(4), in: Lists.scope("2"))
    try invite(.viewer)
    expect(.accountFull) { [now] in
      _ = try rules.accept(.sample(1), by: .sample(4), at: now, in: &$0)
    }
    try log.grant(.left, to: .sample(4), in: Lists.scope("2"))
    #expect(try rules.accept(.sample(1), by: .sample(4), at: now, in: &log).role == .viewer)
  }

  @Test mutating func `A code expires, and is invalid if its inviter is not an owner any more`()
    throws
  {
    try invite(.editor)
    expect(.invalidInvitation) { [rules, now] in
      _ = try rules.accept(
        .sample(1), by: .sample(4), at: now + rules.invitationLifetime, in: &$0)
    }
    try log.grant(.owner, to: .sample(2), in: scope)
    try log.grant(.editor, to: .sample(1), in: scope)
    expect(.invalidInvitation) { [rules, now] in
      _ = try rules.accept(.sample(1), by: .sample(4), at: now, in: &$0)
    }
  }

  @Test mutating func `A member with the same or a higher role does not use the code up`() throws {
    try invite(.viewer)
    for number in [UInt8(1), 2, 3] {
      let before = role(number)
      #expect(
        try rules.accept(.sample(1), by: .sample(number), at: now, in: &log).role == before)
    }
    #expect(try rules.accept(.sample(1), by: .sample(4), at: now, in: &log).role == .viewer)
  }

  @Test mutating func `A code makes a viewer an editor, and a former member a member again`() throws
  {
    try invite(.editor, code: 1)
    try invite(.editor, code: 2)
    #expect(try rules.accept(.sample(1), by: .sample(3), at: now, in: &log).role == .editor)
    try log.grant(.left, to: .sample(3), in: scope)
    #expect(try rules.accept(.sample(2), by: .sample(3), at: now, in: &log).role == .editor)
  }

  // MARK: - Roles

  @Test mutating func `An owner changes roles and ends memberships`() throws {
    for role in [Role.viewer, .owner, .revoked] {
      _ = try rules.setRole(role, of: .sample(2), in: scope, by: .sample(1), at: now, on: &log)
      #expect(self.role(2) == role)
    }
  }

  @Test(arguments: [Role.revoked, .viewer])
  mutating func `A demoted or removed member cannot regain the role with an unused code`(role: Role)
    throws
  {
    try invite(.editor)
    _ = try rules.accept(.sample(1), by: .sample(2), at: now, in: &log)
    _ = try rules.setRole(role, of: .sample(2), in: scope, by: .sample(1), at: now, on: &log)
    expect(.invalidInvitation) { [rules, now] in
      _ = try rules.accept(.sample(1), by: .sample(2), at: now, in: &$0)
    }
    #expect(self.role(2) == role)
  }

  @Test mutating func `Each change of a role changes the row of the member`() throws {
    // A scope without changes has no rows.
    _ = try rules.setRole(.viewer, of: .sample(2), in: scope, by: .sample(1), at: 5, on: &log)
    #expect(row(2) == nil)
    begin()
    try invite(.editor)
    _ = try rules.accept(.sample(1), by: .sample(4), at: 6, in: &log)
    #expect(
      member(4)
        == MemberRow(
          account: AccountID.sample(4).uuid, name: "person-4", role: .editor, since: 6))
    _ = try rules.setRole(.owner, of: .sample(4), in: scope, by: .sample(1), at: 7, on: &log)
    #expect(member(4)?.role == .owner && member(4)?.since == 6)
    try rules.leave(scope, by: .sample(4), at: 8, in: &log)
    #expect(row(4)?.presence == .deleted && row(4)?.generation == 2)
    try invite(.viewer, code: 2)
    _ = try rules.accept(.sample(2), by: .sample(4), at: 9, in: &log)
    #expect(member(4)?.since == 9 && row(4)?.generation == 3)
    let rows = log.rows(in: scope, after: 1, limit: 9)
    #expect(rows.map(\.seq) == [5] && log.scope(scope).head == 5)
    let digest = rows.reduce(into: Digest()) { $0.add($1.state, of: $1.row) }
    #expect(log.scope(scope).digest == digest)
    // Members count for no limit.
    #expect(log.scope(scope).usage == StorageUsage())
  }

  @Test mutating func `Only an owner changes roles, and only of members`() throws {
    for (member, by) in [(UInt8(3), UInt8(2)), (2, 3), (4, 4), (3, 4), (4, 1)] {
      expect(.forbidden) { [rules, scope, now] in
        _ = try rules.setRole(
          .editor, of: .sample(member), in: scope, by: .sample(by), at: now, on: &$0)
      }
    }
    expect(.malformed) { [rules, scope, now] in
      _ = try rules.setRole(.left, of: .sample(2), in: scope, by: .sample(1), at: now, on: &$0)
    }
  }

  @Test mutating func `The last owner of a scope with other members cannot give up the role`()
    throws
  {
    expect(.lastOwner) { [rules, scope, now] in
      _ = try rules.setRole(.editor, of: .sample(1), in: scope, by: .sample(1), at: now, on: &$0)
    }
    _ = try rules.setRole(.owner, of: .sample(2), in: scope, by: .sample(1), at: now, on: &log)
    try rules.leave(scope, by: .sample(1), at: now, in: &log)
    #expect(role(1) == .left && role(2) == .owner)
  }

  @Test mutating func `If the last owner leaves, the first member who may write becomes an owner`()
    throws
  {
    begin()
    for (number, time) in [(UInt8(4), Int64(3)), (5, 2)] {
      try invite(.editor, code: number)
      _ = try rules.accept(.sample(number), by: .sample(number), at: time, in: &log)
    }
    _ = try rules.setRole(.viewer, of: .sample(2), in: scope, by: .sample(1), at: now, on: &log)
    log.changes = GrantChanges()
    try rules.leave(scope, by: .sample(1), at: now, in: &log)
    #expect(log.changes.grants.map(\.account) == [.sample(5), .sample(1)])
    #expect(role(1) == .left)
    #expect(role(5) == .owner && role(4) == .editor && member(5)?.role == .owner)
  }

  @Test mutating func `The last owner cannot leave members who only read`() throws {
    try log.grant(.viewer, to: .sample(2), in: scope)
    expect(.lastOwner) { [rules, scope, now] in
      try rules.leave(scope, by: .sample(1), at: now, in: &$0)
    }
  }

  @Test mutating func `The only member may leave a scope, but not a personal scope`() throws {
    let other = try Lists.scope("2")
    try log.grant(.owner, to: .sample(4), in: other)
    try log.grant(.revoked, to: .sample(5), in: other)
    try rules.leave(other, by: .sample(4), at: now, in: &log)
    #expect(log.grant(of: .sample(4), in: other)?.role == .left)
    let own = try AccountRules.personalScope("person", of: .sample(1))
    for scope in [own, other] {
      expect(.forbidden) { [rules, now] in
        try rules.leave(scope, by: .sample(1), at: now, in: &$0)
      }
    }
  }

  @Test mutating func `A scope whose last member retains nothing is removed, and stays claimed`()
    throws
  {
    begin()
    try rules.rows(at: now).grant(.owner, to: .sample(1), in: scope, on: &log)
    try invite(.editor)
    for number in [UInt8(3), 2] {
      try rules.leave(scope, by: .sample(number), as: .revoked, at: now, in: &log)
      #expect(!log.rows(in: scope, after: 0, limit: 9).isEmpty, "others are members")
    }
    try rules.leave(scope, by: .sample(1), as: .revoked, at: now, in: &log)
    #expect(log.rows(in: scope, after: 0, limit: 9).isEmpty)
    #expect(log.scope(scope).head > 0 && log.hasGrants(in: scope))
    for number in [UInt8(1), 2, 3] { #expect(role(number) == .revoked) }
    expect(.invalidInvitation) { [rules, now] in
      _ = try rules.accept(.sample(1), by: .sample(4), at: now, in: &$0)
    }
  }

  @Test mutating func `A scope whose last member retains a copy stays`() throws {
    begin()
    try rules.rows(at: now).grant(.owner, to: .sample(1), in: scope, on: &log)
    for number in [UInt8(3), 2, 1] {
      try rules.leave(scope, by: .sample(number), at: now, in: &log)
    }
    #expect(!log.rows(in: scope, after: 0, limit: 9).isEmpty)
  }

  @Test mutating func `A member sees the other members, and other accounts see none`() throws {
    try log.grant(.revoked, to: .sample(2), in: scope)
    let members = try rules.members(of: scope, for: .sample(3), from: log)
    #expect(members.map(\.role) == [.owner, .viewer])
    for number in [UInt8(2), 4] {
      expect(.forbidden) { [rules, scope] in
        _ = try rules.members(of: scope, for: .sample(number), from: $0)
      }
    }
  }
}
