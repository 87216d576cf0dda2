import Foundation
import Testing

@testable import Anyfleet

struct CalendarDayTests {
  private static func calendar(_ zone: String) throws -> Calendar {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: zone))
    return calendar
  }

  @Test func `A day goes from its first moment to the first of the next`() {
    let day = CalendarDay(containing: .day(6, 6), in: .utc)
    #expect(day.start == Date.day(6, 6).addingTimeInterval(-12 * 3600))
    #expect(day.end == Date.day(6, 6).addingTimeInterval(12 * 3600))
    #expect(CalendarDay(containing: day.start, in: .utc) == day)
    #expect(CalendarDay(containing: day.end, in: .utc).start == day.end)
  }

  @Test(
    "Where clocks are changed a day has 23 or 25 hours",
    arguments: [(3, 29, 23.0), (10, 25, 25.0), (3, 30, 24.0)])
  func clocks(_ month: Int, _ day: Int, _ hours: Double) throws {
    let day = CalendarDay(containing: .day(month, day), in: try Self.calendar("Europe/Zagreb"))
    #expect(day.end.timeIntervalSince(day.start) / 3600 == hours)
  }

  @Test func `A day whose midnight the clocks leave out begins when it begins`() throws {
    let calendar = try Self.calendar("Africa/Cairo")
    let day = CalendarDay(containing: .day(4, 24), in: calendar)
    #expect(day.end.timeIntervalSince(day.start) / 3600 == 23)
    #expect(CalendarDay(containing: .day(4, 23), in: calendar).end == day.start)
  }

  @Test func `A charter is in one phase, also one that ends before it starts`() {
    let today = CalendarDay(containing: .day(6, 6), in: .utc)
    var charter = CharterModel.sample(from: .day(6, 7))
    charter.endDate = .day(6, 1)
    #expect(charter.phase(on: today) == .upcoming)
    charter.startDate = today.start
    #expect(charter.phase(on: today) == .past)
    charter.endDate = today.start
    #expect(charter.phase(on: today) == .inProgress)
  }
}
