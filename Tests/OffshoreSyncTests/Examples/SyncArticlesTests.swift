import Foundation
import Offshore
import OffshoreSync
import OffshoreWire
import ServerSupport
import Synchronization
import TestSupport
import Testing

// Examples of the articles “Syncing” and “How syncing works”; Tests/Gates holds them to the same
// lines.

@Suite(.timeLimit(.minutes(1)))
struct SyncArticlesTests {
  private struct Charter: Record, Identifiable {
    let id: UUID
    var name: String
    static let table = Table(
      "charters", Charter.init, Column("id", \.id).primaryKey(), Column("name", \.name))
  }

  private struct Item: Record {
    let id: UUID
    var charterID: UUID
    var title: String
    var votes: Int
    var marks: String?
    var isExpanded: Bool
    static let table = Table(
      "items", Item.init, Column("id", \.id).primaryKey(),
      Column("charterID", \.charterID).references("charters", onDelete: .cascade),
      Column("title", \.title), Column("votes", \.votes), Column("marks", \.marks),
      Column("isExpanded", \.isExpanded).default(false))
  }

  private let folder: TemporaryFolder
  private let database: Database
  private let replica: Replica

  private func clock() -> Int64 { Self.now() }
  private static func now() -> Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }

  init() async throws {
    @Sendable func clock() -> Int64 { Self.now() }
    folder = try TemporaryFolder()
    let file = URL(filePath: folder.file("manifest.json"))
    let schema = try SyncSchema(
      version: 1,
      SyncTable(Charter.self, scope: .kind("charter", \.id)),
      SyncTable(
        Item.self, scope: .kind("charter", \.charterID),
        .merged(\.votes, .counter), .merged(\.marks, .keyed), .local(\.isExpanded)))
    try schema.manifest.json().write(to: file)
    #expect(try Manifest(json: Data(contentsOf: file)) == schema.manifest)

    database = try Database(
      folder.file("charters.sqlite"),
      migrations: [Migration("v1_createCharters", .create(Charter.table), .create(Item.table))])
    let replica = try Replica(schema)
    try await database.write {
      try replica.outbox.install($0, device: DeviceID(UUID()), now: { clock() })
    }
    self.replica = replica
  }

  @Test func `A change is pushed, and the answer applied`() async throws {
    let pushed = Mutex<[Batch]>([])
    @Sendable func post(_ path: String, _ body: [UInt8]) async throws -> [UInt8] {
      let request = try PushRequest(body: body)
      pushed.withLock { $0 += request.batches }
      let results = request.batches.map {
        BatchResult(
          scope: $0.scope, number: $0.number,
          outcome: .applied(SeqRange(first: 1, count: Int64($0.ops.count))))
      }
      return PushResponse(epoch: 7, serverTime: clock(), results: results).body
    }

    func push(_ database: Database, _ replica: Replica) async throws -> SyncEngine.PushSummary {
      let sent = clock()
      let next = try await database.write { try replica.nextPush($0, at: sent) { UUID() } }
      guard let request = next else { return .nothingToSend }
      let answer = try PushResponse(body: await post("/v1/push", request.body))
      let times = RequestTimes(sent: sent, received: clock())
      // swift-format-ignore
      let report = try await database.write {
        try replica.apply(
          answer, to: request, at: times, $0, newDevice: { DeviceID(UUID()) }, makeID: { UUID() })
      }
      return SyncEngine.PushSummary(report)
    }

    let charter = Charter(id: UUID(), name: "Kornati")
    try await database.write { writer in
      try SQL(
        """
        INSERT INTO _cursor (scope, role)
        VALUES (\("charter/\(charter.id.uuidString)"), \(Int64(Role.owner.rawValue)))
        """
      ).run(writer)
      try charter.insert(writer)
    }
    _ = try await push(database, replica)
    #expect(pushed.withLock(\.count) == 1)
  }

  @Test func `A renamed column is declared`() throws {
    let schema = try SyncSchema(
      version: 2, SyncTable(Charter.self, scope: .kind("charter", \.id), .formerly(\.name, "title"))
    )
    #expect(schema.manifest["charters"]?["title"]?.presentName == "name")
  }

  @Test func `Rows of a server are read and written without a copy`() async throws {
    let schema = try SyncSchema(
      version: 1, SyncTable(Charter.self, scope: .kind("charter", \.id)),
      SyncTable(Item.self, scope: .kind("charter", \.charterID), .local(\.isExpanded)),
      claimableKinds: ["charter"])
    let loopback = try LoopbackServer(schema.manifest)
    let server = loopback.url
    let account = try await AccountClient(HTTPTransport(server))
      .signUp("skipper", "correct horse", as: UUID())
    var titles: [String] = []

    let rows = RowClient(ServerClient(HTTPTransport(server)), schema, token: account.token)

    let charter = Charter(id: UUID(), name: "Kornati")
    try await rows.insert(charter)
    let found = try await rows.row(Charter.self, charter.id)
    var renamed = found.value
    renamed.name = "Vis"
    try await rows.update(found.value, to: renamed, ifMatch: found.entityTag)

    let item = Item(
      id: UUID(), charterID: charter.id, title: "Sails", votes: 0, marks: nil, isExpanded: false)
    try await rows.put(item)

    var place: String?
    repeat {
      let page = try await rows.page(of: Item.self, in: found.scope, after: place)
      titles += page.rows.map(\.value.title)
      place = page.next
    } while place != nil

    #expect(titles == ["Sails"])
    #expect(try await rows.row(Charter.self, charter.id).value.name == "Vis")
    await loopback.stop()
  }

  private struct Group: Record {
    let id: UUID
    static let table = Table("groups", { Group(id: $0) }, Column("id", \.id).primaryKey())
  }

  private struct Day: Record {
    let id: UUID
    var ownerID: UUID
    static let table = Table(
      "days", Day.init, Column("id", \.id).primaryKey(), Column("ownerID", \.ownerID))
  }

  private struct Sharing: Record {
    let id: UUID
    var ownerID: UUID
    var groupID: UUID
    var shows: String?
    static let table = Table(
      "sharings", Sharing.init, Column("id", \.id).primaryKey(),
      Column("ownerID", \.ownerID), Column("groupID", \.groupID), Column("shows", \.shows))
  }

  private struct Block: Record {
    let id: UUID
    var ownerID: UUID
    var blockedID: UUID
    static let table = Table(
      "blocks", Block.init, Column("id", \.id).primaryKey(), Column("ownerID", \.ownerID),
      Column("blockedID", \.blockedID))
  }

  @Test func `Access to personal scopes of others is declared`() throws {
    let schema = try SyncSchema(
      version: 1,
      SyncTable(Group.self, scope: .kind("group", \.id)),
      SyncTable(Day.self, scope: .kind("week", \.ownerID)),
      SyncTable(Sharing.self, scope: .kind("person", \.ownerID)),
      SyncTable(Block.self, scope: .kind("person", \.ownerID)),
      claimableKinds: ["group"], personalKinds: ["week", "person"],
      memberLimits: ["group": 30], membershipLimits: ["group": 12],
      accessRules: [
        .members(of: "group", read: "week")
          .choice(\Sharing.groupID, \.shows, ["week"]).block(\Block.blockedID)
      ])
    #expect(try Manifest(json: schema.manifest.json()) == schema.manifest)
  }

  private struct Leg: Record {
    let id: UUID
    var charterID: UUID
    var minutes: Int?
    static let table = Table(
      "legs", Leg.init, Column("id", \.id).primaryKey(), Column("charterID", \.charterID),
      Column("minutes", \.minutes))
  }

  @Test func `A column that replaces another is declared`() throws {
    let legs =
      SyncTable(
        Leg.self, scope: .kind("charter", \.charterID), .retired("hours", as: Double?.self),
        .derived(
          \.minutes, from: "hours", { (hours: Double?) in hours.map { Int($0 * 60) } },
          back: { minutes in minutes.map { Double($0) / 60 } }))
    let table = try SyncSchema(version: 2, legs).manifest["legs"]
    #expect(table?["hours"]?.isRetired == true && table?["minutes"]?.derivedFrom == "hours")
  }

  @Test func `The engine returns actions`() {
    var performed = 0
    func perform(_ action: SyncEngine.Action) { performed += 1 }
    var engine = SyncEngine()
    let moment = SyncEngine.Moment(milliseconds: clock(), random: .random(in: 0 ... .max))
    for action in engine.handle(.changesCaptured, at: moment) { perform(action) }
    #expect(performed >= 0)
  }

  @Test func `The driver starts and stops`() async throws {
    let server = try #require(URL(string: "http://127.0.0.1:9"))
    let token = "secret"
    // swift-format-ignore
    let driver = SyncDriver(database, replica, over: HTTPTransport(server), monitor: NetlinkMonitor(to: server))
    await driver.setToken(token)
    await driver.start()
    await driver.stop()
  }
}
