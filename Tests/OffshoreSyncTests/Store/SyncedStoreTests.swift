import Foundation
import Offshore
import OffshoreLogging
import OffshoreSync
import OffshoreWire
import TestSupport
import Testing

/// Opening a file, and linking it to an account.
@Suite(.timeLimit(.minutes(1)))
struct SyncedStoreTests {
  private let folder: TemporaryFolder
  private var path: String { folder.file("journey.sqlite") }

  init() throws { folder = try TemporaryFolder() }

  // MARK: - Opening

  @Test func `A new file has all tables, settings and a user that does not change`() async throws {
    let user = UUID()
    let first = try Journey(path, userID: user)
    #expect(try await first.userID() == user)
    #expect(try await first.store.read { try SyncedStore.account($0) } == nil)
    try await first.store.write { try Trip(id: UUID(), name: "Kornati").insert($0) }
    try await first.store.set("theme", to: "dark")
    await first.store.close()
    let second = try Journey(path)
    #expect(try await second.userID() == user)
    #expect(try await second.texts("SELECT name FROM trips") == ["Kornati"])
    #expect(try await second.store.setting("theme") == "dark")
    try await second.store.set("theme", to: nil)
    #expect(try await second.store.setting("theme") == nil)
    #expect(second.store.path == path)
  }

