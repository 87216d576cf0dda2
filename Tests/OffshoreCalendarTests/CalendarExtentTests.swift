import OffshoreCalendar
import Testing

/// The days of a month, a week and a day.
struct CalendarExtentTests {
  private func day(_ text: String) throws -> CalendarDay { try #require(CalendarDay(text)) }

  @Test(arguments: [
    (CalendarExtent.month, Weekday.monday, "2027-05-31", "2027-07-04"),
    (.month, .sunday, "2027-05-30", "2027-07-03"), (.week, .monday, "2027-06-14", "2027-06-20"),
    (.week, .sunday, "2027-06-13", "2027-06-19"), (.day, .monday, "2027-06-16", "2027-06-16"),
  ])
  func `The days are those of whole weeks, or a single one`(
    _ extent: CalendarExtent, _ weekday: Weekday, _ first: String, _ last: String
  ) throws {
    let days = extent.days(around: try day("2027-06-16"), startingOn: weekday)
    #expect(days == (try day(first))...(try day(last)))
  }

  @Test(arguments: [
    (CalendarExtent.month, "2027-06-02", "2027-06-02"), (.month, "2027-07-01", "2027-06-01"),
    (.week, "2027-06-18", "2027-06-18"), (.week, "2027-06-02", "2027-06-14"),
    (.day, "2027-06-16", "2027-06-16"), (.day, "2027-06-17", "2027-06-16"),
  ])
  func `The start is the current day if it is shown`(
    _ extent: CalendarExtent, _ today: String, _ start: String
  ) throws {
    let found = extent.start(around: try day("2027-06-16"), today: try day(today))
    #expect(found == (try day(start)))
  }

  @Test func `The first and the last day that exist have days`() {
    for extent in CalendarExtent.allCases {
      #expect(extent.days(around: .first).contains(.first))
      #expect(extent.days(around: .last).contains(.last))
    }
  }
}
