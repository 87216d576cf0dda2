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
  var color = CalendarColor.blue
}

extension Shift: Record {
  static let table = Table(
    "shifts", Shift.init,
    Column("id", \.id).primaryKey(),
    Column("day", \.day).indexed(),
    Column("start", \.start),
    Column("firstWeekday", \.firstWeekday),
    Column("color", \.color))
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
      try SQL("SELECT day, start, firstWeekday, color FROM shifts")
        .first($0, as: String.self, String.self, String.self, String.self)
    }
    #expect(try #require(texts) == ("2027-06-12", "09:05", "monday", "blue"))
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

  @Test func `The days of a range are found by the index, in their order`() async throws {
    for day in ["2027-05-31", "2027-06-01", "2027-06-12", "2027-06-30", "2027-07-01"].shuffled() {
      _ = try await insert(day)
    }
    let month = try #require(CalendarMonth("2027-06")).days
    let query = Shift.where { $0.day >= month.lowerBound && $0.day <= month.upperBound }
      .order { $0.day }
    let (found, plan) = try await database.read { (try query.all($0), try query.explain($0)) }
    #expect(found.map(\.day.description) == ["2027-06-01", "2027-06-12", "2027-06-30"])
    #expect(plan.contains("idx_shifts_day") && !plan.contains("SCAN"), "\(plan)")
    #expect(!plan.contains("TEMP B-TREE"), "\(plan)")
  }

  @Test func `Times are compared, and days are among several`() async throws {
    let early = try await insert("2027-06-12", TimeOfDay(hour: 6, minute: 0))
    let late = try await insert("2027-06-13", TimeOfDay(hour: 14, minute: 0))
    let noon = TimeOfDay(hour: 12, minute: 0)
    let (before, days) = try await database.read {
      (
        try Shift.where { $0.start < noon }.all($0),
        try Shift.where { $0.day.in([late.day, late.day + 1]) }.all($0)
      )
    }
    #expect(before == [early] && days == [late])
  }

  @Test func `The first and the last day of rows are days`() async throws {
    for day in ["2027-06-12", "2027-01-01", "2028-02-29"] { _ = try await insert(day) }
    let (first, last) = try await database.read {
      (try Shift.all.min($0) { $0.day }, try Shift.all.max($0) { $0.day })
    }
    #expect(first?.description == "2027-01-01" && last?.description == "2028-02-29")
  }

  @Test(arguments: [
    ("day", "2027-02-29"), ("start", "24:00"), ("firstWeekday", "Monday"), ("color", "mauve"),
  ])
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