  @Test func `Concurrent openings agree on the user`() async throws {
    let ids = try await withThrowingTaskGroup(of: UUID.self) { [path] group in
      for _ in 0..<8 { group.addTask { try await Journey(path).userID() } }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(ids.count == 1)
  }

  @Test func `An existing table of settings is not changed`() async throws {
    let made: Migrations = [
      Migration("v1_createSettings") {
        try SQL("CREATE TABLE settings (name TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL)")
          .run($0)
        try SQL("INSERT INTO settings VALUES ('userID', \(zeros))").run($0)
      }
    ]
    let journey = try Journey(path, schema: StoreSchema(migrations: made))
    #expect(try await journey.userID() == zeros)
  }

  @Test func `An app without synced tables has a store like any other`() async throws {
    let migrations: Migrations = [Migration("v1") { try $0.create(Trip.table) }]
    let journey = try Journey(schema: StoreSchema(migrations: migrations))
    let trip = Trip(id: UUID(), name: "Vis")
    try await journey.store.write { try trip.insert($0) }
    #expect(try await journey.store.values(of: Trip.order { $0.name }).first() == [trip])
    #expect(try await journey.store.values { try Trip.order { $0.name }.count($0) }.first() == 1)
    #expect(try journey.store.schema.manifest.tables.isEmpty)
    #expect(try await journey.store.status().first() == SyncedStore.Status())
  }

  @Test func `A temporary store deletes its file`() async throws {
    let journey = try Journey()
    let path = journey.store.path
    #expect(FileManager.default.fileExists(atPath: path))
    await journey.store.close()
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func `A contradictory declaration is an error of the store`() {
    let wrong = StoreSchema(
      migrations: Journey.migrations,
      sync: try SyncSchema(
        version: 1,
        SyncTable(Waypoint.self, scope: .kind("trip", \.tripID), partOf: (Trip.self, \.tripID))))
    let error = #expect(throws: ReplicaError.self) { try SyncedStore(path, schema: wrong) }
    #expect(error?.code == .declaration && error?.message.contains("trips") == true)
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func `A declaration in which no account can get a role is an error of the store`() {
    let lonely = StoreSchema(
      migrations: Journey.migrations,
      sync: try SyncSchema(version: 1, SyncTable(Trip.self, scope: .kind("trip", \.id))))
    let error = #expect(throws: ReplicaError.self) { try SyncedStore(path, schema: lonely) }
    #expect(error?.code == .declaration && error?.message.contains("claimableKinds") == true)
  }

  @Test func `A setting that is not an id is reported with its place`() async throws {
    let journey = try Journey()
    try await journey.run("UPDATE settings SET value = 'nobody' WHERE name = 'userID'")
    let error = await #expect(throws: DatabaseError.self) { try await journey.userID() }
    #expect(error?.code == .invalidValue && error?.table == "settings")
    #expect(error?.column == "value" && error?.rowKey == [.text("userID")])
  }

  // MARK: - Accounts

  @Test func `An account gets all rows of the local user`() async throws {
    let (local, account) = (UUID(), UUID())
    let journey = try Journey(userID: local)
    let (trip, other) = (UUID(), UUID())
    try await journey.store.write { writer in
      try Trip(id: trip, name: "Kornati").insert(writer)
      try Waypoint(id: UUID(), tripID: trip, name: "Telašćica", authorID: local).insert(writer)
      try Waypoint(id: UUID(), tripID: trip, name: "Žut", authorID: other).insert(writer)
      try Note(id: UUID(), ownerID: local, title: "Fuel").insert(writer)
      try CurrentTrip(id: local, tripID: trip).insert(writer)
    }
    try await journey.link(LinkedAccount(id: account, name: "skipper", server: "https://a.org"))
    #expect(try await journey.userID() == account)
    #expect(
      try await journey.texts("SELECT authorID FROM waypoints ORDER BY name")
        == [account.uuidString, other.uuidString])
    #expect(try await journey.texts("SELECT ownerID FROM notes") == [account.uuidString])
    #expect(try await journey.texts("SELECT id FROM currentTrips") == [account.uuidString])
    let linked = try await journey.store.read { try SyncedStore.account($0) }
    #expect(linked == LinkedAccount(id: account, name: "skipper", server: "https://a.org"))
    // All of it is pending.
    #expect(try await journey.store.changes.pending().first()?.listed.count == 3)
  }

  @Test func `The schema's hand-over runs in the transaction that links the account`()
    async throws
  {
    let schema = StoreSchema(
      migrations: Journey.migrations, sync: try SyncSchema(version: 1),
      handOver: { former, account, writer in
        try SQL("UPDATE notes SET title = \("\(former) \(account)")").run(writer)
        if try Note.where({ $0.ownerID != former }).exists(writer) { throw CancellationError() }
      })
    let (local, account) = (UUID(), UUID())
    let journey = try Journey(schema: schema, userID: local)
    let note = Note(id: UUID(), ownerID: local, title: "Fuel")
    try await journey.store.write { try note.insert($0) }
    try await journey.link(LinkedAccount(id: account, name: "skipper"))
    #expect(try await journey.texts("SELECT title FROM notes") == ["\(local) \(account)"])
    let refused = try Journey(schema: schema, userID: local)
    let others = Note(id: UUID(), ownerID: UUID(), title: "Fuel")
    try await refused.store.write { try others.insert($0) }
    await #expect(throws: CancellationError.self) {
      try await refused.link(LinkedAccount(id: account, name: "skipper"))
    }
    #expect(try await refused.userID() == local)
    #expect(try await refused.texts("SELECT title FROM notes") == ["Fuel"])
  }

  @Test func `A file belongs to one account, which may sign in again`() async throws {
    let journey = try Journey()
    try await journey.link()
    let user = try await journey.userID()
    let error = await #expect(throws: ReplicaError.self) {
      try await journey.link(LinkedAccount(id: UUID(), name: "mate"))
    }
    #expect(error?.code == .otherAccount && error?.message.contains("skipper") == false)
    #expect(try await journey.userID() == user)
    try await journey.store.setToken(nil)
    #expect(try await journey.store.identity().token == nil)
    try await journey.link(LinkedAccount(id: user, name: "skipper"))
    #expect(try await journey.store.identity().token == "secret")
  }

  @Test func `Changes are captured from the first sign-in on, also after the file is reopened`()
    async throws
  {
    let first = try Journey(path)
    try await first.store.write { try Trip(id: UUID(), name: "Kornati").insert($0) }
    #expect(try await first.store.changes.pending().first() == PendingChanges())
    try await first.link()
    let device = try await first.store.read { [replica = first.store.replica] in
      try replica.device($0)
    }
    await first.store.close()
    let second = try Journey(path)
    try await second.store.write { try Trip(id: UUID(), name: "Vis").insert($0) }
    let pending = try await second.store.changes.pending().first()
    #expect(pending?.listed.map(\.row.title) == ["Kornati", "Vis"])
    #expect(pending?.listed.map(\.date) == [1_000, 1_000].map { Date(timeIntervalSince1970: $0) })
    let same = try await second.store.read { [replica = second.store.replica] in
      try replica.device($0)
    }
    #expect(same == device)
  }

