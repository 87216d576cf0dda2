import Foundation
import Offshore
import OffshoreLogging
import OffshoreSync
import Synchronization

/// A trip, which is a scope that its travellers share.
struct Trip: Record, Equatable, Identifiable {
  let id: UUID
  var name: String
  static let table = Table(
    "trips", Trip.init, Column("id", \.id).primaryKey(), Column("name", \.name))
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

/// A small app: trips, and the notes of its user.
enum Journey {
  static let schema = StoreSchema(
    migrations: [
      Migration("v1_createAll") { writer in
        try writer.create(Trip.table)
        try writer.create(Note.table)
      }
    ],
    sync: try SyncSchema(
      version: 1,
      SyncTable(Trip.self, scope: .kind("trip", \.id), title: \.name),
      SyncTable(Note.self, scope: .kind("person", \.ownerID), title: \.title),
      claimableKinds: ["trip"], personalKinds: ["person"], admittingKinds: ["trip"]))

  /// Opens a file, or a temporary one.
  static func open(_ path: String? = nil, log: Log = Log()) throws -> SyncedStore {
    var environment = SyncedStore.Environment()
    environment.logger = AppLogger(.sync, to: log.sink)
    return try path.map { try SyncedStore($0, schema: schema, environment: environment) }
      ?? .temporary(schema: schema, environment: environment)
  }
}

/// Lines that were logged, from any thread.
final class Log: Sendable {
  private let entries = Mutex<[String]>([])

  var lines: [String] { entries.withLock(\.self) }
  var sink: LogSink { LogSink { entry in self.entries.withLock { $0.append("\(entry)") } } }
}

extension SyncedStore {
  /// Adds a trip.
  @discardableResult
  func addTrip(_ name: String) async throws -> Trip {
    let trip = Trip(id: UUID(), name: name)
    try await write { try trip.insert($0) }
    return trip
  }

  func run(_ statements: SQL...) async throws {
    try await write { writer in for sql in statements { try sql.run(writer) } }
  }

  func texts(_ sql: SQL) async throws -> [String] {
    try await read { try sql.all($0, as: String.self) }
  }

  /// Waits until a query has these texts.
  func wait(for sql: SQL, toBe expected: [String]) async throws {
    let values = values { try sql.all($0, as: String.self) }
    for try await texts in values where texts == expected { return }
  }

  /// Waits until nothing is pending.
  func waitUntilSent() async throws {
    for try await status in status() where status.pendingCount == 0 { return }
  }
}
