import Foundation
import OffshoreCalendar
import OffshorePages
import OffshorePresentation
import OffshoreWeb
import ShiftScheduler

/// The shifts of a month, a week or a day, of which each cell is updated by itself.
struct CalendarPage: ShiftPage {
  let app: ShiftApp
  let store: ShiftStore

  // NB: These are not read from the store, so that the page outside of its regions observes nothing.
  private let mode: ScheduleFeature.Mode
  private let day: CalendarDay
  private let days: ClosedRange<CalendarDay>
  private let firstWeekday: Weekday

  init(_ app: ShiftApp, _ mode: ScheduleFeature.Mode, _ day: CalendarDay) {
    (self.app, self.mode, self.day) = (app, mode, day)
    store = app.store(day, mode)
    (days, firstWeekday) = (store.state.schedule.days, store.state.schedule.firstWeekday)
  }

  func load() async {
    app.today.refresh()
    await store.loadSchedule()
    await store.load(.settings(.onAppear))
  }

  func run() async {
    store.followSchedule()
    await app.today.refreshDaily()
  }

  func page(_ tab: Tab) -> Page {
    let back = PageLink(say(.calendar), to: ShiftRoute.calendar(.month, day).address)
    return page(
      tab, mode == .day ? say.longDay(day) : say(.calendar), in: .calendar,
      back: mode == .day ? back : nil
    ) {
      tab.region("offer") { offer }
      CalendarView(mode, around: day, startingOn: firstWeekday, today: app.today.day, say) {
        ShiftRoute.calendar($0, $1).address
      } day: { day in
        CalendarTable.Day(to: ShiftRoute.calendar(.day, day).address) {
          tab.region("shifts-\(day)") { for shift in shifts(on: day) { shift.cell(say) } }
        }
      }
      tab.region("overlaps") { overlaps }
      if mode != .month { agenda(tab) }
      tab.region("month-totals") {
        p(.class("hint"), .id("sum")) { say.totals(store.schedule.view(in: app.calendar).totals) }
      }
      if mode == .day { tab.region("adding") { adding } }
      p(.class("buttons")) {
        LinkButton(say(.repeatPattern), to: ShiftRoute.pattern(start).address)
      }
    } actions: {
      BarLink(say(.search), to: ShiftRoute.search.address, icon: Icon("search", text: "⌕"))
      BarLink.new(say(.newShift), to: ShiftRoute.newShift(start).address)
    }
  }

  private var start: CalendarDay {
    mode.start(around: day, startingOn: firstWeekday, today: app.today.day)
  }

  private func shifts(on day: CalendarDay) -> [ShownShift] {
    store[dynamicMember: \.[day, in: app.calendar]]
  }

  // MARK: - Parts

  /// The shifts of each day as rows.
  @HTMLBuilder private func agenda(_ tab: Tab) -> HTML {
    for day in days {
      tab.region("agenda-\(day)") {
        let shifts = shifts(on: day)
        if !shifts.isEmpty {
          if mode == .week { h2 { say.longDay(day) } }
          Card(label: say.longDay(day), id: "rows-\(day)") {
            for shift in shifts {
              ToolRow(id: "tools-\(shift.id)") {
                let isPublished = store.teams.list?.published[shift.id] != nil
                shift.row(say, isPublished: isPublished)
              } tools: {
                DeleteForm(shift.title(say), "shift", shift.id, to: tab.address, say)
              }
            }
          }
        }
      }
    }
  }

  @HTMLBuilder private var overlaps: HTML {
    let overlaps = store[dynamicMember: \.[overlapsIn: app.calendar]]
    if !overlaps.isEmpty {
      div(.class("notices"), .id("overlap-notes")) {
        for sentence in say.overlaps(overlaps, of: store.shiftTypes.shiftTypes) {
          p { "⚠ \(sentence)" }
        }
      }
    }
  }

  @HTMLBuilder private var offer: HTML {
    if store.settings.offersDatabase {
      p(.class("notices")) {
        "\(say(.manyRecords)) "
        a(.href(ShiftRoute.engines.address)) { say(.engines) }
      }
    }
  }

  /// A link to the form of a shift for each type.
  @HTMLBuilder private var adding: HTML {
    let types = store.shiftTypes.shiftTypes
    if types.isEmpty {
      EmptyView(
        title: say(.noTypes), text: say(.typesExplained),
        action: .link(say(.newType), to: ShiftRoute.new(.types).address))
    } else {
      h2 { say(.newShift) }
      Card(label: say(.newShift), id: "types") {
        for type in types {
          LinkRow(
            type.title, to: "\(ShiftRoute.newShift(day).address)?type=\(type.id)",
            text: say.duration(type.duration),
            leading: ColorMark(type.color, symbol: type.symbol).html)
        }
      }
    }
  }

  func perform(_ form: PageForm) async throws -> Outcome {
    guard form.action == "delete" else { throw form.unknownAction }
    let id = try form.value("shift", as: UUID.self)
    guard let shift = store.schedule.shift(id) else { return .done }
    await store.load(.schedule(.dismissError), .schedule(.deleteShift(id)))
    guard store.schedule.error == nil else { return .invalid }
    app.offerUndo(.deleted(store.shown(shift).title(say)), of: try await app.deletion(of: id))
    return .done
  }
}
