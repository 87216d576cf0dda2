import Anyfleet
import OffshoreHTTP
import OffshorePresentation
import OffshoreWeb

/// What somebody sees first.
struct HomePage: LivePage {
  let shell: Shell
  let viewModel: HomeViewModel

  private var say: Speaker { shell.say }

  func load() async { await viewModel.load() }

  func run() async { await viewModel.followDays() }

  func page(_ tab: Tab) -> Page {
    shell.page(say(.home), in: .home) {
      tab.region("home-notices") { Notices(viewModel.notices, say) }
      tab.region("home") {
        if viewModel.isFirstUse { welcome } else { parts }
      }
    }
  }

  private var welcome: EmptyView {
    EmptyView(
      icon: Icon("compass", text: "⛵"), title: say(.welcome), text: say(.planFirstCharter),
      action: .link(say(.newCharter), to: Address.newCharter))
  }

  @HTMLBuilder private var parts: HTML {
    h2 { say(.sailingNow) }
    content(viewModel.activeCharter, empty: .noActiveCharter, id: "active-charter") { charter in
      CharterRowView(charter, phase: viewModel.phase(of: charter), say)
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
      a(.class("button", "primary"), .href(Address.newCharter)) { say(.newCharter) }
    }
  }

  /// A part in a card, or in its place what is going on.
  @HTMLBuilder private func content<Value>(
    _ state: ViewState<Value>, empty: LocalizedText, id: String,
    @HTMLBuilder _ rows: (Value) -> HTML
  ) -> HTML {
    if state.isEmpty { p(.class("hint")) { say(empty) } }
    StateContent(state, say, loading: .gettingReady, address: Address.home) { value in
      Card(id: id) { rows(value) }
    }
  }

  private func continuation(_ found: HomeViewModel.Continuation) -> HTML {
    let progress = found.progress
    return LinkRow(
      progress.title, to: Address.checklist(progress.id, in: found.charter.id),
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

extension AnyfleetPages {
  func home(_ request: Request) async throws -> Response {
    try await tabs.open(request) { HomePage(shell: shell, viewModel: dependencies.makeHome()) }
  }
}
