import Foundation
import OffshoreCalendar
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import OffshoreWeb
import ShiftScheduler

/// The search for shifts by their texts, type, location, status and days.
struct SearchPage: ShiftPage {
  let app: ShiftApp
  let store: ShiftStore
  let query: Fields

  private var search: ScheduleSearch {
    func day(_ name: String) -> CalendarDay? { query[name].flatMap { CalendarDay($0) } }
    var search = ScheduleSearch()
    search.text = query["q"] ?? ""
    search.shiftTypeID = query["type"].flatMap { UUID(uuidString: $0) }
    search.locationID = query["location"].flatMap { UUID(uuidString: $0) }
    search.status = query["status"].flatMap { ScheduledShift.Status(rawValue: $0) }
    if day("from") != nil || day("to") != nil {
      let first = day("from") ?? .first
      search.days = first...max(first, day("to") ?? .last)
    }
    return search
  }

  func load() async {
    await store.load(
      .locations(.onAppear), .shiftTypes(.onAppear), .schedule(.searchChanged(search)))
  }

  func page(_ tab: Tab) -> Page {
    page(
      tab, say(.search), in: .calendar,
      back: PageLink(say(.calendar), to: ShiftRoute.today.address)
    ) {
      tab.region("conditions") {
        FilterForm(.search, conditions, query: query, to: ShiftRoute.search.address, say)
      }
      tab.region("results") { results }
    }
  }

  private var conditions: [FilterForm.Condition] {
    [
      .choice(
        "type", .shiftType,
        store.shiftTypes.shiftTypes.map { .init($0.id.uuidString, say($0.name)) }),
      .choice(
        "location", .location,
        store.locations.locations.map { .init($0.id.uuidString, $0.name) }),
      .choice(
        "status", .status,
        ScheduledShift.Status.allCases.map { .init($0.rawValue, say($0.title)) }),
      .day("from", .firstDay), .day("to", .lastDay),
    ]
  }

  @HTMLBuilder private var results: HTML {
    let found = store.schedule.found
    let shown = ShownCount(query, pageSize: 100)
    if found.isEmpty {
      EmptyView(
        icon: Icon("search", text: "⌕"),
        title: search.isEmpty ? say(.search) : say(en: "Nothing found", ru: "Ничего не найдено"),
        text: say(
          en: "Search in notes, types and locations, or set conditions.",
          ru: "Ищите в заметках, видах и местах или задайте условия."))
    } else {
      p(.class("hint"), .role(.status)) { say(.shifts(found.count)) }
      Card(label: say(.search), id: "found") {
        for shift in found.prefix(shown.count) { store.shown(shift).row(say, showsDay: true) }
      }
      shown.more(of: found.count, at: ShiftRoute.search.address, say)
    }
  }
}
