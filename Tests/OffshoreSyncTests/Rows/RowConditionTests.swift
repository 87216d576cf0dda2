import Foundation
import Offshore
import OffshoreHTTP
import OffshoreWire
import ServerSupport
import Testing

@testable import OffshoreSync

/// The safeguards of changes of single rows, and their failures.
@Suite(.timeLimit(.minutes(1)))
struct RowConditionTests {
  private let harbour: RowHarbour
  private let schema: SyncSchema
  private let anna: RowClient
  private let task = Task("t1")
  private var scope: ScopeID { harbour.scope }

  /// The task with another title.
  private var lines: Task {
    var lines = task
    lines.title = "Lines"
    return lines
  }

  init() async throws {
    schema = try .fleet(claimableKinds: ["charter"])
    harbour = try RowHarbour(schema)
    anna = try await harbour.client(.owner, schema)
    try await anna.insert(Charter(id: "c1", name: "Alma"))
  }

  // MARK: - Versions

  @Test func `A change of an outdated version is refused, and one of the current version applies`()
    async throws
  {
    let ben = try await harbour.client(.editor, schema)
    let old = try await anna.insert(task).entityTag
    var red = task
    red.note = "red"
    let current = try await ben.update(task, to: red)
    for code in [
      await failureCode { try await anna.update(task, to: lines, ifMatch: old) },
      await failureCode { try await anna.put(lines, ifMatch: old) },
      await failureCode { try await anna.delete(Task.self, "t1", in: scope, ifMatch: old) },
    ] { #expect(code == .preconditionFailed) }
    #expect(try await anna.row(Task.self, "t1", in: scope) == current)
    let tag = try await anna.update(task, to: lines, ifMatch: current.entityTag).entityTag
    try await anna.delete(Task.self, "t1", in: scope, ifMatch: tag)
    await harbour.server.stop()
  }

  @Test func `A replacement of a version does not insert a row`() async throws {
    let tag = try await anna.insert(task).entityTag
    try await anna.delete(Task.self, "t1", in: scope)
    #expect(await failureCode { try await anna.put(task, ifMatch: tag) } == .preconditionFailed)
    #expect(await failureCode { try await anna.row(Task.self, "t1", in: scope) } == .gone)
    await harbour.server.stop()
  }

  // MARK: - Repeated calls

  @Test func `A call that is repeated with its key takes effect once`() async throws {
    let (insertion, vote) = (UUID(), UUID())
    let first = try await anna.insert(task, key: insertion)
    #expect(try await anna.insert(task, key: insertion) == first)
    var voted = task
    voted.votes = 1
    for _ in 0..<2 { try await anna.update(task, to: voted, key: vote) }
    #expect(try await anna.row(Task.self, "t1", in: scope).value.votes == 1)
    for _ in 0..<2 { try await anna.update(task, to: voted) }
    #expect(try await anna.row(Task.self, "t1", in: scope).value.votes == 3)
    #expect(
      await failureCode { try await anna.update(task, to: lines, key: vote) } == .keyReused)
    let deletion = UUID()
    for _ in 0..<2 { try await anna.delete(Task.self, "t1", in: scope, key: deletion) }
    #expect(await failureCode { try await anna.insert(task, key: insertion) } == .gone)
    await harbour.server.stop()
  }

  @Test func `A replacement whose answer is lost is repeated`() async throws {
    let key = UUID()
    try await anna.put(task, key: key)
    try await anna.update(task, to: lines)
    #expect(try await anna.put(task, key: key).value == lines)
    await harbour.server.stop()
  }

  // MARK: - Rows that were deleted or exist already

