import Foundation
import Testing

@testable import AnyfleetWeb

struct DaysTests {
  private let days: Days

  init() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: "Europe/Zagreb"))
    days = Days(calendar: calendar)
  }

  @Test(
    "A range says month and year once where both days share them",
    arguments: [
      ("2027-06-12", "2027-06-12", "12 Jun 2027"),
      ("2027-06-12", "2027-06-19", "12 – 19 Jun 2027"),
      ("2027-06-28", "2027-07-05", "28 Jun – 5 Jul 2027"),
      ("2027-12-28", "2028-01-04", "28 Dec 2027 – 4 Jan 2028"),
    ])
  func ranges(_ first: String, _ last: String, _ text: String) throws {
    let (start, end) = (try #require(days.day(first)), try #require(days.day(last)))
    #expect(days.range(start, end) == text)
  }

  @Test("A day that a field names comes back as it was", arguments: ["2027-02-28", "2028-02-29"])
  func fields(_ field: String) throws {
    let day = try #require(days.day(field))
    #expect(days.field(day) == field)
  }

  @Test(
    "What names no day is none",
    arguments: ["", "2027-02-29", "2027-13-01", "2027-1-1", "12.06.2027", "2027-06-12T00:00"])
  func noDays(_ field: String) {
    #expect(days.day(field) == nil)
    #expect(days.field(nil).isEmpty)
  }
}
