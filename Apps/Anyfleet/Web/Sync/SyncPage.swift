import Anyfleet
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import OffshoreSync
import OffshoreWeb

/// How syncing stands, what waits, and what was set aside.
struct SyncPage: LivePage {
  let shell: Shell
  let viewModel: SyncModel

  private var say: Speaker { shell.say }

  func load() async { await viewModel.load() }

  func page(_ tab: Tab) -> Page {
    shell.page(
      tab, say(.sync), in: .profile, back: PageLink(say(.profile), to: Address.profile)
    ) {
      tab.region("sync-notices") {
        if let problem = viewModel.problem { view(of: problem) }
        Notices(viewModel.notices, say, address: Address.sync)
      }
      tab.region("sync-state") { SyncStateView(viewModel: viewModel, say: say).html }
      tab.region("refused") { refused }
      tab.region("unsent") { if viewModel.accountName != nil { unsent } }
    }
  }

  private func view(of problem: SyncModel.Problem) -> ErrorView {
    switch problem {
    case .notCancelled:
      ErrorView(say(.notCancelled), suggestion: say(.notCancelledExplained))
    case .notRetried: ErrorView(say(.notRetried), suggestion: say(.notRetriedExplained))
    case .failed(let error): ErrorView(error, say)
    }
  }

  // MARK: - Changes

  @HTMLBuilder private var unsent: HTML {
    StateContent(viewModel.pending, say, loading: .lookingForChanges, address: Address.sync) {
      changes in
      if !changes.listed.isEmpty {
        h2 { say(.unsent) }
        Card(label: say(.unsent), id: "unsent-list") {
          for change in changes.listed { PendingChangeRow(change: change, say: say) }
        }
      }
      if changes.moreCount > 0 { p(.class("hint")) { say(.moreChanges(changes.moreCount)) } }
    }
  }

  @HTMLBuilder private var refused: HTML {
    switch viewModel.refused {
    case .error(let error): ErrorView(error, say, address: Address.sync)
    case .loaded(let changes):
      if !changes.isEmpty {
        h2 { say(.refusedTitle) }
        p(.class("hint")) { say(.refusedExplained) }
        Card(label: say(.refusedTitle), id: "refused-list") {
          for change in changes { RefusedChangeRow(change: change, say: say) }
        }
      }
    case .idle, .loading, .empty: HTML()
    }
  }
}