  @Test func `A deleted row is reported, and a replacement inserts it again`() async throws {
    let tag = try await anna.insert(task).entityTag
    #expect(await failureCode { try await anna.insert(task) } == .exists)
    try await anna.delete(Task.self, "t1", in: scope)
    for code in [
      await failureCode { try await anna.row(Task.self, "t1", in: scope) },
      await failureCode { try await anna.update(task, to: lines) },
      await failureCode { try await anna.delete(Task.self, "t1", in: scope) },
    ] { #expect(code == .gone) }
    let again = try await anna.put(task)
    #expect(again.value == task && again.entityTag != tag)
    #expect(await failureCode { try await anna.row(Task.self, "t9", in: scope) } == .notFound)
    await harbour.server.stop()
  }

  // MARK: - Permission

  @Test func `A viewer reads and does not write`() async throws {
    let vera = try await harbour.client(.viewer, schema)
    let stored = try await anna.insert(task)
    #expect(try await vera.row(Task.self, "t1", in: scope) == stored)
    for code in [
      await failureCode { try await vera.insert(Task("t2")) },
      await failureCode { try await vera.put(lines) },
      await failureCode { try await vera.put(Task("t2")) },
      await failureCode { try await vera.update(task, to: lines) },
      await failureCode { try await vera.delete(Task.self, "t1", in: scope) },
    ] { #expect(code == .forbidden) }
    #expect(try await anna.page(of: Task.self).rows == [stored])
    await harbour.server.stop()
  }

  @Test func `A stranger learns nothing about a row`() async throws {
    let eve = try await harbour.client(nil, schema)
    let tag = try await anna.insert(task).entityTag
    for id in ["t1", "t2"] {
      #expect(await failureCode { try await eve.row(Task.self, id, in: scope) } == .notFound)
      #expect(
        await failureCode { try await eve.delete(Task.self, id, in: scope) } == .notFound)
      #expect(
        await failureCode { try await eve.update(Task(id), to: Task(id, title: "x")) }
          == .notFound)
      #expect(await failureCode { try await eve.insert(Task(id)) } == .forbidden)
      #expect(await failureCode { try await eve.put(Task(id)) } == .forbidden)
      #expect(
        await failureCode { try await eve.put(Task(id), ifMatch: tag) } == .preconditionFailed)
    }
    #expect(await failureCode { try await eve.page(of: Task.self, in: scope) } == .notFound)
    #expect(try await eve.page(of: Task.self).rows == [])
    #expect(try await anna.row(Task.self, "t1", in: scope).entityTag == tag)
    await harbour.server.stop()
  }

  @Test func `A token that the server does not know is refused`() async throws {
    let client = ServerClient(HTTPTransport(harbour.server.url))
    let rows = RowClient(client, schema, token: "none")
    #expect(await failureCode { try await rows.page(of: Task.self) } == .unauthorized)
    await harbour.server.stop()
  }

  // MARK: - Bad input

  @Test func `A record that cannot be sent is refused without a request`() async throws {
    let count = harbour.server.requestCount
    var (endless, homeless, moved) = (task, task, task)
    (endless.hours, homeless.charterID, moved.charterID) = (.nan, "", "c2")
    let renamed = Task("t2")
    let berth = FirstBerth(id: "b1", charterID: "c1", name: "North", hours: nil)
    for (code, expected) in [
      (await failureCode { try await anna.insert(endless) }, .invalidValue),
      (await failureCode { try await anna.put(homeless) }, .invalidValue),
      (await failureCode { try await anna.update(task, to: moved) }, .invalidValue),
      (await failureCode { try await anna.update(task, to: renamed) }, .invalidValue),
      (await failureCode { try await anna.insert(berth) }, .unknownTable),
      (await failureCode { try await anna.page(of: FirstBerth.self) }, .unknownTable),
    ] as [(RowClient.Failure.Code?, RowClient.Failure.Code)] { #expect(code == expected) }
    #expect(harbour.server.requestCount == count)
    await harbour.server.stop()
  }

  @Test func `A failure names the column and the remedy, and no value`() async throws {
    var endless = task
    (endless.title, endless.hours) = ("secret", .nan)
    let failure = await #expect(throws: ServerClient.Failure.self) {
      try await anna.insert(endless)
    }
    let message = failure?.message ?? ""
    #expect(message.contains("“hours”") && message.contains("NaN"))
    #expect(!message.contains("secret"))
    await harbour.server.stop()
  }

  @Test func `The server's refusals have their codes`() async throws {
    let large = Task("t2", title: String(repeating: "x", count: WireLimits.valueBytes + 1))
    #expect(await failureCode { try await anna.put(large) } == .tooLarge)
    let long = Task(String(repeating: "i", count: WireLimits.idBytes + 1))
    #expect(await failureCode { try await anna.put(long) } == .invalidOp)
    let rows = try await harbour.client(.editor, Release.first().schema)
    let berth = FirstBerth(id: "b1", charterID: "c1", name: "North", hours: nil)
    #expect(await failureCode { try await rows.put(berth) } == .unknownTable)
    await harbour.server.stop()
  }

  @Test(arguments: [
    "", "[]", #"{"rows":1}"#, #"{"etag":"x","id":"t1","scope":"charter/c1","values":{}}"#,
    #"{"etag":"\"x\"","id":"t1","scope":"charter/c1","values":{"title":true}}"#,
    #"{"etag":"\"x\"","id":"t1","scope":"charter/c1","values":{"charterID":"c1","votes":0}}"#,
    #"{"etag":"\"x\"","id":"t1","scope":"none","values":{}}"#,
  ])
  func `An answer that is not such a row is an error`(_ text: String) async throws {
    let other = HTTPServer(
      HTTPServer.Configuration.onAnyPort,
      handler: { _ in Response(.ok, body: .bytes(Array(text.utf8))) })
    let url = try #require(URL(string: "http://127.0.0.1:\(try other.start())"))
    let rows = RowClient(ServerClient(HTTPTransport(url)), schema, token: "t")
    #expect(await failureCode { try await rows.row(Task.self, "t1", in: scope) } == .malformed)
    #expect(await failureCode { try await rows.page(of: Task.self) } == .malformed)
    await other.stop()
    await harbour.server.stop()
  }
}

extension HTTPServer.Configuration {
  fileprivate static var onAnyPort: Self {
    var configuration = Self()
    configuration.port = 0
    return configuration
  }
}
