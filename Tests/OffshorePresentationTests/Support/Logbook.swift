import Foundation
import Offshore
import OffshoreCalendar
import OffshoreLogging
import OffshorePresentation
import OffshoreSync
import Testing

@testable import OffshoreWire

/// A cruise, which is a scope that its crew shares.
struct Cruise: Record, Equatable, Identifiable {
  struct Fee: Codable, Equatable {
    var amount: Decimal
    var note = ""
  }

  let id: UUID
  var name: String
  var ship: String?
  var firstDay: CalendarDay
  var lastDay: CalendarDay
  var berths: Int
  var isOpen: Bool
  var crew: [String]
  var fee: Fee?
  var harbourID: UUID?
  var revision: Int

  static let table = Table(
    "cruises", Cruise.init,
    Column("id", \.id).primaryKey(), Column("name", \.name), Column("ship", \.ship),
    Column("firstDay", \.firstDay), Column("lastDay", \.lastDay),
    Column("berths", \.berths).check("berths > 0"), Column("isOpen", \.isOpen),
    Column("crew", \.crew, as: .json), Column("fee", \.fee, as: .json),
    Column("harbourID", \.harbourID), Column("revision", \.revision))
}

/// A harbour of a cruise.
struct Harbour: Record, Equatable, Identifiable {
  let id: UUID
  var cruiseID: UUID
  var name: String
  static let table = Table(
    "harbours", Harbour.init, Column("id", \.id).primaryKey(), Column("cruiseID", \.cruiseID),
    Column("name", \.name))
}

/// The watches of a cruise, one in each key of a column.
struct Watches: Record, Equatable, Identifiable {
  let id: UUID
  var cruiseID: UUID
  var plan: String
  static let table = Table(
    "watches", Watches.init, Column("id", \.id).primaryKey(), Column("cruiseID", \.cruiseID),
    Column("plan", \.plan))
}

/// A file of cruises that belongs to an account, with conflicts as a server would have resolved
/// them.
struct Logbook {
  static let now = Date(timeIntervalSince1970: 1_800_000_000)

  let store: SyncedStore
  let log = Log()
  let cruise: Cruise
  let harbour: Harbour
  let watches: Watches

  init(isLinked: Bool = true) async throws {
    var environment = SyncedStore.Environment()
    environment.now = { Self.now }
    environment.logger = AppLogger(.sync, to: log.sink)
    let store = try SyncedStore.temporary(schema: Self.schema, environment: environment)
    let id = UUID()
    let cruise = Cruise(
      id: id, name: "Kornati", ship: "Alma", firstDay: try Self.day(6), lastDay: try Self.day(13),
      berths: 6, isOpen: true, crew: ["Ana"], fee: nil, harbourID: nil, revision: 1)
    let harbour = Harbour(id: UUID(), cruiseID: id, name: "Zadar")
    let watches = Watches(
      id: UUID(), cruiseID: id, plan: #"{"dawn":{"on":true},"dusk":{"on":false}}"#)
    if isLinked { try await store.link(LinkedAccount(id: UUID(), name: "ana"), token: nil) }
    try await store.write { writer in
      try cruise.insert(writer)
      try harbour.insert(writer)
      try watches.insert(writer)
    }
    (self.store, self.cruise, self.harbour, self.watches) = (store, cruise, harbour, watches)
  }

  static let schema = StoreSchema(
    migrations: [
      Migration("v1_createAll") { writer in
        try writer.create(Cruise.table)
        try writer.create(Harbour.table)
        try writer.create(Watches.table)
      }
    ],
    sync: try SyncSchema(
      version: 1,
      SyncTable(Cruise.self, scope: .kind("cruise", \.id), title: \.name),
      SyncTable(Harbour.self, scope: .kind("cruise", \.cruiseID), title: \.name),
      SyncTable(Watches.self, scope: .kind("cruise", \.cruiseID), .merged(\.plan, .keyed)),
      claimableKinds: ["cruise"]))

  static func day(_ day: Int) throws -> CalendarDay {
    try #require(CalendarDay(year: 2027, month: 6, day: day))
  }

  var scope: ScopeID { get throws { try ScopeID(kind: "cruise", value: cruise.id.uuidString) } }

  /// Stores a conflict in which a value of this device lost to one of another device, an hour
  /// later.
  func lose<Row: Record>(
    _ losing: WireValue, to winning: WireValue?, _ field: String, of row: Row, _ id: UUID,
    hour: Int64 = 0, because reason: Conflict.Reason = .later
  ) async throws {
    try await store.lose(
      losing, to: winning, field, of: RowID(table: Row.table.name, id: id.uuidString), in: scope,
      at: Self.now + Double(hour) * 3_600, because: reason)
  }

  /// Stores a conflict about the cruise.
  func lose(_ losing: WireValue, to winning: WireValue?, _ field: String, hour: Int64 = 0)
    async throws
  {
    try await lose(losing, to: winning, field, of: cruise, cruise.id, hour: hour)
  }

  func stored() async throws -> Cruise? {
    try await store.read { [cruise] in try Cruise.find(cruise.id).first($0) }
  }
}

extension SyncedStore {
  private static let otherDevice = DeviceID(UUID())

  /// Stores a conflict in which a value of this device lost to one of another device, an hour
  /// later.
  func lose(
    _ losing: WireValue, to winning: WireValue?, _ field: String, of row: RowID, in scope: ScopeID,
    at date: Date = Logbook.now, because reason: Conflict.Reason = .later
  ) async throws {
    let (time, scope) = (date.millisecondsSince1970, scope.text)
    try await write { [replica] writer in
      let conflict = Conflict(
        row: row, field: field, losing: losing,
        losingStamp: Stamp(milliseconds: time, device: try replica.device(writer)),
        winning: winning,
        winningStamp: Stamp(milliseconds: time + 3_600_000, device: Self.otherDevice),
        reason: reason)
      try SQL(
        """
        INSERT INTO _conflict (scope, number, tbl, id, content)
        SELECT \(scope), coalesce(max(number), 0) + 1, \(row.table), \(row.id),
          \(Data(conflict.encoded()))
        FROM _conflict
        """
      ).run(writer)
    }
  }
}
