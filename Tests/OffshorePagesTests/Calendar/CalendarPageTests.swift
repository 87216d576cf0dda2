import Foundation
import Observation
import OffshoreCalendar
import OffshoreHTTP
import OffshorePresentation
import OffshoreWeb
import TestSupport
import Testing

@testable import OffshorePages

/// A calendar as a live page, whose cells have regions.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct CalendarPageTests {
  /// The shifts that the pages share.
  @Observable final class Shifts {
    var titles: [CalendarDay: String] = [:]
  }

  enum Route: PageRoute {
    case month(CalendarMonth)
    case day(CalendarDay)

    var path: RoutePath {
      switch self {
      case .month(let month): "months/\(month)"
      case .day(let day): "days/\(day)"
      }
    }

    static let all: [RouteCase<Route>] = [RouteCase(Route.month), RouteCase(Route.day)]
  }

  struct MonthPage: RoutedPage {
    let shifts: Shifts
    let month: CalendarMonth
    let today: CalendarDay
    let say: Localizer

    func page(_ tab: Tab) -> Page {
      var page = Page("Shifts") {
        CalendarTable(of: month, startingOn: .monday, today: today, say) {
          Route.month($0).address
        } day: { day in
          CalendarTable.Day(to: Route.day(day).address) {
            tab.region("shifts-\(day)") { shifts.titles[day].map { HTML($0) } ?? HTML() }
          }
        }
      }
      page.isWide = true
      page.stylesheets = [.calendar]
      return page
    }
  }

  private let shifts = Shifts()
  private let router: Router
  private let today: CalendarDay

  init() throws {
    let today = try #require(CalendarDay("2027-06-12"))
    self.today = today
    let tabs = TabRegistry()
    var router = Router()
    router.addLivePages(tabs)
    let say = Localizer(.english, calendar: .utc)
    router.addPages(Route.self, tabs: tabs) { [shifts] route, _ in
      switch route {
      case .month(let month): MonthPage(shifts: shifts, month: month, today: today, say: say)
      case .day(let day):
        MonthPage(
          shifts: shifts, month: CalendarMonth(containing: day), today: today, say: say)
      }
    }
    self.router = router
  }

  private func get(_ path: String) async -> Response {
    await router.respond(to: Request(.get, path))
  }

  @Test func `Days and months are parts of addresses`() async throws {
    #expect(Route.month(CalendarMonth(containing: today)).address == "/months/2027-06")
    #expect(Route.day(today).address == "/days/2027-06-12")
    #expect(await get("/months/2027-06").status == .ok)
    #expect(await get("/days/2027-06-12").status == .ok)
    for path in ["/months/2027-13", "/months/2027-6", "/months/x", "/days/2027-02-29", "/days/1"] {
      #expect(await get(path).status == .notFound)
    }
  }

  @Test func `All links of a month lead to pages`() async throws {
    let page = await get("/months/2027-06").text
    let links = page.matches(of: /<a [^>]*href="(\/(?:months|days)\/[^"#]*)/).map(\.output.1)
    #expect(links.count == 38)
    for link in Set(links) { #expect(await get(String(link)).status == .ok) }
  }

  @Test func `The page is wide, and has the stylesheet and the script of calendars`() async {
    let page = await get("/months/2027-06").text
    #expect(page.contains(#"<main id="main" class="wide""#))
    #expect(page.ranges(of: "/assets/calendar-").count == 2)
  }

  @Test func `A change of a day changes its cell alone`() async throws {
    let page = await get("/months/2027-06").text
    let tab = try #require(page.firstMatch(of: /data-tab="([^"]+)"/)).output.1
    let response = await router.respond(to: Request(.get, "/live/\(tab)?after=0"))
    guard case .events(let channel) = response.body else {
      Issue.record("no stream")
      return
    }
    shifts.titles[today] = "Early"
    let event = try #require(await channel.next())
    let changes = try JSONDecoder().decode([[String: String]].self, from: Data(event.data.utf8))
    #expect(changes.map { $0["target"] } == ["shifts-2027-06-12"])
    #expect(changes.first?["html"]?.contains("Early") == true)
    channel.close()
    let again = await get("/months/2027-06").text
    #expect(
      again.contains(#">12</a><div id="shifts-2027-06-12" data-region>Early</div></td>"#))
  }
}
