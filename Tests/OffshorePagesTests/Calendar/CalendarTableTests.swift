import Foundation
import OffshoreCalendar
import OffshorePresentation
import OffshoreWeb
import TestSupport
import Testing

@testable import OffshorePages

@MainActor struct CalendarTableTests {
  private let english = Localizer(.english, calendar: .utc)
  private let russian = Localizer(.russian, calendar: .utc)
  private let june: CalendarMonth
  private let today: CalendarDay

  init() throws {
    june = try #require(CalendarMonth("2027-06"))
    today = try #require(CalendarDay("2027-06-12"))
  }

  private func markup(
    _ month: CalendarMonth, _ firstWeekday: Weekday = .monday, _ say: Localizer? = nil,
    hasWeeks: Bool = false, summary: String? = nil
  ) -> String {
    var table = CalendarTable(
      of: month, startingOn: firstWeekday, today: today, say ?? english
    ) {
      "/months/\($0)"
    } day: {
      CalendarTable.Day(to: "/days/\($0)", summary: summary)
    }
    if hasWeeks { table.weekAddress = { "/weeks/\($0.firstDay)" } }
    return table.html.description
  }

  private func rows(_ markup: String) throws -> [Substring] {
    let body = try #require(markup.firstMatch(of: /<tbody>.*<\/tbody>/)).output
    return body.matches(of: /<tr>.*?<\/tr>/).map(\.output)
  }

