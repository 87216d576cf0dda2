import Anyfleet
import Foundation
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import OffshoreWeb

/// The first page.
struct HomePage: RoutedPage {
  let frame: AppFrame
  let viewModel: HomeViewModel

  private var say: Speaker { frame.say }

  func load() async { await viewModel.load() }

  func run() async { await viewModel.followDays() }

  func page(_ tab: Tab) -> Page {
    frame.page(tab, say(.home), in: .home) {
      tab.region("home-notices") {
        if let error = viewModel.actionError { ErrorView(error, say) }
        Notices(viewModel.notices, say, address: CharterRoute.home.address)
      }
      tab.region("home") {
        if viewModel.isFirstUse {
          welcome
          div(.class("buttons", "actions")) { JoinLink(frame, .charter) }
        } else {
          parts
        }
      }
    }
  }

  /// Makes a charter the one that is sailed now.
  func perform(_ form: PageForm) async throws -> Outcome {
    guard form.action == "sail" else { throw form.unknownAction }
    return await viewModel.setActive(try form.value("charter")) ? .done : .invalid
  }

  private var welcome: EmptyView {
    EmptyView(
      icon: Icon("compass", text: "⛵"), title: say(.welcome), text: say(.planFirstCharter),
      action: .link(say(.newCharter), to: CharterRoute.new.address))
  }

  @HTMLBuilder private var parts: HTML {
    h2 { say(.sailingNow) }
    content(viewModel.sailingNow, empty: .noActiveCharter, id: "sailing-now") { charters in
      for charter in charters { sailed(charter) }
    }
    h2 { say(.continueChecklist) }
    content(
      viewModel.checklistToContinue, empty: .nothingToContinue, id: "continue-checklist",
      continuation)
    h2 { say(.nextUp) }
    content(viewModel.nextUp, empty: .nothingNextUp, id: "next-up") { charters in
      for charter in charters {
        CharterRowView(charter, phase: viewModel.phase(of: charter), say)
      }
    }
    h2 { say(.yourCharters) }
    content(viewModel.counts, empty: .nothingNextUp, id: "counts", counts)
    p(.class("actions")) {
      a(.class("button", "primary"), .href(CharterRoute.new.address)) { say(.newCharter) }
    }
  }

  /// A charter that is sailed now, with the way to make it the active one where it is not.
  private func sailed(_ charter: CharterModel) -> HTML {
    div(.id("sailing-\(charter.id)")) {
      CharterRowView(charter, phase: viewModel.phase(of: charter), say)
      if !charter.isActive {
        div(.class("under")) {
          PostForm(to: CharterRoute.home.address) {
            HiddenValue("charter", charter.id.uuidString)
            SubmitButton(
              say(.makeActive), style: .plain, label: say(.of(.makeActive, charter.name)),
              action: "sail")
          }
        }
      }
    }
  }

  /// A part in a card, or in its place what is going on.
  @HTMLBuilder private func content<Value>(
    _ state: ViewState<Value>, empty: LocalizedText, id: String,
    @HTMLBuilder _ rows: (Value) -> HTML
  ) -> HTML {
    if state.isEmpty { p(.class("hint")) { say(empty) } }
    StateContent(state, say, loading: .gettingReady, address: CharterRoute.home.address) { value in
      let rows = rows(value)
      // Where none can be read, a notice says so.
      if !rows.isEmpty { Card(id: id) { rows } }
    }
  }

  private func continuation(_ found: HomeViewModel.Continuation) -> HTML {
    let progress = found.progress
    return LinkRow(
      progress.title, to: RunRoute.run(charter: found.charter.id, checklist: progress.id).address,
      text: "\(found.charter.name), \(progress.line(say))", id: "continue-\(progress.id)"
    ) {
      progress.badge(say)
    }.html
  }

  @HTMLBuilder private func counts(_ counts: CharterCounts) -> HTML {
    for filter in CharterListFilter.allCases {
      LinkRow(say(filter.title), to: CharterListQuery(filter: filter).address) {
        span(.class("count")) { say.number(counts[filter.counted]) }
      }
    }
  }
}

extension LocalizedText {
  static let sailingNow = LocalizedText(en: "Sailing now", ru: "Сейчас в море")
  static let noActiveCharter = LocalizedText(
    en: "No charter is active. Make one active on its page.",
    ru: "Активного чартера нет. Сделайте чартер активным на его странице.")
  static let nextUp = LocalizedText(en: "Next up", ru: "Ближайшие")
  static let nothingNextUp = LocalizedText(
    en: "Nothing is planned.", ru: "Ничего не запланировано.")
  static let continueChecklist = LocalizedText(
    en: "Continue a checklist", ru: "Продолжить чек-лист")
  static let nothingToContinue = LocalizedText(
    en: "No checklist is half done.", ru: "Незаконченных чек-листов нет.")
  static let yourCharters = LocalizedText(en: "Your charters", ru: "Ваши чартеры")
  static let gettingReady = LocalizedText(en: "Getting ready…", ru: "Готовим…")
  static let welcome = LocalizedText(en: "Welcome Aboard", ru: "Добро пожаловать на борт")
}
