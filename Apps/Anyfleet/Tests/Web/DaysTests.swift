import Foundation
import Testing

@testable import AnyfleetWeb

struct DaysTests {
  @Test("A day that a field names comes back as it was", arguments: ["2027-02-28", "2028-02-29"])
  func fields(_ field: String) throws {
    let day = try #require(Days.day(field))
    #expect(Days.field(day) == field)
  }

  @Test func `A field's day is kept as noon in UTC, and any other moment of it shows as that day`()
  {
    #expect(Days.day("2026-06-06") == .day(6, 6))
    for hours in [-12, 0, 11.99] {
      #expect(Days.field(.day(6, 6).addingTimeInterval(hours * 3600)) == "2026-06-06")
    }
  }

  @Test(
    "What names no day is none",
    arguments: ["", "2027-02-29", "2027-13-01", "2027-1-1", "12.06.2027", "2027-06-12T00:00"])
  func noDays(_ field: String) {
    #expect(Days.day(field) == nil)
    #expect(Days.field(nil).isEmpty)
  }
}
