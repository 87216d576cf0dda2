import Foundation
import OffshoreCalendar
import OffshorePresentation
import OffshoreWeb
import TestSupport
import Testing

@testable import OffshorePages

/// A calendar with the choice of its part.
@MainActor struct CalendarViewTests {
  private func markup(_ extent: CalendarExtent, today: String = "2027-06-18") throws -> String {
    let day = try #require(CalendarDay("2027-06-12"))
    let today = try #require(CalendarDay(today))
    return CalendarView(
      extent, around: day, startingOn: .monday, today: today, Localizer(.english, calendar: .utc)
    ) {
      "/\($0)/\($1)"
    } day: { day in
      CalendarTable.Day(to: "/day/\(day)") { "content of \(day)" }
    }.html.description
  }

  @Test func `The parts are links, of which one is the current page`() throws {
    let markup = try markup(.month)
    #expect(markup.contains(#"<a href="/month/2027-06-18" aria-current="page">Month</a>"#))
    #expect(markup.contains(#"<a href="/week/2027-06-18">Week</a>"#))
    #expect(markup.contains(#"<a href="/day/2027-06-18">Day</a>"#))
  }

  @Test func `A month has links to its weeks and the content of its days`() throws {
    let markup = try markup(.month)
    #expect(markup.contains("/week/2027-06-07"))
    #expect(markup.contains("content of 2027-05-31"))
    #expect(markup.contains(#"href="/month/2027-05-01""#))
  }

  @Test func `A week has its days alone, and links to other weeks`() throws {
    let markup = try markup(.week)
    #expect(markup.contains("content of 2027-06-07") && !markup.contains("content of 2027-06-14"))
    #expect(markup.contains(#"href="/week/2027-06-14""#))
    #expect(markup.contains(#"<a href="/month/2027-06-07">Month</a>"#))
  }

  @Test func `A day has links to the days before and after`() throws {
    let markup = try markup(.day)
    #expect(markup.contains(#"href="/day/2027-06-11""#))
    #expect(markup.contains(#"href="/day/2027-06-13""#))
    #expect(!markup.contains("content of"))
  }
}
