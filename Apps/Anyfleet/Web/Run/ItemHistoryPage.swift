import Anyfleet
import Foundation
import OffshoreHTTP
import OffshorePresentation
import OffshoreWeb

/// What was decided of an item where several changed it at the same time.
struct ItemHistoryPage: LivePage {
  let shell: Shell
  let viewModel: ItemHistoryViewModel

  private var say: Speaker { shell.say }

  func load() async throws {
    await viewModel.load()
    if viewModel.isGone { throw AppError.database(.notFound) }
  }

  func page(_ tab: Tab) -> Page {
    shell.page(
      tab, say(.history), in: .charters, subtitle: viewModel.item?.title,
      back: PageLink(viewModel.checklist?.title ?? say(.checklist), to: run.page)
    ) {
      tab.region("decisions") {
        if let error = viewModel.actionError { ErrorView(error, say) }
        p(.class("hint")) { say(.historyExplained) }
        StateContent(
          viewModel.decisions, say, loading: .lookingForHistory, address: address, empty: empty
        ) { decisions in
          Card(label: say(.history), id: "decision-list") {
            for decision in decisions { row(decision) }
          }
        }
      }
    }
  }

  private var empty: EmptyView {
    EmptyView(
      icon: Icon("clock-history", text: "↺"), title: say(.noHistory), text: say(.noHistoryText))
  }

  private func row(_ decision: ItemDecision) -> HTML {
    div(.id("decision-\(decision.id)")) {
      p(.class("row", "decision")) { say(.decision(decision, told: told)) }
      if viewModel.canEdit, decision.isUsable {
        div(.class("under")) {
          PostForm(to: address) {
            HiddenValue("decision", decision.id.uuidString)
            SubmitButton(
              say(.useThisInstead), style: .plain,
              label: say(.of(.useThisInstead, say(.value(of: decision.lost)))))
          }
        }
      }
    }
  }

  /// A time says enough of today.
  private func told(_ date: Date) -> LocalizedText {
    viewModel.isToday(date) ? .at(say.time(date)) : .on(say.dayAndTime(date))
  }

  private var run: RunAddress {
    RunAddress(charterID: viewModel.charterID, checklistID: viewModel.checklistID)
  }

  private var address: String { run.history(viewModel.itemID) }
}

extension AnyfleetPages {
  func itemHistory(_ request: Request) async throws -> Response {
    let page = try historyPage(request)
    return try await tabs.open(request, page: page)
  }

  /// Uses what did not stay in place of what did.
  func useLost(_ request: Request) async throws -> Response {
    guard let decision = try request.form["decision"].flatMap(UUID.init(uuidString:)) else {
      throw HTTPError(.badRequest, "The form has no field decision that is a UUID.")
    }
    return try await tabs.act(request, at: request.path, page: try historyPage(request)) { page in
      await page.viewModel.useLost(decision) ? .done : .invalid
    }
  }

  private func historyPage(_ request: Request) throws -> @MainActor () -> ItemHistoryPage {
    let (charterID, checklistID): (UUID, UUID) = try (
      request.parameter("charter"), request.parameter("checklist")
    )
    let itemID: UUID = try request.parameter("item")
    return {
      ItemHistoryPage(
        shell: shell,
        viewModel: dependencies.makeItemHistory(
          itemID, checklistID: checklistID, charterID: charterID))
    }
  }
}
