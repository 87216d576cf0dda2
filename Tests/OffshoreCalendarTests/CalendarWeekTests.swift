import OffshoreCalendar
import Testing

struct CalendarWeekTests {
  private func week(_ day: String, _ weekday: Weekday = .monday) throws -> CalendarWeek {
    CalendarWeek(containing: try #require(CalendarDay(day)), startingOn: weekday)
  }

  @Test(arguments: Weekday.allCases)
  func `A week has seven days from its first weekday on`(_ weekday: Weekday) throws {
    let day = try #require(CalendarDay("2027-06-12"))
    for day in day...(day + 6) {
      let week = CalendarWeek(containing: day, startingOn: weekday)
      #expect(week.firstDay.weekday == weekday)
      #expect(week.days.map(\.weekday) == weekday.week)
      #expect(week.days.contains(day))
    }
  }

  @Test(arguments: [
    ("2026-12-31", 2026, 53), ("2027-01-03", 2026, 53), ("2027-01-04", 2027, 1),
    ("2024-12-30", 2025, 1), ("2023-01-01", 2022, 52), ("2027-06-12", 2027, 23),
  ])
  func `Weeks are numbered as by ISO 8601`(_ day: String, _ year: Int, _ number: Int) throws {
    let week = try week(day)
    #expect(week.year == year)
    #expect(week.number == number)
  }

  @Test func `A week from Sunday on is numbered by the year of most of its days`() throws {
    #expect(try week("2026-01-03", .sunday).number == 53)
    #expect(try week("2026-01-04", .sunday).number == 1)
    #expect(try week("2027-01-02", .sunday).year == 2026)
  }

  @Test(arguments: Weekday.allCases)
  func `The weeks of a range cover its days, and no other weeks`(_ weekday: Weekday) throws {
    let first = try #require(CalendarDay("2027-06-09"))
    for length in [1, 2, 7, 8, 31, 366] {
      let days = first...(first + (length - 1))
      let weeks = CalendarWeek.weeks(of: days, startingOn: weekday)
      #expect(weeks.flatMap(\.days).filter(days.contains) == Array(days))
      #expect(weeks.allSatisfy { $0.days.overlaps(days) && $0.firstWeekday == weekday })
    }
  }

  @Test func `The weeks at the ends of the calendar have their days`() {
    for days in [CalendarDay.first...(.first + 8), (.last - 8)...CalendarDay.last] {
      for weekday in Weekday.allCases {
        let weeks = CalendarWeek.weeks(of: days, startingOn: weekday)
        #expect(weeks.flatMap(\.days).filter(days.contains) == Array(days))
      }
    }
  }

  @Test func `Weeks are added, subtracted and ordered`() throws {
    let week = try week("2027-06-12")
    #expect((week + 1).firstDay == week.firstDay + 7)
    #expect((week - 2).firstDay == week.firstDay - 14)
    #expect(week < week + 1)
    #expect(!(week < week))
  }

  @Test(arguments: Weekday.allCases)
  func `Arithmetic stops at the first and the last week`(_ weekday: Weekday) {
    let first = CalendarWeek(containing: .first, startingOn: weekday)
    let last = CalendarWeek(containing: .last, startingOn: weekday)
    for count in [1, 1000, Int.max] {
      #expect(first - count == first)
      #expect(last + count == last)
    }
    #expect(first + .max == last)
    #expect(last + .min == first)
    // The weeks at the ends have only the days that exist, and those beside have all.
    #expect(first.lastDay + 1 == (first + 1).firstDay)
    #expect((first + 1).days.count == 7)
    #expect(last.firstDay - 1 == (last - 1).lastDay)
    #expect(last.days.upperBound == .last)
  }

  @Test(arguments: Weekday.allCases)
  func `A text and its week are equivalent`(_ weekday: Weekday) throws {
    for day in [CalendarDay.first, .last, try #require(CalendarDay("2027-06-12"))] {
      let week = CalendarWeek(containing: day, startingOn: weekday)
      let parsed = try #require(CalendarWeek(week.description))
      #expect(parsed.days == week.days)
      #expect(try CodingProbe.decoded(try CodingProbe.json(parsed)) == parsed)
    }
    #expect(try week("2027-06-12").description == "2027-06-07/2027-06-13")
  }

  @Test(arguments: [
    "", "2027-06-07", "2027-06-07/2027-06-12", "2027-06-07/2027-06-14", "2027-06-13/2027-06-07",
    "2027-06-07/2027-06-13/", "9999-12-20/9999-12-31", "0000-01-01/0000-01-09",
  ])
  func `A text that is not a week is nil`(_ text: String) {
    #expect(CalendarWeek(text) == nil)
  }
}
