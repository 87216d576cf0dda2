import Foundation
import Offshore
import OffshoreWire
import ServerSupport
import Testing

@testable import OffshoreSync

extension Charter: Identifiable {}
extension Task: Identifiable {}

/// A client of single rows and a real server.
@Suite(.timeLimit(.minutes(1)))
struct RowClientTests {
  private let harbour: RowHarbour
  private let schema: SyncSchema
  private let anna: RowClient
  private var scope: ScopeID { harbour.scope }

  init() async throws {
    schema = try .fleet(claimableKinds: ["charter"])
    harbour = try RowHarbour(schema)
    anna = try await harbour.client(.owner, schema)
    try await anna.insert(Charter(id: "c1", name: "Alma"))
  }

  // MARK: - Rows

  @Test func `A row is inserted, read, changed, replaced and deleted`() async throws {
    let task = Task("t1", items: #"{"a":1}"#)
    let inserted = try await anna.insert(task)
    #expect(inserted.value == task && inserted.scope == scope)
    #expect(try await anna.row(Task.self, "t1", in: scope) == inserted)
    var lines = task
    (lines.title, lines.note, lines.hours, lines.votes) = ("Lines", "red", 1.5, 2)
    lines.items = #"{"a":2,"b":[1]}"#
    let changed = try await anna.update(task, to: lines)
    #expect(changed.value == lines && changed.entityTag != inserted.entityTag)
    var ropes = lines
    (ropes.title, ropes.note, ropes.hours, ropes.items) = ("Ropes", nil, nil, nil)
    let replaced = try await anna.put(ropes)
    #expect(replaced.value == ropes)
    #expect(try await anna.page(of: Task.self, in: scope).rows == [replaced])
    try await anna.delete(Task.self, "t1", in: scope)
    #expect(try await anna.page(of: Task.self, in: scope).rows == [])
    await harbour.server.stop()
  }

  @Test func `A row whose key is the value of its scope needs no scope`() async throws {
    let charter = Charter(id: "c2", name: "Bella")
    #expect(try await anna.put(charter).scope == ScopeID("charter/c2"))
    #expect(try await anna.row(Charter.self, "c2").value == charter)
    try await anna.delete(Charter.self, "c2")
    #expect(await failureCode { try await anna.row(Charter.self, "c2") } == .gone)
    #expect(await failureCode { try await anna.row(Task.self, "t1") } == .malformed)
    await harbour.server.stop()
  }

  @Test func `A change has the differing columns only`() async throws {
    let ben = try await harbour.client(.editor, schema)
    let task = try await anna.insert(Task("t1")).value
    var (lines, red) = (task, task)
    (lines.title, red.note) = ("Lines", "red")
    try await anna.update(task, to: lines)
    let both = try await ben.update(task, to: red)
    #expect(both.value.title == "Lines" && both.value.note == "red")
    let same = try await ben.update(both.value, to: both.value)
    #expect(same == both)
    await harbour.server.stop()
  }

  @Test func `An id may have any visible characters of ASCII`() async throws {
    for id in ["a/b", "?c=%2F", "#+;&", "%", "a.b..c"] {
      let task = Task(id)
      let inserted = try await anna.insert(task)
      #expect(try await anna.row(Task.self, id, in: scope) == inserted)
      #expect(try await anna.put(task).entityTag == inserted.entityTag)
      try await anna.delete(Task.self, id, in: scope)
    }
    await harbour.server.stop()
  }

  @Test func `Devices pull the changes of a client, and the client reads theirs`() async throws {
    let server = try await LoopbackServer.fleet()
    let device = try await LoopbackDevice(1, of: server.url)
    await device.driver.start()
    try await device.run(
      "INSERT INTO charters VALUES ('c1', 'Alma')", Task.insertion("t1", "Sails"))
    for try await pending in device.database.values({ [replica = device.replica] in
      try replica.status($0).pending
    }) where pending == 0 { break }
    let rows = RowClient(
      ServerClient(HTTPTransport(server.url)), schema, token: LoopbackServer.token(2))
    let found = try await rows.row(Task.self, "t1", in: scope)
    #expect(found.value == Task("t1"))
    var lines = found.value
    lines.title = "Lines"
    try await rows.update(found.value, to: lines, ifMatch: found.entityTag)
    try await rows.put(Task("t2", title: "Fenders"))
    try await device.waitForTitles(["Lines", "Fenders"])
    await device.end()
    for server in [server, harbour.server] { await server.stop() }
  }

  // MARK: - Pages

  @Test(arguments: [1, 2, 100])
  func `Pages have each row once, in order`(limit: Int) async throws {
    try await anna.insert(Charter(id: "c2", name: "Bella"))
    for id in ["a", "b/1", "c"] {
      for charter in ["c1", "c2"] { try await anna.insert(Task("\(charter)-\(id)", in: charter)) }
    }
    for (scope, ids) in [
      (scope, ["c1-a", "c1-b/1", "c1-c"]),
      (nil, ["c1-a", "c1-b/1", "c1-c", "c2-a", "c2-b/1", "c2-c"]),
    ] as [(ScopeID?, [String])] {
      var (found, place, count) = ([String](), String?.none, 0)
      repeat {
        let page = try await anna.page(of: Task.self, in: scope, after: place, limit: limit)
        #expect(page.rows.count <= limit)
        found += page.rows.map(\.value.id)
        (place, count) = (page.next, count + 1)
      } while place != nil && count < 20
      #expect(found == ids)
    }
    for (place, limit) in [("x", 10), (nil, 0), (nil, 1_001)] as [(String?, Int)] {
      let code = await failureCode {
        try await anna.page(of: Task.self, after: place, limit: limit)
      }
      #expect(code == .malformed)
    }
    await harbour.server.stop()
  }

  // MARK: - Counters

  @Test func `The difference of a counter is added to it`() async throws {
    let ben = try await harbour.client(.editor, schema)
    let task = try await anna.insert(Task("t1")).value
    var (two, three) = (task, task)
    (two.votes, three.votes) = (2, 3)
    try await anna.update(task, to: two)
    #expect(try await ben.update(task, to: three).value.votes == 5)
    #expect(try await anna.update(three, to: two).value.votes == 4)
    await harbour.server.stop()
  }

  @Test func `A replacement sets a counter of the version that was read, and no other one`()
    async throws
  {
    var task = Task("t1")
    task.votes = 3
    #expect(try await anna.put(task).value.votes == 3)
    task.votes = 5
    let sent = task
    let failure = await #expect(throws: RowClient.Failure.self) { try await anna.put(sent) }
    #expect(failure?.code == .invalidValue && failure?.field == "votes")
    #expect(failure?.message.hasPrefix("“tasks.votes”: The counter has another value.") == true)
    let found = try await anna.row(Task.self, "t1", in: scope)
    #expect(found.value.votes == 3)
    #expect(try await anna.put(task, ifMatch: found.entityTag).value.votes == 5)
    await harbour.server.stop()
  }
}
