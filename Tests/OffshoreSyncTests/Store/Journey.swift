import Foundation
import Offshore
import OffshoreLogging
import OffshoreSync
import OffshoreWire
import Synchronization

/// A trip, which is a scope that its travellers share.
struct Trip: Record, Equatable, Identifiable {
  let id: UUID
  var name: String
  static let table = Table(
    "trips", Trip.init, Column("id", \.id).primaryKey(), Column("name", \.name))
}

/// A waypoint of a trip, with its author.
struct Waypoint: Record, Equatable, Identifiable {
  let id: UUID
  var tripID: UUID
  var name: String
  var authorID: UUID
  static let table = Table(
    "waypoints", Waypoint.init, Column("id", \.id).primaryKey(),
    Column("tripID", \.tripID).references("trips", column: "id", onDelete: .cascade),
    Column("name", \.name), Column("authorID", \.authorID))
}

/// A vote for a waypoint. Its title is the waypoint's name.
struct Vote: Record, Equatable, Identifiable {
  let id: UUID
  var tripID: UUID
  var waypointID: UUID
  static let table = Table(
    "votes", Vote.init, Column("id", \.id).primaryKey(),
    Column("tripID", \.tripID).references("trips", column: "id", onDelete: .cascade),
    Column("waypointID", \.waypointID))
}

/// A note of a user.
struct Note: Record, Equatable, Identifiable {
  let id: UUID
  var ownerID: UUID
  var title: String
  static let table = Table(
    "notes", Note.init, Column("id", \.id).primaryKey(), Column("ownerID", \.ownerID),
    Column("title", \.title))
}

/// The current trip of a user, with the user's id as its key.
struct CurrentTrip: Record, Equatable, Identifiable {
  var id: UUID
  var tripID: UUID?
  static let table = Table(
    "currentTrips", CurrentTrip.init, Column("id", \.id).primaryKey(),
    Column("tripID", \.tripID))
}

/// A file with trips and notes, and the log of its background work.
struct Journey {
  static let migrations: Migrations = [
    Migration("v1_createAll") { writer in
      try writer.create(Trip.table)
      try writer.create(Waypoint.table)
      try writer.create(Vote.table)
      try writer.create(Note.table)
      try writer.create(CurrentTrip.table)
    }
  ]

  static let schema = StoreSchema(
    migrations: migrations, sync: try sync(),
    titles: { _ in
      // Rows of other tables have no waypoint.
      { row in try row.title(of: Waypoint.self, row.text(\Vote.waypointID)) }
    })

  static func sync() throws -> SyncSchema {
    try SyncSchema(
      version: 1,
      SyncTable(Trip.self, scope: .kind("trip", \.id), title: \.name),
      SyncTable(
        Waypoint.self, scope: .kind("trip", \.tripID), title: \.name,
        partOf: (Trip.self, \.tripID), owner: \.authorID),
      SyncTable(Vote.self, scope: .kind("trip", \.tripID), partOf: (Trip.self, \.tripID)),
      SyncTable(Note.self, scope: .kind("person", \.ownerID), title: \.title),
      SyncTable(CurrentTrip.self, scope: .kind("person", \.id)),
      claimableKinds: ["trip"], personalKinds: ["person"])
  }

  let store: SyncedStore
  private let entries: Entries

  /// The lines of the log, thread-safe.
  private final class Entries: Sendable {
    let lines = Mutex<[String]>([])
  }

  init(_ path: String? = nil, schema: StoreSchema = Self.schema, userID: UUID = UUID()) throws {
    let entries = Entries()
    var environment = SyncedStore.Environment()
    environment.now = { Date(timeIntervalSince1970: 1_000) }
    environment.makeID = { userID }
    environment.logger = AppLogger(
      .sync, to: LogSink { entry in entries.lines.withLock { $0.append("\(entry)") } })
    store =
      try path.map { try SyncedStore($0, schema: schema, environment: environment) }
      ?? .temporary(schema: schema, environment: environment)
    self.entries = entries
  }

  var log: [String] { entries.lines.withLock(\.self) }

  func userID() async throws -> UUID { try await store.read { try SyncedStore.userID($0) } }

  func run(_ statements: SQL...) async throws {
    try await store.write { writer in for sql in statements { try sql.run(writer) } }
  }

  func texts(_ sql: SQL) async throws -> [String] {
    try await store.read { try sql.all($0, as: String.self) }
  }

  /// Links the file to an account.
  func link(_ account: LinkedAccount? = nil) async throws {
    let id = try await userID()
    try await store.link(account ?? LinkedAccount(id: id, name: "skipper"), token: "secret")
  }
}

extension ObservedValues {
  /// Returns the first value that meets a condition.
  func first(where isMet: (Value) -> Bool = { _ in true }) async throws -> Value? {
    for try await value in self where isMet(value) { return value }
    return nil
  }
}
