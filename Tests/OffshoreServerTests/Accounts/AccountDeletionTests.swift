import Foundation
import OffshoreWire
import ServerSupport
import Testing

@testable import OffshoreServer

/// The deletion of an account, by the rules. Account 1 owns list 1, which has a row. Accounts 2 and 3
/// are not members.
struct AccountDeletionTests {
  private let accounts = AccountRules(personalKinds: ["person"])
  private let rules = MembershipRules(personalKinds: ["person"])
  private var log = MemoryState(epoch: 7)
  private let scope: ScopeID
  private let now: Int64 = 1_000_000

  init() throws {
    scope = try Lists.scope("1")
    for number in 1...UInt8(3) { try signUp(number, "person-\(number)") }
    fill(scope)
    try join(1, as: .owner, at: 1)
  }

  private mutating func signUp(_ number: UInt8, _ name: String) throws {
    try accounts.signUp(
      AccountName(name), PasswordHash(stored: "hash"), as: .sample(number), at: now, in: &log)
  }

  /// Adds a row to a scope without any, which counts for account 1.
  private mutating func fill(_ scope: ScopeID) {
    let row = SyncedRow.sample("a", seq: 1)
    log.setRow(row, in: scope)
    var state = log.scope(scope)
    state.head = 1
    state.digest.add(row.state, of: row.row)
    state.usage = StorageUsage(rows: 1, bytes: 9)
    state.payer = AccountID.sample(1)
    log.setScope(scope, state)
  }

  private mutating func join(_ number: UInt8, as role: Role, at time: Int64) throws {
    try rules.rows(at: time).grant(role, to: .sample(number), in: scope, on: &log)
  }

  @discardableResult
  private mutating func delete(_ number: UInt8) throws -> AccountDeletion.Files {
    try AccountDeletion(of: .sample(number), rules, at: now).run(on: &log)
  }

  private func role(_ number: UInt8, in scope: ScopeID? = nil) -> Role? {
    log.grant(of: .sample(number), in: scope ?? self.scope)?.role
  }

  private func own(_ number: UInt8) throws -> ScopeID {
    try AccountRules.personalScope("person", of: .sample(number))
  }

  /// Expects that a scope has nothing but a state that no account can claim.
  private func expectRemoved(
    _ scope: ScopeID, head: Int64, _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(
      log.scope(scope) == ScopeState(head: head, minSeq: head, epoch: 7), sourceLocation: location)
    #expect(log.rows(in: scope, after: 0, limit: 9).isEmpty, sourceLocation: location)
  }

  // MARK: - Shared scopes

  @Test mutating func `The member who may write and joined first becomes the owner of the rows`()
    throws
  {
    try join(2, as: .editor, at: 3)
    try join(3, as: .editor, at: 2)
    log.changes = GrantChanges()
    try delete(1)
    #expect(role(1) == nil && role(2) == .editor && role(3) == .owner)
    #expect(Set(log.changes.grants.map(\.account)).isSuperset(of: [.sample(1), .sample(3)]))
    #expect(log.row(Lists.task("a"), in: scope)?.state.isLiving == true)
    let member = log.row(MemberRow.id(of: AccountID.sample(1).uuid), in: scope)
    #expect(member?.state.presence == .deleted && member?.state.fields.isEmpty == true)
    let rows = log.rows(in: scope, after: 0, limit: 9)
    let digest = rows.reduce(into: Digest()) { $0.add($1.state, of: $1.row) }
    #expect(log.scope(scope).digest == digest && log.scope(scope).head == rows.last?.seq)
    // The rows count for the next owner that writes.
    #expect(log.scope(scope).payer == nil && log.scope(scope).usage.rows == 1)
  }

  @Test mutating func `With another owner, the other members keep their roles`() throws {
    try join(2, as: .owner, at: 3)
    try join(3, as: .editor, at: 2)
    try delete(1)
    #expect(role(1) == nil && role(2) == .owner && role(3) == .editor)
  }

