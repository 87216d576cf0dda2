import OffshoreWire
import ServerSupport
import Testing

@testable import OffshoreServer

/// The effects of a push on a log.
struct PushRulesTests {
  private var server: TestServer

  init() throws { server = try TestServer() }

  @Test mutating func `Each change has its own number, and a batch a contiguous range`() throws {
    let first = try server.push(1, [.list(at: 1), .task("a", at: 2), .task("b", at: 3)])
    let second = try server.push(2, [.edit("a", ["title": "new"], at: 4), .task("c", at: 5)])
    #expect(first?.range == SeqRange(first: 1, count: 3))
    #expect(second?.range == SeqRange(first: 4, count: 2))
    let rows = server.log.rows(in: try Lists.scope(), after: 0, limit: 9)
    #expect(rows.map(\.row.id) == ["1", "b", "a", "c"])
    #expect(rows.map(\.seq) == [1, 3, 4, 5])
  }

  @Test mutating func `Change numbers are shared by all devices, batch numbers are not`() throws {
    let first = try server.push(1, [.list(at: 1)])
    let second = try server.push(1, [.task("a", at: 2, by: 2)], device: 2)
    #expect(first?.range == SeqRange(first: 1, count: 1))
    #expect(second?.range == SeqRange(first: 2, count: 1))
  }

  @Test mutating func `The digest reflects each change`() throws {
    _ = try server.push(1, [.list(at: 1), .task("a", at: 2), .task("b", at: 3)])
    _ = try server.push(
      2, [.edit("a", ["title": "new"], at: 4), .delete(Lists.task("b"), at: 5)])
    var sum = Digest()
    for row in server.log.rows(in: try Lists.scope(), after: 0, limit: 9) {
      sum.add(row.state, of: row.row)
    }
    #expect(try server.scope().digest == sum)
    #expect(sum != Digest())
  }

  @Test mutating func `A batch that changes nothing uses no numbers`() throws {
    _ = try server.push(1, [.list(at: 1), .task("a", at: 2)])
    _ = try server.push(2, [.delete(Lists.task("a"), at: 3)])
    let again = try server.push(1, [.delete(Lists.task("a"), at: 1, by: 2)], device: 2)
    #expect(again?.range == SeqRange(first: 4, count: 0))
    #expect(try server.scope().head == 3)
  }

  @Test(arguments: [true, false])
  mutating func `A losing value advances its scope, so that devices receive the conflict`(
    isDeleted: Bool
  ) throws {
    _ = try server.push(1, [.list(at: 1), .task("a", at: 2)])
    let other: Op =
      isDeleted ? .delete(Lists.task("a"), at: 4) : .edit("a", ["title": "later"], at: 4)
    _ = try server.push(2, [other])
    let before = try server.scope()
    let lost = try server.push(1, [.edit("a", ["title": "earlier"], at: 3, by: 2)], device: 2)
    #expect(lost?.range == SeqRange(first: 4, count: 1))
    let after = try server.scope()
    #expect(after.head == 4 && after.conflicts == 1 && after.digest == before.digest)
    guard case .page(let page) = try server.pull(.changes(after: 3)) else {
      return #expect(Bool(false))
    }
    #expect(page.rows.count == 1 && page.conflicts.count == 1)
    #expect(page.next == .changes(after: 4))
  }

  // MARK: - Versions and epochs

  @Test(arguments: [(1, WireProblem.Code.upgradeRequired), (4, .unavailable)])
  mutating func `A device that is too old has to be updated, and one that is newer has to wait`(
    version: Int, code: WireProblem.Code
  ) throws {
    server.pushRules = try PushRules(Lists.manifest(version: 3), oldestVersion: 2)
    let problem = #expect(throws: WireProblem.self) { try server.push([], version: version) }
    #expect(problem?.code == code)
  }

  @Test(arguments: [2, 3])
  mutating func `Devices with a version in between are served`(version: Int) throws {
    server.pushRules = try PushRules(Lists.manifest(version: 3), oldestVersion: 2)
    #expect(
      try server.push([], version: version)
        == PushResponse(
          epoch: 7, serverTime: server.now, results: []))
  }

  @Test mutating func `A device of another epoch gets the current one, and no batch is applied`()
    throws
  {
    let batch = try TestServer.batch(1, [.list(at: 1)])
    let before = server.log
    #expect(
      try server.push([batch], epoch: 6)
        == PushResponse(
          epoch: 7, serverTime: server.now, results: []))
    #expect(server.log == before)
    #expect(try server.push([batch], epoch: 0).results.count == 1)
  }

  // MARK: - Clocks

  @Test mutating func `A stamp from the future is limited to the server's time plus the tolerance`()
    throws
  {
    _ = try server.push(1, [.list(at: 1), .task("a", at: 9_000_000_000)])
    let stamp = try #require(try server.state(Lists.task("a"))?.stamp)
    #expect(stamp.milliseconds == server.now + 1_000)
  }

  @Test mutating func `A stamp within the tolerance stays`() throws {
    _ = try server.push(1, [.list(at: 1), .task("a", at: server.now + 1_000)])
    #expect(try server.state(Lists.task("a"))?.stamp == .at(server.now + 1_000))
  }

  /// Device 1 writes. Devices 2 and 3 edit the value that they have seen, one second apart.
  @Test mutating func `An edit that saw the value wins even if its clock was set back`() throws {
    let (minute, title) = (60_000 as Int64, "title")
    let written = server.now - 5 * minute
    _ = try server.push(1, [.list(at: 1), .task("a", at: written)])
    server.now -= 10 * minute
    for device in [2, 3] as [UInt8] {
      let seen = try #require(try server.state(Lists.task("a"))?.version(of: title))
      let edit = Op.edit(
        "a", [title: WireValue("by \(device)")], base: [title: seen],
        at: written + Int64(device) * 1_000, by: device)
      _ = try server.push(1, [edit], device: device)
      let state = try #require(try server.state(Lists.task("a")))
      #expect(state.fields[title] == WireValue("by \(device)"))
      #expect(try #require(state.version(of: title)) > seen)
    }
    #expect(try server.scope().conflicts == 0)
  }

  // MARK: - Conflicts

  @Test mutating func `A losing value is recorded`() throws {
    _ = try server.push(1, [.list(at: 1), .task("a", at: 2)])
    _ = try server.push(2, [.edit("a", ["title": "later"], at: 9)])
    let earlier = Op.edit("a", ["title": "earlier"], at: 5, by: 2)
    _ = try server.push(1, [earlier], device: 2)
    let numbered = server.log.conflicts(of: Lists.task("a"), in: try Lists.scope())
    let conflicts = numbered.map(\.conflict)
    #expect(numbered.map(\.number) == [1])
    #expect(try server.scope().conflicts == 1)
    #expect(conflicts.map(\.losing) == ["earlier"])
    #expect(conflicts.map(\.winning) == ["later"])
    #expect(conflicts.map(\.losingStamp) == [.at(5, by: 2)])
    #expect(conflicts.map(\.winningStamp) == [.at(9)])
  }
}
