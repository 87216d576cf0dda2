import Foundation
import Offshore
import OffshoreCalendar
import OffshoreHTTP
import OffshoreLogging
import OffshorePresentation
import OffshoreSync
import OffshoreWeb
import TestSupport
import Testing

@testable import OffshorePages

/// The page of a form with a day, a time and a color.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct CalendarFormTests {
  struct Shift: Record, Equatable, Identifiable {
    let id: UUID
    var day: CalendarDay
    var start: TimeOfDay
    var color: CalendarColor

    static let table = Table(
      "shifts", Shift.init, Column("id", \.id).primaryKey(), Column("day", \.day).indexed(),
      Column("start", \.start), Column("color", \.color))

    static let fields: [DraftField<Shift>] = [
      .day("day", \.day, label: LocalizedText(en: "Day", ru: "День")),
      .time("start", \.start, label: LocalizedText(en: "Start", ru: "Начало")),
      .color("color", \.color, label: LocalizedText(en: "Color", ru: "Цвет")),
    ]
  }

  enum Route: PageRoute {
    case edit(UUID)
    var path: RoutePath {
      switch self {
      case .edit(let id): "shifts/\(id)"
      }
    }
    static let all: [RouteCase<Route>] = [RouteCase(Route.edit)]
  }

  private let store: SyncedStore
  private let router: Router
  private let shift: Shift

  init() async throws {
    var environment = SyncedStore.Environment()
    environment.logger = AppLogger(.sync, to: .none)
    let schema = StoreSchema(
      migrations: [Migration("v1", .create(Shift.table))],
      sync: try SyncSchema(
        version: 1, SyncTable(Shift.self, scope: .kind("shift", \.id)),
        claimableKinds: ["shift"]))
    store = try .temporary(schema: schema, environment: environment)
    let shift = Shift(
      id: UUID(), day: try #require(CalendarDay("2027-06-12")),
      start: TimeOfDay(hour: 9, minute: 0), color: .teal)
    self.shift = shift
    try await store.write { try shift.insert($0) }
    let frame = AppFrame(
      LocalizedText(verbatim: "Shifts"), parts: [.profile], store: store,
      sync: try await store.sync(with: nil, sleep: waitUntilCancelled),
      language: try await .start(
        storedBy: store, languages: [.english], preferring: .english, calendar: { .utc }),
      tabs: TabRegistry())
    var router = Router()
    router.addPages(Route.self, of: frame) { route, _ in
      switch route {
      case .edit(let id):
        EditorPage(frame, in: "shifts", back: PageLink("Shifts", to: "/"), Shift.fields, of: id) {
          Shift(
            id: $0, day: .first, start: TimeOfDay(hour: 0, minute: 0), color: .blue)
        } next: { _ in
          "/"
        }
      }
    }
    self.router = router
  }

  private func post(_ changes: [String: String]) async throws -> Response {
    let page = await router.respond(to: Request(.get, Route.edit(shift.id).address)).text
    var fields: Fields = ["action": "save"]
    for field in page.matches(of: /<input type="hidden" name="([^"]*)" value="([^"]*)"/) {
      let pair: Fields = [String(field.output.1): String(field.output.2)]
      fields.items += pair.items
    }
    let texts = ["day": "2027-06-12", "start": "09:00", "color": "teal"]
    for (name, text) in texts.merging(changes, uniquingKeysWith: { $1 }) {
      let pair: Fields = [name: text]
      fields.items += pair.items
    }
    var request = Request(
      .post, Route.edit(shift.id).address, body: Array(fields.encoded.utf8))
    request.headers["Content-Type"] = "application/x-www-form-urlencoded"
    return await router.respond(to: request)
  }

  private func stored() async throws -> Shift? {
    let id = shift.id
    return try await store.read { try Shift.find(id).first($0) }
  }

  @Test func `Each field has the control of its value`() async {
    let page = await router.respond(to: Request(.get, Route.edit(shift.id).address)).text
    #expect(page.contains(#"<input type="date" value="2027-06-12" id="field-day" name="day""#))
    #expect(page.contains(#"<input type="time" value="09:00" id="field-start" name="start""#))
    #expect(page.contains(#"id="field-color-teal" name="color" value="teal" checked>"#))
    #expect(page.contains("/assets/calendar-"), "the stylesheet of colors")
  }

  @Test func `Posted values are stored`() async throws {
    let response = try await post(["day": "2027-07-01", "start": "22:30", "color": "red"])
    #expect(response.status == .seeOther)
    let stored = try #require(await stored())
    #expect(stored.day.description == "2027-07-01" && stored.color == .red)
    #expect(stored.start == TimeOfDay(hour: 22, minute: 30))
  }

  @Test func `Values that are not valid stay on the page, with an error`() async throws {
    let response = try await post(["start": "25:00", "color": "mauve"])
    #expect(response.status == .unprocessableContent)
    #expect(response.text.contains(#"value="25:00" id="field-start""#))
    #expect(response.text.contains(#"<p id="field-color-error" class="error">"#))
    #expect(try await stored() == shift)
  }
}