  @Test mutating func `A scope whose other members may only read is removed, and they lose it`()
    throws
  {
    try join(2, as: .viewer, at: 2)
    let head = log.scope(scope).head
    log.changes = GrantChanges()
    try delete(1)
    #expect(role(2) == .revoked && role(1) == nil)
    expectRemoved(scope, head: head)
    #expect(
      log.changes.grants.contains { $0.account == .sample(2) && $0.grant.role == .revoked })
  }

  @Test mutating func `A scope without other members is removed, with and without changes`()
    throws
  {
    let empty = try Lists.scope("2")
    try log.grant(.owner, to: .sample(1), in: empty)
    let head = log.scope(scope).head
    try delete(1)
    expectRemoved(scope, head: head)
    expectRemoved(empty, head: 1)
    #expect(!log.hasGrants(in: scope) && !log.hasGrants(in: empty))
  }

  @Test(arguments: [Role.editor, .viewer])
  mutating func `A scope whose only member is no owner is removed`(_ role: Role) throws {
    try join(2, as: role, at: 2)
    try join(1, as: .revoked, at: 3)
    let head = log.scope(scope).head
    try delete(2)
    #expect(self.role(2) == nil && self.role(1) == .revoked)
    expectRemoved(scope, head: head)
  }

  @Test(arguments: [Role.editor, .viewer])
  mutating func `A member who owns nothing takes only the membership along`(role: Role) throws {
    try join(2, as: role, at: 2)
    try delete(2)
    #expect(self.role(1) == .owner && self.role(2) == nil)
    #expect(log.row(Lists.task("a"), in: scope) != nil)
    #expect(log.scope(scope).payer == .sample(1))
    #expect(!log.members(of: scope).contains { $0.account == .sample(2) })
  }

  // MARK: - Personal scopes

  @Test mutating func `Personal scopes are removed, and their readers by rule lose them`() throws {
    fill(try own(1))
    fill(try own(2))
    try log.grant(.viewer, to: .sample(2), in: own(1), isByRule: true)
    try log.grant(.viewer, to: .sample(1), in: own(2), isByRule: true)
    try delete(1)
    #expect(try role(2, in: own(1)) == .revoked && role(1, in: own(1)) == nil)
    expectRemoved(try own(1), head: 1)
    #expect(try role(2, in: own(2)) == .owner && role(1, in: own(2)) == nil)
    #expect(try log.rows(in: own(2), after: 0, limit: 9).count == 1)
  }

  // MARK: - The account

  @Test mutating func `The secrets, invitations and uploads of the account are removed`() throws {
    try join(2, as: .owner, at: 2)
    for number in [UInt8(1), 2] {
      _ = try accounts.addToken(
        .sample(number), for: .sample(number), label: "", at: now, in: &log)
      _ = try rules.invite(
        by: .sample(number + 10), to: scope, InvitationTerms(role: .viewer),
        inviter: .sample(number), at: now, in: &log)
      log.setUpload(
        BlobUpload(
          hash: ContentHash(of: [number]), account: .sample(number), byteCount: 1, expires: now))
      log.addClaim(of: .sample(number))
    }
    let files = try delete(1)
    #expect(files.uploads == [ContentHash(of: [1])])
    #expect(log.account(.sample(1)) == nil && log.account(.sample(2)) != nil)
    #expect(log.token(Secret.sample(1).hash) == nil && log.token(Secret.sample(2).hash) != nil)
    #expect(log.invitations(to: scope).map(\.inviter) == [.sample(2)])
    #expect(log.uploads(of: .sample(1)).isEmpty && log.uploads(of: .sample(2)).count == 1)
    #expect(log.claimCount(of: .sample(1)) == 0 && log.claimCount(of: .sample(2)) == 1)
  }

  @Test mutating func `The blobs of removed scopes are named, and others stay`() throws {
    try join(2, as: .editor, at: 2)
    for (number, scope) in [(UInt8(1), try own(1)), (2, scope)] {
      log.addBlob(
        StoredBlob(
          hash: ContentHash(of: [number]), scope: scope, account: .sample(1), byteCount: 1))
    }
    #expect(try delete(1).blobs == [ContentHash(of: [1])])
    #expect(log.blobs(ContentHash(of: [1])).isEmpty && log.blobs(ContentHash(of: [2])).count == 1)
  }

  @Test mutating func `The name can be used again, and the id cannot`() throws {
    try delete(1)
    let before = log
    let error = #expect(throws: AccountError.self) { try signUp(1, "person-9") }
    #expect(error?.code == .deleted && log == before)
    try signUp(9, "person-1")
    #expect(log.account(named: AccountName(valid: "person-1"))?.id == .sample(9))
  }

  @Test mutating func `Requests that were admitted before the deletion are refused`() throws {
    let manifest = try Lists.claimable()
    let push = try PushRules(manifest)
    try rules.rows(at: 2).grant(.owner, to: .sample(2), in: scope, on: &log)
    _ = try rules.invite(
      by: .sample(5), to: scope, InvitationTerms(role: .editor), inviter: .sample(2), at: now,
      in: &log)
    try delete(1)
    let claim = PushRequest(
      device: .sample(1), epoch: 7, manifestVersion: 1,
      batches: [try TestServer.batch(1, in: "9", [.list("9", at: 900)])])
    let cursor = PullCursor(
      scope, epoch: 7, position: .changes(after: 1), acknowledged: 0, conflictsAfter: 0)
    let pull = PullRequest(
      device: .sample(1), manifestVersion: 1, capabilities: .all, grantsAfter: 0,
      cursors: [cursor], limit: 9)
    let before = log
    let errors = [
      #expect(throws: AccountError.self) {
        _ = try push.apply(claim, of: .sample(1), at: now, to: &log)
      },
      #expect(throws: AccountError.self) {
        _ = try PullRules(push.access).answer(pull, of: .sample(1), at: now, from: log)
      },
      #expect(throws: AccountError.self) {
        _ = try rules.accept(.sample(5), by: .sample(1), at: now, in: &log)
      },
    ]
    #expect(errors.allSatisfy { $0?.code == .unauthorized })
    #expect(log == before)
  }
}
