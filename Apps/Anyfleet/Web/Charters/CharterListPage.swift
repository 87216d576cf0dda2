import Anyfleet
import OffshoreHTTP
import OffshorePresentation
import OffshoreWeb

/// All charters, by phase.
struct CharterListPage: LivePage {
  let shell: Shell
  let viewModel: CharterListViewModel
  let days: Days

  func load() async { await viewModel.load() }

  func page(_ tab: Tab) -> Page {
    shell.page(shell.say(.charters), in: .charters) {
      tab.region("charters") {
        Notices(viewModel.notices, shell.say)
        StateContent(
          viewModel.charters, shell.say,
          loading: LocalizedText(en: "Looking for charters…", ru: "Ищем чартеры…"),
          address: Address.charters,
          empty: empty
        ) { charters in
          if !charters.isEmpty {
            Card(label: "Charters", id: "charter-list") {
              for charter in charters { row(charter) }
            }
          }
          p(.class("actions")) {
            a(.class("button", "primary"), .href(Address.newCharter)) { "New Charter" }
          }
        }
      }
    }
  }

  private var empty: EmptyView {
    EmptyView(
      icon: Icon("compass", text: "⛵"), title: "No Charters Yet",
      text: "Plan your first one. Its checklists and their progress stay on this device.",
      action: .link("New Charter", to: Address.newCharter))
  }

  private func row(_ charter: CharterModel) -> LinkRow {
    let details = [
      charter.boatName, charter.location, days.range(charter.startDate, charter.endDate),
    ]
    return LinkRow(
      charter.name, to: Address.charter(charter.id),
      text: details.compactMap(\.self).joined(separator: ", "), id: "charter-\(charter.id)"
    ) {
      badge(viewModel.phase(of: charter))
    }
  }

  private func badge(_ phase: CharterPhase) -> Badge {
    switch phase {
    case .inProgress: Badge("In Progress", tone: .good)
    case .upcoming: Badge("Upcoming")
    case .past: Badge("Past", tone: .none)
    }
  }
}

extension AnyfleetPages {
  func charters(_ request: Request) async throws -> Response {
    try await tabs.open(request) {
      CharterListPage(shell: shell, viewModel: dependencies.makeCharterList(), days: days)
    }
  }
}
