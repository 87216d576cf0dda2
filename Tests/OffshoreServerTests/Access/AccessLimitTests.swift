import Foundation
import OffshoreHTTP
import OffshoreWire
import Testing

@testable import OffshoreServer

/// The limits of an account that reads a scope by a rule.
struct AccessLimitTests {
  private let circles: Circles

  init() throws { circles = try Circles() }

  /// Returns two members of a circle, of which the first shows the week to the other.
  private func members() async throws -> (Circles.Person, Circles.Person) {
    let (ida, ben) = (try await circles.person("ida"), try await circles.person("ben"))
    try await circles.circle("c", ida, ben)
    try await circles.share("week", with: "c", of: ida)
    return (ida, ben)
  }

  private func state(_ scope: ScopeID) async throws -> (ScopeState, [DeviceID: AccountID]) {
    try await circles.service.log.read { (try $0.scope(scope), try $0.devices(in: scope)) }
  }

  @Test func `A reader changes nothing, and the refusals are not stored`() async throws {
    let (ida, ben) = try await members()
    let week = try ida.scope("week")
    let before = try await state(week)
    for op in [
      await circles.op(.patch, "days", "ida-day", ["note": "x"], ben),
      await circles.op(.delete, "days", "ida-day", [:], ben),
      await circles.op(
        .put, "days", "new", ["note": "x", "ownerID": WireValue(ida.id.uuidString)], ben),
      MemberCommand(.revoked, of: ben.id).op(at: Stamp(milliseconds: 9, device: ben.device)),
    ] {
      #expect(try await circles.push(week, [op], ben) == .forbidden)
    }
    let after = try await state(week)
    #expect(after == before)
    let patch = await circles.service.send(
      .patch, "/v1/tables/days/rows/ida-day?scope=\(week.text)", token: ben.token,
      headers: ["Content-Type": "application/json"], body: Array(#"{"values":{"note":"x"}}"#.utf8))
    #expect(patch.status == .forbidden)
    #expect(try await state(week) == before)
  }

  @Test func `A reader lists no members and is not listed`() async throws {
    let (ida, ben) = try await members()
    let path = "/v1/scopes/week/\(ida.id.uuidString)/members"
    let strange = "/v1/scopes/week/\(UUID().uuidString)/members"
    let service = circles.service
    let answer = await service.send(.get, path, token: ben.token)
    #expect(answer.status == .forbidden)
    #expect(answer.bytes == (await service.send(.get, strange, token: ben.token)).bytes)
    let own = await service.send(.get, path, token: ida.token)
    #expect(own.status == .ok)
    #expect(String(decoding: own.bytes, as: UTF8.self).contains(ida.id.uuidString))
    #expect(!String(decoding: own.bytes, as: UTF8.self).contains(ben.id.uuidString))
    for (method, path) in [
      (Request.Method.delete, "\(path)/\(ben.id.uuidString)"),
      (.get, "/v1/scopes/week/\(ida.id.uuidString)/invitations"),
    ] {
      #expect(await service.send(method, path, token: ben.token).status == .forbidden)
    }
  }

  @Test func `A reader gets no conflicts and no earlier deletions, and later ones`() async throws {
    let (ida, ben) = (try await circles.person("ida"), try await circles.person("ben"))
    let week = try ida.scope("week")
    try await circles.put("days", "old", ["note": "secret"], of: ida)
    try await circles.change(.delete, "days", "old", of: ida)
    let late = await circles.op(.patch, "days", "old", ["note": "later"], ida)
    _ = try await circles.push(week, [late], ida)
    let start = try await state(week).0.head
    try await circles.circle("c", ida, ben)
    try await circles.share("week", with: "c", of: ida)
    let own = try await circles.pull(week, by: ida)?.page
    let page = try await circles.pull(week, by: ben)?.page
    #expect(own?.rows.rows.map(\.row.id) == ["ida-day", "old"])
    #expect(page?.rows.rows.map(\.row.id) == ["ida-day"])
    #expect(page?.digest == own?.digest && page?.conflicts.isEmpty == true)
    let conflicts = try await circles.service.log.read { try $0.scope(week).conflicts }
    #expect(conflicts == Int64(own?.conflicts.count ?? 0))
    // Changes from before would have deletions, whatever a device claims to have.
    for (position, epoch) in [
      (.changes(after: 0), 0), (.changes(after: 0), 7), (.changes(after: 1), 7),
      (.snapshot(head: 1, after: nil), 7), (.repair(ranges: .all, head: 1, after: nil), 7),
    ] as [(PullCursor.Position, UInt64)] {
      let answer = try await circles.pull(week, by: ben, position, epoch: epoch)
      #expect(answer == .resync(minSeq: start), "\(position)")
    }
    let head = try #require(page?.head)
    try await circles.change(.delete, "days", "ida-day", of: ida)
    let next = try await circles.pull(week, by: ben, .changes(after: head), epoch: 7)?.page
    #expect(next?.rows.rows.map(\.row.id) == ["ida-day"])
    #expect(next?.rows.rows.first?.state.isLiving == false)
    let repair = PullCursor.Position.repair(ranges: .all, head: nil, after: nil)
    #expect(
      try await circles.pull(week, by: ben, repair, epoch: 7)?.page?.rows.rows.isEmpty == true)
    #expect(
      try await circles.pull(week, by: ida, repair, epoch: 7)?.page?.rows.rows.count == 2)
  }

