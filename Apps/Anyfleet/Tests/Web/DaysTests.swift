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
