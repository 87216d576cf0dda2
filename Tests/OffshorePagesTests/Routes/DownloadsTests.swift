import OffshoreCalendar
import OffshoreHTTP
import OffshorePresentation
import OffshoreWeb
import TestSupport
import Testing

@testable import OffshorePages

@MainActor struct DownloadsTests {
  enum ExportRoute: PageRoute {
    case month(CalendarMonth)
    case everything

    var path: RoutePath {
      switch self {
      case .month(let month): "export/\(month)"
      case .everything: "export"
      }
    }

    static let all: [RouteCase<ExportRoute>] = [
      RouteCase(ExportRoute.month), RouteCase(.everything),
    ]
  }

  private let router: Router

  init() {
    var router = Router()
    router.addDownloads(ExportRoute.self) { route, query in
      guard query["fails"] == nil else { throw HTTPError(.conflict, "Nothing to export.") }
      let days =
        switch route {
        case .month(let month): month.days
        case .everything: CalendarDay.first...CalendarDay.last
        }
      let file = CalendarFile(
        query["name"] ?? "Shifts", product: "Test",
        events: [
          CalendarFile.Event(id: "1", stamp: .day(6, 1), time: .days(days), title: "All days")
        ])
      return .download(
        .bytes(Array(file.text.utf8)), named: "Смены \(days.lowerBound).ics",
        type: CalendarFile.mediaType)
    }
    self.router = router
  }

  private func get(_ path: String) async -> Response {
    await router.respond(to: Request(.get, path))
  }

  @Test func `The address of a route responds with its file`() async throws {
    let month = try #require(CalendarMonth("2027-06"))
    let response = await get(ExportRoute.month(month).address)
    #expect(response.status == .ok)
    #expect(response.headers["Content-Type"] == "text/calendar; charset=utf-8")
    let disposition = try #require(response.headers["Content-Disposition"])
    #expect(disposition.hasPrefix("attachment; filename=\"_____ 2027-06-01.ics\"; filename*="))
    #expect(response.text.contains("DTSTART;VALUE=DATE:20270601\r\nDTEND;VALUE=DATE:20270701\r\n"))
    #expect(await get("/export").text.contains("DTSTART;VALUE=DATE:00000101"))
  }

  @Test func `The fields of the address are passed`() async {
    #expect(await get("/export?name=Team").text.contains("\r\nNAME:Team\r\n"))
  }

  @Test func `Another address is not found, and an error has no file`() async {
    #expect(await get("/export/2027-13").status == .notFound)
    let failed = await get("/export?fails=")
    #expect(failed.status == .conflict && failed.headers["Content-Disposition"] == nil)
  }

  @Test func `A link to a file does not leave the page`() {
    #expect(
      a(.href(ExportRoute.everything.address), .download()) { "Export" }.description
        == #"<a href="/export" download>Export</a>"#)
  }
}