  /// Returns the days of all cells in their order, with an empty text for a cell without one.
  private func days(_ row: Substring) -> [String] {
    row.matches(of: /<td[^>]*>(.*?)<\/td>/).map { cell in
      cell.output.1.firstMatch(of: /data-day="([^"]*)"/).map { String($0.output.1) } ?? ""
    }
  }

  // MARK: - Months

  @Test(arguments: Weekday.allCases)
  func `A month is a table of its weeks, with the days of adjacent months`(
    _ weekday: Weekday
  ) throws {
    let rows = try rows(markup(june, weekday))
    #expect(rows.allSatisfy { days($0).count == 7 })
    let expected = june.weeks(startingOn: weekday).map { $0.days.map(\.description) }
    #expect(rows.map(days) == expected)
  }

  @Test func `Columns have headings with the names of the weekdays`() throws {
    let markup = markup(june, .sunday)
    #expect(markup.contains(#"<table id="calendar" class="calendar""#))
    #expect(markup.contains("<caption>June 2027</caption><thead><tr>"))
    let headings = markup.matches(of: /<th scope="col" aria-label="(\w+)">(\w+)<\/th>/)
    #expect(headings.map(\.output.1).first == "Sunday" && headings.count == 7)
    #expect(
      headings.map { String($0.output.2) } == ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"])
  }

  @Test func `Each day is a link with its whole date, of which the number is visible`() throws {
    let markup = markup(june, summary: "2 shifts")
    #expect(
      markup.contains(
        #"""
        <td><a class="day" id="calendar-2027-06-11" data-day="2027-06-11" \#
        href="/days/2027-06-11" aria-label="Friday, 11 June 2027, 2 shifts">11</a></td>
        """#))
    let day = CalendarTable.Day(to: "/", summary: "<b>")
    #expect(day.summary == "<b>" && !self.markup(june, summary: "<b>").contains("<b>"))
  }

  @Test func `The current day is marked, and only that`() throws {
    let markup = markup(june)
    #expect(markup.ranges(of: "aria-current").count == 1)
    #expect(markup.contains(#"aria-label="Saturday, 12 June 2027" aria-current="date">12</a>"#))
  }

  @Test func `Days of adjacent months are marked`() throws {
    let outside = markup(june).matches(of: /<td class="outside"><a [^>]*data-day="([^"]*)"/)
    #expect(
      outside.map { String($0.output.1) } == [
        "2027-05-31", "2027-07-01", "2027-07-02", "2027-07-03", "2027-07-04",
      ])
  }

  @Test func `Links lead to the months before and after, and to the current day`() throws {
    let july = markup(june + 1)
    #expect(
      july.hasPrefix(
        #"""
        <nav class="calendar-pages" aria-label="Months">\#
        <a class="button plain" id="calendar-previous" href="/months/2027-06" \#
        aria-label="Previous month: June 2027"><span aria-hidden="true">‹</span></a>\#
        <a class="button plain" id="calendar-today" \#
        href="/months/2027-06#calendar-2027-06-12">Today</a>\#
        <a class="button plain" id="calendar-next" href="/months/2027-08" \#
        aria-label="Next month: August 2027">
        """#))
  }

  @Test func `Rows begin with a link to the week if weeks have pages`() throws {
    let markup = markup(june, hasWeeks: true)
    #expect(markup.contains(##"<thead><tr><th scope="col" aria-label="Week">#</th>"##))
    #expect(
      markup.contains(
        #"<tr><th scope="row"><a href="/weeks/2027-05-31" aria-label="Week 22">22</a></th><td"#))
    #expect(!self.markup(june).contains(#"scope="row""#))
  }

  @Test(arguments: Weekday.allCases)
  func `The first and the last month have seven columns, and no links beyond`(
    _ weekday: Weekday
  ) throws {
    for (day, link) in [(CalendarDay.first, "previous"), (.last, "next")] {
      let month = CalendarMonth(containing: day)
      let markup = markup(month, weekday)
      #expect(!markup.contains("calendar-\(link)"))
      let rows = try rows(markup).map(days)
      #expect(rows.allSatisfy { $0.count == 7 })
      for row in rows {
        for (column, text) in zip(weekday.week, row) where !text.isEmpty {
          #expect(CalendarDay(text)?.weekday == column)
        }
      }
      #expect(Set(month.days.map(\.description)).isSubset(of: rows.joined()))
    }
  }

  @Test func `A table is in the language of its page`() throws {
    let markup = markup(june, .monday, russian, hasWeeks: true)
    #expect(markup.contains("<caption>июнь 2027\u{202f}г.</caption>"))
    #expect(markup.contains(#"aria-label="понедельник">Пн</th>"#))
    #expect(markup.contains(#"aria-label="суббота, 12 июня 2027"# + "\u{202f}г.\""))
    #expect(markup.contains("Сегодня") && markup.contains("Следующий месяц: июль 2027"))
    #expect(markup.contains("Неделя 22"))
    // No name is in English.
    #expect(!markup.contains("Week") && !markup.contains("Today") && !markup.contains("month:"))
  }

  // MARK: - Weeks

  @Test func `A week is a table with one row, whose days are all its own`() throws {
    let week = CalendarWeek(containing: today, startingOn: .sunday)
    let table = CalendarTable(of: week, today: today, english) {
      "/weeks/\($0.firstDay)"
    } day: { day in
      CalendarTable.Day(to: "/days/\(day)") { p { "on \(day)" } }
    }
    let markup = table.html.description
    #expect(try rows(markup).map(days) == [week.days.map(\.description)])
    #expect(markup.contains("<caption>6 – 12 Jun 2027</caption>"))
    #expect(!markup.contains("outside") && markup.contains(#"data-page="week""#))
    #expect(markup.contains(">12</a><p>on 2027-06-12</p></td>"))
    #expect(
      markup.contains(
        #"href="/weeks/2027-05-30" aria-label="Previous week: 30 May – 5 Jun 2027">"#))
    #expect(markup.contains(#"href="/weeks/2027-06-06#calendar-2027-06-12">Today</a>"#))
  }

  @Test func `Tables of one page have ids of their own`() throws {
    var table = CalendarTable(of: june, startingOn: .monday, today: today, english) {
      "/\($0)"
    } day: {
      CalendarTable.Day(to: "/\($0)")
    }
    table.id = "team"
    let markup = table.html.description
    let ids = markup.matches(of: /\sid="([^"]*)"/).map { String($0.output.1) }
    #expect(ids.contains("team-2027-06-12") && Set(ids).count == ids.count)
    #expect(ids.allSatisfy { $0.hasPrefix("team") })
  }
}
