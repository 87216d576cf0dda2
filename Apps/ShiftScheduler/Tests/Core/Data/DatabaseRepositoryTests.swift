import Foundation
import Offshore
import OffshoreCalendar
import OffshoreFiles
import OffshoreSync
import OffshoreTesting
import Synchronization
import TestSupport
import Testing

@testable import ShiftScheduler

/// The rows of the engine in a database.
struct DatabaseRepositoryTests {
  private let database: ShiftDatabase
  private let repository: DatabaseRepository

  init() throws {
    database = try ShiftDatabase.makeEmpty()
    repository = DatabaseRepository(database: database)
  }

  private func texts(_ sql: SQL) async throws -> [String] {
    try await database.store.read { try sql.all($0, as: String.self) }
  }

  private func columns(_ table: String) async throws -> Set<String> {
    Set(
      try await texts(
        """
        SELECT name || ' ' || type || iif("notnull", ' NOT NULL', '') || iif(pk, ' KEY', '')
        FROM pragma_table_info(\(table))
        """))
  }

  @Test func `The tables have the specified columns`() async throws {
    let specified: [String: Set<String>] = [
      "shiftTypes": [
        "id TEXT NOT NULL KEY", "symbol TEXT NOT NULL", "duration TEXT NOT NULL",
        "title TEXT NOT NULL", "description TEXT NOT NULL", "locationID TEXT",
      ],
      "locations": ["id TEXT NOT NULL KEY", "name TEXT NOT NULL", "address TEXT NOT NULL"],
      "shifts": ["id TEXT NOT NULL KEY", "shiftTypeID TEXT NOT NULL", "date TEXT NOT NULL"],
      "changes": ["id TEXT NOT NULL KEY", "edits TEXT NOT NULL"],
    ]
    for (table, columns) in specified {
      #expect(columns.subtracting(try await self.columns(table)) == [], "\(table)")
    }
    let schema = try await database.store.read { try Schema($0) }
    let indexes = try #require(schema.table("shifts")).indexes.map { $0.columns.first }
    #expect(indexes.contains("date"))
    #expect(schema.differences(from: ShiftSchema.records).map { "\($0)" } == [])
  }

  @Test func `Rows have the specified values`() async throws {
    try await repository.saveShiftTypes([.early])
    try await repository.saveShifts([.june(12)])
    #expect(
      try await texts("SELECT duration FROM shiftTypes") == [
        #"{"scheduled":{"from":{"hour":6,"minute":0},"to":{"hour":14,"minute":0}}}"#
      ])
    #expect(try await texts("SELECT date FROM shifts") == ["2027-06-12"])
    #expect(
      try await texts("SELECT locationID FROM shiftTypes") == [
        "00000000-0000-0000-0000-000000000001"
      ])
  }

  @Test func `Only rows that differ are written`() async throws {
    let written = Mutex(0)
    var configuration = DatabaseConfiguration()
    configuration.trace = { statement in
      let isChange = ["INSERT", "UPDATE", "DELETE"].contains { statement.sql.hasPrefix($0) }
      if isChange { written.withLock { $0 += statement.rowCount } }
    }
    let folder = try TemporaryFolder()
    let store = try SyncedStore(
      folder.file("shifts.sqlite"), schema: ShiftSchema.current, configuration: configuration)
    let repository = DatabaseRepository(database: ShiftDatabase(store))
    let shifts = (0..<200).map { ScheduledShift(shiftTypeID: UUID(), date: .june + $0) }
    try await repository.saveShifts(shifts)
    var changed = shifts
    changed[150].status = .done
    changed.remove(at: 20)
    changed.append(.june(30))
    written.withLock { $0 = 0 }
    try await repository.saveShifts(changed)
    // An update, a deletion, an insertion, and the change in the log.
    #expect(written.withLock { $0 } == 4)
    #expect(try await repository.loadShifts() == changed)
    await store.close()
  }

  @Test func `A month is read by the index of days`() async throws {
    let plan = try await database.store.read {
      try ScheduledShift.rows(in: .june...(.june + 29)).explain($0)
    }
    #expect(plan.contains("idx_shifts_date"))
  }

  @Test func `Only the newest 500 changes stay`() async throws {
    for number in 0..<503 {
      try await repository.saveLocation(Location(id: Location.city.id, name: "\(number)"))
    }
    let changes = try await repository.loadChanges()
    #expect(changes.count == 500)
    #expect(changes.last?.edits.count == 1)
  }

  @Test func `A file is found again at its path`() async throws {
    let folder = try TemporaryFolder()
    let first = try ShiftDatabase(path: folder.file("shifts.sqlite"))
    try await DatabaseRepository(database: first).saveShifts([.june(1)])
    await first.store.close()
    let second = try ShiftDatabase(path: folder.file("shifts.sqlite"))
    #expect(try await DatabaseRepository(database: second).loadShifts() == [.june(1)])
    await second.store.close()
  }

  @Test func `50 changes are undone and redone after the file was opened again`() async throws {
    let folder = try TemporaryFolder()
    var states: [[ScheduledShift]] = []
    for phase in 0..<3 {
      let database = try ShiftDatabase(path: folder.file("shifts.sqlite"))
      let repository = DatabaseRepository(database: database)
      for number in 0..<50 {
        let history = UndoHistory(try await repository.loadChanges())
        switch phase {
        case 0:
          var shift = ScheduledShift.june(number % 9)
          shift.note = "\(number)"
          try await repository.saveShift(shift)
        case 1: try await repository.apply(try #require(history.undoable.last).inverse.edits)
        default: try await repository.apply(try #require(history.redoable.last).edits)
        }
      }
      states.append(try await repository.loadShifts())
      await database.store.close()
    }
    #expect(states[1] == [])
    #expect(states[2] == states[0] && states[0].count == 9)
  }
}
