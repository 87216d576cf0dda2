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

  private var say: Localizer { frame.say }

  func load() async {
    async let conflicts: Void = frame.loadConflicts()
    await viewModel.load()
    await conflicts
  }

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
          div(.class("buttons", "centered")) { JoinLink(frame, .charter) }
        } else {
          parts
        }
      }
    } actions: {
      BarLink.new(say(.newCharter), to: CharterRoute.new.address)
    }
  }

  /// Makes a charter the active one.
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
    StateContent(
      viewModel.sailingNow, say, loading: .gettingReady, address: CharterRoute.home.address
    ) { charters in
      if let first = charters.first { hero(first) }
    }
    if let found = viewModel.checklistToContinue.data,
      found.charter.id != viewModel.sailingNow.data?.first?.id
    {
      h2 { say(.continueChecklist) }
      Card(id: "continue-checklist") { continuation(found) }
    } else if viewModel.checklistToContinue.errorValue != nil {
      failure(of: viewModel.checklistToContinue)
    }
    list(.underWay, viewModel.alsoUnderWay, id: "under-way")
    list(.nextUp, viewModel.nextUp, id: "next-up")
    if isIdle {
      EmptyView(
        icon: Icon("compass", text: "⛵"), title: say(.nothingPlanned), text: say(.planNext),
        action: .link(say(.newCharter), to: CharterRoute.new.address))
    }
  }

  /// Whether there is neither a current charter nor a next one.
  private var isIdle: Bool {
    viewModel.sailingNow.isEmpty && viewModel.nextUp.isEmpty && viewModel.alsoUnderWay.isEmpty
  }

  /// Returns the current charter, with its day and the checklist to continue.
  private func hero(_ charter: CharterModel) -> HTML {
    let found = viewModel.checklistToContinue.data.flatMap {
      $0.charter.id == charter.id ? $0.progress : nil
    }
    return section(.id("sailing-now"), .class("hero"), .ariaLabelledBy("hero-name")) {
      p(.class("over")) {
        viewModel.day(of: charter).map { say(.day($0.day, of: $0.count)) }
          ?? say(viewModel.phase(of: charter).title)
      }
      h2(.id("hero-name")) {
        a(.href(CharterRoute.detail(charter.id).address)) { charter.name }
      }
      p {
        [charter.boatName, charter.location, say.days(of: charter)].compactMap(\.self)
          .joined(separator: ", ")
      }
      if let found {
        a(
          .id("continue"), .class("button"),
          .href(RunRoute.run(charter: charter.id, checklist: found.id).address)
        ) {
          ProgressRing(percent: found.percent)
          span { "\(say(.continueTitled(found.title))), \(found.checkedCount)/\(found.itemCount)" }
        }
      } else {
        a(.id("continue"), .class("button"), .href(CharterRoute.detail(charter.id).address)) {
          say(.openCharter)
        }
      }
      if !charter.isActive {
        PostForm(to: CharterRoute.home.address) {
          HiddenValue("charter", charter.id.uuidString)
          SubmitButton(
            say(.makeActive), style: .plain, label: say(.of(.makeActive, charter.name)),
            action: "sail")
        }
      }
    }
  }

  /// Returns the charters of a list with a heading, or nothing if there are none.
  @HTMLBuilder private func list(
    _ title: LocalizedText, _ state: ViewState<[CharterModel]>, id: String
  ) -> HTML {
    if let charters = state.data, !charters.isEmpty {
      h2 { say(title) }
      Card(id: id) {
        for charter in charters {
          CharterRowView(
            charter, phase: viewModel.phase(of: charter),
            hasOpenConflict: frame.hasOpenConflict(inCharter: charter.id), say)
        }
      }
    } else {
      failure(of: state)
    }
  }

  /// Returns the error or the loading state of a part.
  private func failure<Value>(of state: ViewState<Value>) -> HTML {
    StateContent(state, say, loading: .gettingReady, address: CharterRoute.home.address) { _ in
      HTML()
    }.html
  }

  private func continuation(_ found: HomeViewModel.Continuation) -> HTML {
    let progress = found.progress
    return LinkRow(
      progress.title, to: RunRoute.run(charter: found.charter.id, checklist: progress.id).address,
      text: "\(found.charter.name), \(progress.summary(say))", id: "continue-\(progress.id)",
      leading: ProgressRing(percent: progress.percent).html
    ).html
  }
}

extension LocalizedText {
  static let underWay = LocalizedText(en: "Under way", ru: "Идут сейчас")
  static let nextUp = LocalizedText(en: "Next up", ru: "Ближайшие")
  static let continueChecklist = LocalizedText(
    en: "Continue a checklist", ru: "Продолжить чек-лист")
  static let gettingReady = LocalizedText(en: "Getting ready…", ru: "Готовим…")
  static let welcome = LocalizedText(en: "Welcome aboard", ru: "Добро пожаловать на борт")
  static let openCharter = LocalizedText(en: "Open the charter", ru: "Открыть чартер")
  static let nothingPlanned = LocalizedText(en: "Nothing planned", ru: "Ничего не запланировано")
  static let planNext = LocalizedText(
    en: "All your charters are over. Plan the next one.",
    ru: "Все ваши чартеры завершены. Запланируйте следующий.")

  static func day(_ day: Int, of count: Int) -> LocalizedText {
    LocalizedText(en: "Day \(day) of \(count)", ru: "День \(day) из \(count)")
  }
}
