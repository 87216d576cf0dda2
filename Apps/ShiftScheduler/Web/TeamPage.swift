import Foundation
import OffshoreCalendar
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import OffshoreSync
import OffshoreWeb
import ShiftScheduler

/// The published shifts of a team in a month, with the swaps of its members.
final class TeamPage: ShiftPage {
  let app: ShiftApp
  let store: ShiftStore
  private let id: Team.ID
  private let month: CalendarMonth
  private let address: String
  /// The latest form, unless its change is made.
  private var sent: Fields = [:]
  /// The days whose shifts are published or withdrawn together.
  private var range: DayRangeFields

  /// - Parameter month: The month; by default the current one.
  init(_ app: ShiftApp, _ id: Team.ID, _ month: CalendarMonth? = nil) {
    (self.app, self.id) = (app, id)
    address = (month.map { ShiftRoute.board(id, $0) } ?? .team(id)).address
    self.month = month ?? CalendarMonth(containing: app.today.day)
    range = DayRangeFields(self.month.days)
    store = app.store(self.month.firstDay, .month)
  }

  private var board: TeamBoard { store.teams.board ?? TeamBoard() }
  private var userID: UUID { app.frame.sync.session.userID }

  func load() async throws {
    store.send(.teams(.show(id, month)))
    await store.loadSchedule()
    guard store.teams.team != nil else { throw store.teams.error ?? .database(.notFound) }
  }

  func page(_ tab: Tab) -> Page {
    let name = store.teams.team?.name ?? ""
    return page(
      tab, name, in: .teams, subtitle: say.month(month),
      back: PageLink(say(.teams), to: ShiftRoute.teams.address)
    ) {
      tab.region("role") { [self] in ReadOnlyNotice(store.teams.role, app.frame, .team) }
      StepLinks(around: month, say) { ShiftRoute.board(self.id, $0).address }
      tab.region("proposal") { [self] in proposal }
      tab.region("board") { [self] in days }
      tab.region("publishing") { [self] in if store.teams.isScheduler { publishing } }
      tab.region("people") { [self] in Card { MembersLink(app.frame, .team, of: id) } }
    } actions: {
      if store.teams.isScheduler {
        BarLink.edit(say(.edit(name)), to: ShiftRoute.editTeam(id).address)
      }
    }
  }

  /// The overlaps of a change, with a button that makes it nevertheless.
  @HTMLBuilder private var proposal: HTML {
    if let overlaps = store.teams.proposal?.overlaps {
      div(.class("notices"), .role(.alert), .id("overlap-notes")) {
        for text in overlaps.map({ "\($0.workerName): \(say.description(of: $0))" }) {
          p { "⚠ \(say(en: "Works already. \(text)", ru: "Уже работает. \(text)"))" }
        }
        PostForm(to: address) {
          for field in sent.items { HiddenValue(field.name, field.value) }
          HiddenValue("keep", "on")
          SubmitButton(say(.keepOverlaps), style: .plain)
        }
      }
    }
  }

  // MARK: - Shifts

  @HTMLBuilder private var days: HTML {
    if board.shifts.isEmpty {
      p(.class("hint")) { say(en: "No shifts this month.", ru: "В этом месяце смен нет.") }
    }
    for day in Set(board.shifts.map(\.date)).sorted() {
      h2 { say.longDay(day) }
      Card(label: say.longDay(day), id: "shifts-\(day)") {
        for shift in board.shifts where shift.date == day { view(of: shift) }
      }
    }
  }

  private func view(of shift: PublishedShift) -> HTML {
    let facts = [say.duration(shift.duration), shift.place, shift.workerName]
    return div(.id("published-\(shift.shiftID)")) {
      div(.class("row")) {
        ColorMark(shift.color, symbol: shift.symbol)
        span(.class("label")) {
          shift.title
          small { facts.filter { !$0.isEmpty }.joined(separator: " · ") }
        }
        if board.outdated.contains(shift.id) {
          Badge(say(en: "Changed since", ru: "Изменена позже"), tone: .warn)
        }
        if shift.workerID == userID { Badge(say(en: "You", ru: "Вы")) }
      }
      for swap in board.swaps where swap.shift.id == shift.id { view(of: swap) }
      if store.teams.mayWrite { div(.class("manage", "tools")) { tools(of: shift) } }
    }
  }

