import OffshoreCalendar
import Testing

struct CalendarMonthTests {
  @Test func `A month has the days from its first to its last`() throws {
    let month = try #require(CalendarMonth(year: 2028, month: 2))
    #expect(month.length == 29)
    #expect(month.firstDay.description == "2028-02-01")
    #expect(month.lastDay.description == "2028-02-29")
    #expect(month.days.count == 29)
    for day in month.days { #expect(CalendarMonth(containing: day) == month) }
    #expect(CalendarMonth(containing: month.lastDay + 1) == month + 1)
  }

  @Test func `The months of a year have its days`() throws {
    for (year, days) in [(2027, 365), (2028, 366), (2000, 366), (1900, 365)] {
      let january = try #require(CalendarMonth(year: year, month: 1))
      #expect((january...(january + 11)).map(\.length).reduce(0, +) == days)
    }
  }

  @Test(arguments: [(2027, 0), (2027, 13), (-1, 1), (10_000, 1), (.min, .max)])
  func `A month that does not exist is nil`(_ year: Int, _ month: Int) {
    #expect(CalendarMonth(year: year, month: month) == nil)
  }

  @Test(arguments: [
    ("2027-02", Weekday.monday, 4), ("2027-06", .monday, 5), ("2027-08", .monday, 6),
    ("2026-02", .sunday, 4), ("2026-02", .monday, 5),
  ])
  func `A calendar table has the weeks that cover the month`(
    _ text: String, _ weekday: Weekday, _ count: Int
  ) throws {
    let month = try #require(CalendarMonth(text))
    let weeks = month.weeks(startingOn: weekday)
    #expect(weeks.count == count)
    #expect(weeks.flatMap(\.days).filter(month.days.contains) == Array(month.days))
    #expect(weeks.allSatisfy { $0.days.overlaps(month.days) })
    #expect(weeks.allSatisfy { $0.firstDay.weekday == weekday })
  }

  @Test(arguments: Weekday.allCases)
  func `The first and the last month have tables as well`(_ weekday: Weekday) {
    for day in [CalendarDay.first, .last] {
      let month = CalendarMonth(containing: day)
      let days = month.weeks(startingOn: weekday).flatMap(\.days)
      #expect(days.filter(month.days.contains) == Array(month.days))
    }
  }

  @Test func `Arithmetic crosses years, and stops at the first and the last month`() throws {
    let month = try #require(CalendarMonth("2027-11"))
    #expect((month + 2).description == "2028-01")
    #expect((month - 11).description == "2026-12")
    #expect(month.distance(to: month + 14) == 14)
    #expect(month < month + 1)
    let (first, last) = (
      CalendarMonth(containing: .first), CalendarMonth(containing: .last)
    )
    for count in [1, Int.max] {
      #expect(first - count == first)
      #expect(last + count == last)
    }
    #expect(month + .min == first)
    #expect(month - .min == last)
  }

  @Test(arguments: ["2027-06", "0000-01", "9999-12"])
  func `A text and its month are equivalent`(_ text: String) throws {
    let month = try #require(CalendarMonth(text))
    #expect(month.description == text)
    #expect(try CodingProbe.json(month) == "\"\(text)\"")
    #expect(try CodingProbe.decoded("\"\(text)\"") == month)
  }

  @Test(arguments: ["", "2027", "2027-6", "2027-13", "2027-00", "2027-06-01", "+027-06"])
  func `A text that is not a month is nil`(_ text: String) {
    #expect(CalendarMonth(text) == nil)
    #expect(throws: DecodingError.self) {
      try CodingProbe.decoded("\"\(text)\"") as CalendarMonth
    }
  }
}