  @Test func `Access that ended and began again does not show the deletions in between`()
    async throws
  {
    let (ida, ben) = try await members()
    let week = try ida.scope("week")
    let head = try #require(try await circles.pull(week, by: ben)?.page?.head)
    try await circles.block(ben, by: ida)
    try await circles.put("days", "between", ["note": "secret"], of: ida)
    try await circles.change(.delete, "days", "between", of: ida)
    try await circles.change(.delete, "blocks", "b-\(ida.id)-\(ben.id)", of: ida)
    let answer = try await circles.pull(week, by: ben, .changes(after: head), epoch: 7)
    #expect(answer == .resync(minSeq: 3))
    #expect(try await circles.pull(week, by: ben)?.page?.rows.rows.map(\.row.id) == ["ida-day"])
  }

  @Test func `The name of another's device shows nothing of its batches`() async throws {
    let (ida, ben) = try await members()
    let week = try ida.scope("week")
    let own = try await circles.pull(week, by: ida)?.page
    #expect(own?.lastBatch == 1 && own?.batches.count == 1)
    let thief = Circles.Person(id: ben.id, token: ben.token, device: ida.device)
    let page = try await circles.pull(week, by: thief)?.page
    #expect(page?.lastBatch == 0 && page?.batches.isEmpty == true)
    // The same holds among members.
    let circle = try ScopeID("circle/c")
    let shared = try await circles.pull(circle, by: thief)?.page
    #expect(shared?.lastBatch == 0 && shared?.batches.isEmpty == true)
  }

  @Test func `A deleted row is to a reader as if it had never existed`() async throws {
    let (ida, ben) = try await members()
    try await circles.put("days", "old", ["note": "secret"], of: ida)
    try await circles.change(.delete, "days", "old", of: ida)
    let service = circles.service
    let scope = try ida.scope("week").text
    func get(_ id: String, _ person: Circles.Person) async -> Response {
      await service.send(.get, "/v1/tables/days/rows/\(id)?scope=\(scope)", token: person.token)
    }
    #expect(await get("ida-day", ben).status == .ok)
    #expect(await get("old", ida).status == .gone)
    let (gone, never) = (await get("old", ben), await get("never", ben))
    #expect(gone.status == .notFound && gone.bytes == never.bytes)
    #expect(gone.comparableHeaders == never.comparableHeaders)
  }

  @Test func `Readers of the same scope do not count as acquainted`() async throws {
    let tables = try Circles.manifest().tables
    let manifest = try Manifest(
      version: 1, tables: tables, claimableKinds: ["circle"],
      personalKinds: ["person", "profile", "week"], admittingKinds: ["circle"],
      memberLimits: ["circle": 30], membershipLimits: ["circle": 12], accessRules: Circles.rules)
    let circles = try Circles(manifest)
    let (ida, ben) = (try await circles.person("ida"), try await circles.person("ben"))
    let eve = try await circles.person("eve")
    try await circles.circle("c", ida, ben)
    try await circles.circle("d", ida, eve)
    try await circles.circle("e", ben)
    let addition = MemberCommand(.viewer, of: eve.id, isAddition: true)
    let op = addition.op(at: Stamp(milliseconds: 9, device: ben.device))
    #expect(try await circles.push(ScopeID("circle/e"), [op], ben) == .forbidden)
  }

  // MARK: - Hints

  @Test func `Only the accounts concerned get hints about access`() async throws {
    let (ida, ben) = try await members()
    let eve = try await circles.person("eve")
    try await circles.join("c", by: ida, eve)
    let hub = circles.service.server.hub
    let log = circles.service.log
    let channels = try await [ben, eve].asyncMap { person in
      let channel = hub.listen(AccountID(person.id), with: ContentHash(of: [0]))
      let grants = try await log.read { try $0.grants(of: AccountID(person.id), after: 0) }
      hub.setGrants(grants, of: AccountID(person.id))
      return channel
    }
    try await circles.block(ben, by: ida)
    try await circles.put("days", "next", ["note": "n"], of: ida)
    hub.close()
    let week = try ida.scope("week").text
    var hints: [[String]] = []
    for channel in channels {
      var found: [String] = []
      while let hint = try await channel.nextHint() { found.append("\(hint.scope) \(hint.head)") }
      hints.append(found)
    }
    #expect(hints == [["\(week) \(WireLimits.number)"], ["\(week) 2"]])
  }
}

extension Array {
  /// Returns the results of a closure for the elements, in order.
  fileprivate func asyncMap<Result>(
    _ body: (Element) async throws -> Result
  ) async rethrows -> [Result] {
    var results: [Result] = []
    for element in self { results.append(try await body(element)) }
    return results
  }
}