  @HTMLBuilder private func tools(of shift: PublishedShift) -> HTML {
    let isOffered = board.swaps.contains { $0.shift.id == shift.id && $0.isOpen }
    if shift.workerID == userID, !isOffered {
      let all = Field.Choice("", say(en: "To all", ru: "Всем"))
      button(.offer, "offer", ["shift": shift.id], shift, [all] + members(without: userID))
    }
    if store.teams.isScheduler {
      if board.outdated.contains(shift.id) {
        button(.publishAgain, "publish", ["own.\(shift.shiftID)": "on"], shift)
      }
      button(.unpublish, "unpublish", ["shift": shift.id], shift)
      let others = members(without: shift.workerID)
      if !others.isEmpty { button(.assign, "assign", ["shift": shift.id], shift, others) }
    }
  }

  private func members(without account: UUID) -> [Field.Choice] {
    board.members.filter { $0.key != account }.sorted { $0.value < $1.value }
      .map { Field.Choice("\($0.key)", $0.value) }
  }

  /// The forms for own shifts that the team does not have, and for all of some days.
  @HTMLBuilder private var publishing: HTML {
    let own = store.schedule.shifts.filter {
      month.days.contains($0.date) && $0.status != .cancelled
        && store.teams.list?.published[$0.id]?.contains(id) != true
    }
    let isIncomplete = store.teams.error == .validation(.missingRequiredFields)
    let problem = say(en: "Choose at least one.", ru: "Выберите хотя бы одну.")
    details(.id("publish"), .class("section"), .open(isIncomplete || range.days == nil)) {
      summary { h2 { say(.publish) } }
      if !own.isEmpty {
        PostForm(to: address, id: "publish-form") {
          FieldGroup(
            say(en: "Your shifts", ru: "Ваши смены"), id: "own", error: isIncomplete ? problem : nil
          ) {
            for shift in own.sorted(by: { $0.date < $1.date }) {
              let (title, name) = (store.shown(shift).description(say), "own.\(shift.id)")
              CheckField(title, name: name, isOn: sent[name] != nil)
            }
          }
          worker("field-worker")
          SubmitButton(say(.publish), action: "publish")
        }
      }
      PostForm(to: address, id: "range-form") {
        h3 { say(en: "All your shifts of some days", ru: "Все ваши смены за несколько дней") }
        range.html(say)
        worker("range-worker")
        div(.class("buttons")) {
          SubmitButton(say(.publish), style: .plain, action: "publish-days")
          SubmitButton(say(.unpublish), style: .plain, action: "unpublish-days")
        }
      }
    }
  }

  private func worker(_ id: String) -> Field {
    Field(
      say(en: "Who works", ru: "Кто работает"), name: "worker", value: sent["worker"] ?? "",
      kind: .choice([Field.Choice("", say(en: "I", ru: "Я"))] + members(without: userID)), id: id)
  }

  // MARK: - Swaps

  private func view(of swap: Swap) -> HTML {
    let author = name(of: swap.offer.authorID)
    let asked = swap.offer.askedID.map(name) ?? say(en: "all", ru: "всем")
    return div(.id("swap-\(swap.id)")) {
      div(.class("row")) {
        span(.class("label")) {
          say(en: "Offer: \(author) → \(asked)", ru: "Предложение: \(author) → \(asked)")
        }
        Badge(say(swap.state.text(name)), tone: swap.isOpen ? .accent : .none)
      }
      if store.teams.mayWrite, swap.isOpen {
        div(.class("manage", "tools")) { answers(to: swap) }
      }
    }
  }

  private func name(of account: UUID) -> String {
    board.members[account] ?? say(en: "a former member", ru: "бывший участник")
  }

