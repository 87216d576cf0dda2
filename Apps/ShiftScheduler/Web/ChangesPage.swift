import Foundation
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import OffshoreWeb
import ShiftScheduler

/// The log of changes, of which each can be reverted, and the latest ones undone and redone.
struct ChangesPage: ShiftPage {
  let app: ShiftApp
  let store: ShiftStore
  let query: Fields

  func load() async {
    await store.load(.locations(.onAppear), .shiftTypes(.onAppear), .changeLog(.onAppear))
  }

  func run() async { store.send(.changeLog(.startObservingChanges)) }

  func page(_ tab: Tab) -> Page {
    page(tab, say(.changes)) { tab.region("log") { log } }
  }

  @HTMLBuilder private var log: HTML {
    let (state, address) = (store.changeLog, ShiftRoute.changes.address)
    let shown = ShownCount(query, pageSize: 30)
    ChangeLogView(state, count: shown.count, at: address, say) { sides(of: $0) }
    shown.more(of: state.changes.count, at: address, say)
  }

  private func sides(of edit: ScheduleEdit) -> (before: String?, after: String?) {
    switch edit {
    case .location(let before, let after, _): (before.map(text), after.map(text))
    case .shiftType(let before, let after, _): (before.map(text), after.map(text))
    case .shift(let before, let after, _): (before.map(text), after.map(text))
    }
  }

  private func text(_ location: Location) -> String { joined(location.name, location.address) }

  private func text(_ type: ShiftType) -> String {
    joined(
      say(type.name), say.duration(type.duration), say(type.color.title),
      type.location(from: store.locations.locations)?.name ?? "", type.description)
  }

  private func text(_ shift: ScheduledShift) -> String {
    let minutes = shift.overtimeMinutes
    return joined(
      store.shown(shift).description(say), say(shift.status.title),
      minutes > 0 ? say(.overtime(minutes: minutes)) : "", shift.note)
  }

  private func joined(_ facts: String...) -> String {
    facts.filter { !$0.isEmpty }.joined(separator: ", ")
  }

  func perform(_ form: PageForm) async throws -> Outcome {
    guard let action = try ChangeLogFeature.Action(form) else { throw form.unknownAction }
    await store.load(.changeLog(.dismiss), .changeLog(action))
    return store.changeLog.refusal == nil && store.changeLog.error == nil ? .done : .invalid
  }
}
