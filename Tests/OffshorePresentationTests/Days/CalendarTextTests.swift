import Foundation
import Offshore
import OffshoreCalendar
import OffshorePresentation
import Testing

private struct Shift: Identifiable, Equatable, Sendable {
  let id: UUID
  var day: CalendarDay
  var start: TimeOfDay?
  var firstWeekday: Weekday
}

extension Shift: Record {
  static let table = Table(
    "shifts", Shift.init,
    Column("id", \.id).primaryKey(),
    Column("day", \.day),
    Column("start", \.start),
    Column("firstWeekday", \.firstWeekday))
}

struct CalendarTextTests {
  private let database: Database

  init() throws {
    database = try Database.temporary(
      migrations: [Migration("1") { try $0.create(Shift.table) }])
  }

  private func insert(_ day: String, _ start: TimeOfDay? = nil) async throws -> Shift {
    let shift = Shift(
      id: UUID(), day: try #require(CalendarDay(day)), start: start, firstWeekday: .monday)
    try await database.write { try shift.insert($0) }
    return shift
  }

  @Test func `Values are stored as texts, and load equal`() async throws {
    let shift = try await insert("2027-06-12", TimeOfDay(hour: 9, minute: 5))
    let texts = try await database.read {
      try SQL("SELECT day, start, firstWeekday FROM shifts")
        .first($0, as: String.self, String.self, String.self)
    }
    #expect(try #require(texts) == ("2027-06-12", "09:05", "monday"))
    #expect(try await database.read { try Shift.all.all($0) } == [shift])
  }

  @Test func `A column without a time is NULL`() async throws {
    let shift = try await insert("2027-06-12")
    #expect(try await database.read { try Shift.where { $0.start == nil }.all($0) } == [shift])
  }

  @Test func `Days are compared and ordered by the calendar`() async throws {
    let days = ["0999-12-31", "2027-06-12", "2027-12-01", "2028-01-01"]
    for day in days.reversed() { _ = try await insert(day) }
    let sorted = try await database.read { try Shift.order { $0.day }.all($0) }
    #expect(sorted.map(\.day.description) == days)
    let limit = try #require(CalendarDay("2027-12-01"))
    let earlier = try await database.read { try Shift.where { $0.day < limit }.count($0) }
    #expect(earlier == 2)
  }

  @Test(arguments: [("day", "2027-02-29"), ("start", "24:00"), ("firstWeekday", "Monday")])
  func `A text that is not a value is an error`(_ column: String, _ text: String) async throws {
    _ = try await insert("2027-06-12")
    try await database.write {
      try SQL("UPDATE shifts SET \(identifier: column) = \(text)").run($0)
    }
    let error = await #expect(throws: DatabaseError.self) {
      try await database.read { try Shift.all.all($0) }
    }
    #expect(error?.code == .invalidValue)
    #expect(error?.column == column)
  }
}
