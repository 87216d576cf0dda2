import Foundation
import OffshoreWire
import ServerSupport
import Testing

@testable import OffshoreServer

/// The scopes that an account claims by its first push, and the cost of grants.
struct ClaimTests {
  private var server: TestServer

  init() throws {
    server = try TestServer()
    server.pushRules = try PushRules(Lists.claimable())
  }

  private mutating func claim(_ list: String) throws -> BatchResult.Outcome? {
    try server.push(1, in: list, [.list(list, at: 1)], account: 1)
  }

  @Test mutating func `Claims are limited even if the account leaves what it has claimed`() throws {
    server.pushRules.maximumClaims = 2
    for list in ["11", "12"] {
      #expect(try claim(list)?.range?.count == 1)
      try server.log.grant(.left, to: .sample(1), in: Lists.scope(list))
    }
    guard case .rejected(let rejection, _)? = try claim("13") else {
      Issue.record("A third scope was claimed.")
      return
    }
    #expect(rejection.code == .limitReached)
    #expect(!rejection.message.contains("  ") && rejection.message.hasSuffix("another account."))
    #expect(try server.scope("13").head == 0)
    // What the account owns stays writable.
    #expect(try server.push(1, in: "1", [.list("1", at: 1)])?.range?.count == 1)
  }

  @Test mutating func `A claim beyond the memberships of its kind is refused until one is left`()
    throws
  {
    server.pushRules = try PushRules(Lists.claimable(memberships: 3))
    try server.log.grant(.viewer, to: .sample(1), in: Lists.scope("12"))
    // The account owns two lists from the start.
    let before = server.log
    #expect(try claim("13")?.rejection == .accountFull)
    #expect(server.log == before)
    try server.log.grant(.left, to: .sample(1), in: Lists.scope("12"))
    #expect(try claim("13")?.range?.count == 1)
    #expect(try claim("14")?.rejection == .accountFull)
  }

  @Test mutating func `A claimed scope has the row of its owner after those of the batch`() throws {
    server.log.setAccount(
      Account(id: .sample(1), name: try AccountName("ida"), password: .none, created: 0))
    #expect(try claim("11")?.range == SeqRange(first: 1, count: 1))
    let state = try #require(
      try server.state(MemberRow.id(of: AccountID.sample(1).uuid), in: "11"))
    #expect(
      MemberRow(id: AccountID.sample(1).uuid.uuidString, fields: state.fields)
        == MemberRow(
          account: AccountID.sample(1).uuid, name: "ida", role: .owner, since: server.now))
    #expect(try server.scope("11").head == 2)
  }

  @Test mutating func `Ten thousand scopes can be claimed by default`() throws {
    #expect(server.pushRules.maximumClaims == 10_000)
    for _ in 0..<9_999 { server.log.addClaim(of: .sample(1)) }
    #expect(try claim("11")?.range?.count == 1)
    #expect(try claim("12")?.rejection == .limitReached)
  }

  @Test mutating func `An empty batch claims no scope`() throws {
    let before = server.log
    #expect(try server.push(1, in: "11", [])?.rejection == .forbidden)
    #expect(server.log == before)
  }

  @Test mutating func `A claim does not read the grants of the account, also if they are limited`()
    throws
  {
    server.pushRules = try PushRules(Lists.claimable(memberships: 100))
    for number in 0..<50 {
      try server.log.grant(.owner, to: .sample(1), in: Lists.scope("x\(number)"))
    }
    var counting = CountingLog(server.log)
    let request = PushRequest(
      device: .sample(1), epoch: 7, manifestVersion: 1,
      batches: [try TestServer.batch(1, in: "11", [.list("11", at: 1)])])
    let response = try server.pushRules.apply(
      request, of: .sample(1), at: server.now, to: &counting)
    #expect(response.results.first?.outcome.range?.count == 1)
    #expect(counting.counts.grants == 0)
    #expect(counting.base.lastGrant(of: .sample(1)) == server.log.lastGrant(of: .sample(1)) + 1)
    #expect(counting.base.claimCount(of: .sample(1)) == 1)
  }

  @Test(arguments: StorageKind.allCases)
  func `Claims and the last grant are counted for each account`(kind: StorageKind) async throws {
    let scope = try Lists.scope()
    try await kind.write { log in
      #expect(try log.lastGrant(of: .sample(1)) == 0 && log.claimCount(of: .sample(1)) == 0)
      try log.setGrant(Grant(scope, .owner, seq: 41), of: .sample(1), start: ReadingStart())
      for _ in 0..<2 { try log.addClaim(of: .sample(1)) }
      #expect(try log.lastGrant(of: .sample(1)) == 41 && log.claimCount(of: .sample(1)) == 2)
      #expect(try log.lastGrant(of: .sample(2)) == 0 && log.claimCount(of: .sample(2)) == 0)
    }
  }

  /// NB: 12,800 grants take 0.16 s without optimization. If each read all grants
  /// before it, they would take minutes.
  @Test func `Thousands of grants are stored in little time`() async throws {
    let storage = try SQLiteStorage.temporary(epoch: 7)
    let duration = try await ContinuousClock().measure {
      try await storage.write { log in
        for number in 0..<12_800 {
          try log.grant(.owner, to: .sample(1), in: try ScopeID(kind: "list", value: "\(number)"))
        }
      }
    }
    #expect(duration < .seconds(5))
    #expect(try await storage.read { try $0.lastGrant(of: .sample(1)) } == 12_800)
    await storage.close()
  }
}