  @HTMLBuilder private func answers(to swap: Swap) -> HTML {
    let answer = swap.answers.first { $0.authorID == userID }?.kind
    for kind in SwapAnswer.Kind.allCases where kind != answer && swap.allows(kind, by: userID) {
      button(kind.title, kind.rawValue, ["swap": "\(swap.id)"], swap.shift)
    }
    if store.teams.isScheduler {
      if case .accepted(let takers) = swap.state {
        for taker in takers {
          let fields: Fields = ["swap": "\(swap.id)", "taker": "\(taker)"]
          button(.approve(name(of: taker)), "approve", fields, swap.shift)
        }
      }
      button(.refuse, "refuse", ["swap": "\(swap.id)"], swap.shift)
    }
  }

  // MARK: - Actions

  /// - Parameter members: The choices of a member; without any, the form has none.
  private func button(
    _ title: LocalizedText, _ action: String, _ fields: Fields, _ shift: PublishedShift,
    _ members: [Field.Choice] = []
  ) -> PostForm {
    let label = say(.action(title, on: say.description(of: shift)))
    return PostForm(to: address, isRepeatable: false) {
      for field in fields.items { HiddenValue(field.name, field.value) }
      if !members.isEmpty {
        Field(
          say(en: "Member", ru: "Участник"), name: "member", value: members[0].value,
          kind: .choice(members),
          isCompact: true, id: "\(action)-\(shift.shiftID)")
      }
      SubmitButton(say(title), style: .plain, label: label, action: action)
    }
  }

  func perform(_ form: PageForm) async throws -> Outcome {
    let command = try command(of: form)
    sent = form.fields
    if form.action.hasSuffix("-days"), command == nil { return .invalid }
    if let command {
      await store.load(.teams(.perform(command)))
    } else {
      await store.load(.teams(.failed(.validation(.missingRequiredFields))))
    }
    if form.text("keep") == "on" { await store.load(.teams(.keepOverlaps)) }
    guard store.teams.proposal == nil, store.teams.error == nil else { return .invalid }
    sent = [:]
    return .done
  }

  /// Returns the command of a form; `nil` if no shifts are chosen, or no range of days.
  private func command(of form: PageForm) throws -> TeamCommand? {
    let worker: UUID? = form.text("worker").isEmpty ? nil : try form.value("worker")
    switch form.action {
    case "publish-days", "unpublish-days":
      range = DayRangeFields(form)
      return range.days.map {
        form.action == "publish-days"
          ? .publish(.days($0), id, worker: worker) : .unpublish(.days($0), id)
      }
    case "publish":
      let names = form.fields.items.map(\.name).filter { $0.hasPrefix("own.") }
      let ids = names.compactMap { UUID(uuidString: String($0.dropFirst(4))) }
      guard ids.allSatisfy({ store.schedule.shift($0) != nil }) else {
        throw AppError.database(.notFound)
      }
      return ids.isEmpty ? nil : .publish(.shifts(ids), id, worker: worker)
    default: return try command(ofShift: form)
    }
  }

  /// Returns the command of a form for one shift or swap.
  private func command(ofShift form: PageForm) throws -> TeamCommand {
    let swap = board.swaps.first { "\($0.id)" == form.text("swap") }
    let shift = swap?.shift ?? board.shifts.first { $0.id == form.text("shift") }
    guard let shift else { throw AppError.database(.notFound) }
    switch (form.action, swap?.id) {
    case ("unpublish", nil): return .unpublish(.shifts([shift.shiftID]), id)
    case ("assign", nil): return .assign(shift.id, worker: try form.value("member"))
    case ("offer", nil):
      let asked: UUID? = form.text("member").isEmpty ? nil : try form.value("member")
      return .offer(app.frame.store.makeID(), shift.id, to: asked)
    case ("approve", let swap?): return .approve(swap, taker: try form.value("taker"))
    case ("refuse", let swap?): return .decline(swap)
    default:
      guard let swap, let kind = SwapAnswer.Kind(rawValue: form.action) else {
        throw form.unknownAction
      }
      return .answer(swap.id, kind)
    }
  }
}