  @Test func `A released app's file belongs to its account, by the names of its settings`()
    async throws
  {
    let (user, device) = (UUID(), DeviceID(UUID()))
    let released = try Database(path, migrations: Journey.migrations)
    let outbox = Outbox(try Journey.sync())
    try await released.write { writer in
      try SQL("CREATE TABLE settings (name TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL)")
        .run(writer)
      let account = #"{"name":"skipper","id":"\#(user)","server":"https:\/\/a.org"}"#
      for (name, value) in [
        ("userID", user.uuidString), ("account", account), ("accountToken", "secret"),
        ("librarySeeded.\(user)", "true"),
      ] {
        try SQL("INSERT INTO settings VALUES (\(name), \(value))").run(writer)
      }
      try outbox.install(writer, device: device)
    }
    await released.close()
    let journey = try Journey(path)
    let (userID, account, token) = try await journey.store.identity()
    #expect(userID == user && token == "secret")
    #expect(account == LinkedAccount(id: user, name: "skipper", server: "https://a.org"))
    let same = try await journey.store.read { [replica = journey.store.replica] in
      try replica.device($0)
    }
    #expect(same == device)
    let seed = Note(id: UUID(), ownerID: user, title: "Fuel")
    #expect(try await !journey.store.seed([seed], of: user))
    try await journey.store.write { try Trip(id: UUID(), name: "Vis").insert($0) }
    #expect(try await journey.store.status().first()?.pendingCount == 1)
  }

  @Test func `A failure to record the end of a write is logged, and the write succeeds`()
    async throws
  {
    let journey = try Journey()
    try await journey.link()
    try await journey.run("DROP TABLE _moment")
    try await journey.store.write { try Trip(id: UUID(), name: "Vis").insert($0) }
    #expect(try await journey.texts("SELECT name FROM trips") == ["Vis"])
    let line = try #require(journey.log.first)
    #expect(line.hasPrefix("warning sync end of write failed error=DatabaseError"))
    #expect(!line.contains("Vis"))
  }

  // MARK: - Roles

  @Test(arguments: [Role.owner, .editor, .viewer, .revoked, .left])
  func `Only an owner and an editor may change a scope`(role: Role) async throws {
    let journey = try Journey()
    let scope = try ScopeID(kind: "trip", value: UUID().uuidString)
    let check: @Sendable (Reader) throws -> Void = { [store = journey.store] in
      try store.checkMayEdit(scope, $0)
    }
    try await journey.store.read(check)
    try await journey.link()
    // A scope that was created here and not sent yet has no role.
    try await journey.store.read(check)
    try await journey.run(
      "INSERT INTO _cursor (scope, role) VALUES (\(scope.text), \(Int64(role.rawValue)))")
    let roles = try await journey.store.read { [store = journey.store] in
      (try store.role(in: scope, $0), try store.roles(inScopesOf: "trip", $0))
    }
    #expect(roles.0 == role && roles.1 == [scope: role])
    if [.owner, .editor].contains(role) {
      try await journey.store.read(check)
    } else {
      let error = await #expect(throws: ReplicaError.self) { try await journey.store.read(check) }
      #expect(error?.code == .forbidden)
    }
  }

  @Test(arguments: ["", "no scope", "a/b", "ä", String(repeating: "x", count: 201)])
  func `Rows with an invalid scope may be changed, and the other rows are checked`(
    owner: String
  ) async throws {
    let journey = try Journey()
    try await journey.link()
    let (damaged, other) = (
      Note(id: UUID(), ownerID: UUID(), title: "Coves"),
      Note(id: UUID(), ownerID: UUID(), title: "Reefs")
    )
    try await journey.store.write { for note in [damaged, other] { try note.insert($0) } }
    let scope = try ScopeID(kind: "person", value: other.ownerID.uuidString)
    try await journey.run(
      "UPDATE notes SET ownerID = \(owner) WHERE id = \(damaged.id)",
      "INSERT INTO _cursor (scope, role) VALUES (\(scope.text), \(Int64(Role.viewer.rawValue)))")
    let count = try await journey.store.update(Note.find(damaged.id)) { [$0.title.set("Bays")] }
    #expect(count == 1)
    let error = await #expect(throws: ReplicaError.self) {
      try await journey.store.update(Note.all) { [$0.title.set("Capes")] }
    }
    #expect(error?.code == .forbidden)
    #expect(try await journey.texts("SELECT title FROM notes ORDER BY title") == ["Bays", "Reefs"])
  }
}

/// The id that consists of zeros.
private let zeros = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
