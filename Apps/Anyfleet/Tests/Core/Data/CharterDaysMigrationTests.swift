import AnyfleetTestSupport
import Foundation
import Offshore
import OffshoreCalendar
import OffshoreTesting
import TestSupport
import Testing

@testable import Anyfleet

/// The migration of charter days that version 1.10 stored as instants in the device's time zone.
struct CharterDaysMigrationTests {
  private let fixture: Fixture
  private let id = UUID()

  init() throws { fixture = try Fixture() }

  private func insert(_ id: UUID, from start: Date, to end: Date) async throws {
    try await fixture.run(
      """
      INSERT INTO charters (id, name, startDate, endDate, createdAt, syncStatus)
      VALUES (\(id), 'Kornati', \(start), \(end), \(Date.day(1, 1)), 'synced')
      """)
  }

  private func migrate(in calendar: Calendar) async throws {
    try await fixture.database.database.write {
      try AppMigrations.keepCharterDaysInUTC(shownIn: calendar, $0)
    }
  }

  private func storedCharter(_ id: UUID) async throws -> CharterModel {
    try #require(try await fixture.repository.fetchCharter(id: id))
  }

  @Test(arguments: [
    "UTC", "Europe/Moscow", "Europe/Zagreb", "Pacific/Auckland", "America/Los_Angeles",
    "Pacific/Kiritimati", "Pacific/Pago_Pago",
  ]) func `The migration stores the days that charters showed, as noon in UTC`(_ zone: String)
    async throws
  {
    let calendar = try Calendar.gregorian(in: zone)
    // Many of these zones change their clocks between the two days.
    try await insert(id, from: calendar.moment(3, 1, 0), to: calendar.moment(7, 19, 0))
    let late = UUID()
    try await insert(late, from: calendar.moment(12, 31, 23, 59), to: calendar.moment(12, 31, 23))
    try await migrate(in: calendar)
    let charter = try await storedCharter(id)
    #expect([charter.startDate, charter.endDate] == [.day(3, 1), .day(7, 19)])
    #expect(charter.createdAt == .day(1, 1))
    #expect(charter.syncStatus == .pending)
    #expect(try await storedCharter(late).startDate == .day(12, 31))
    #expect(try await storedCharter(late).endDate == .day(12, 31))
  }

  @Test func `The days of a file of version 1.10 stay those that this device showed`() async throws
  {
    let folder = try TemporaryFolder()
    let path = folder.file("anyfleet.sqlite")
    let file = URL(filePath: #filePath)
      .appending(path: "../../../../Schemas/1.10.0.sql").standardized
    try SchemaSnapshot(String(contentsOf: file, encoding: .utf8)).restore(to: path)
    let midnight = Calendar.autoupdatingCurrent.startOfDay(for: .day(6, 6))
    let day = CalendarDay(civilDayOf: midnight, in: .autoupdatingCurrent)
    let old = try Database(path)
    try await old.write { [id] writer in
      try SQL(
        """
        INSERT INTO charters (id, name, startDate, endDate, createdAt)
        VALUES (\(id), 'Kornati', \(midnight), \(midnight), \(Date.day(1, 1)))
        """
      ).run(writer)
    }
    await old.close()
    let charter = try await Fixture(AppDatabase(path: path)).repository.fetchCharter(id: id)
    #expect(charter?.startDate == day.noon)
    #expect(charter?.endDate == day.noon)
  }

  @Test func `The migration does not touch a charter whose days are in the new form`() async throws
  {
    try await insert(id, from: .day(6, 6), to: .day(6, 13))
    try await migrate(in: .gregorian(in: "Europe/Moscow"))
    #expect(try await storedCharter(id).startDate == .day(6, 6))
    #expect(try await storedCharter(id).syncStatus == .synced)
  }

  @Test func `An invalid date is left unchanged and does not stop the migration`() async throws {
    for damage: SQL in [
      "startDate = 'soon', endDate = x'FF'", "startDate = 9e999, endDate = -9e999",
      "startDate = 1e300, endDate = -1e300",
    ] {
      let damaged = UUID()
      try await insert(damaged, from: .day(6, 6), to: .day(6, 13))
      try await fixture.run("UPDATE charters SET \(damage) WHERE id = \(damaged)")
    }
    let dates: SQL = "SELECT quote(startDate) || quote(endDate) FROM charters ORDER BY rowid"
    let before = try await fixture.texts(dates)
    try await insert(id, from: .day(6, 6), to: .day(6, 13))
    try await migrate(in: .gregorian(in: "Pacific/Kiritimati"))
    #expect(try await fixture.texts(dates).prefix(3) == before[...])
    #expect(try await storedCharter(id).startDate == .day(6, 7))
  }
}
