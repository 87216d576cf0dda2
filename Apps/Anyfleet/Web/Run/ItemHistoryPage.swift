import Anyfleet
import Foundation
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import OffshoreWeb

/// What was decided of an item where several changed it at the same time.
struct ItemHistoryPage: LivePage {
  let frame: AppFrame
  let viewModel: ItemHistoryViewModel

  private var say: Speaker { frame.say }

  func load() async throws {
    await viewModel.load()
    if viewModel.isGone { throw AppError.database(.notFound) }
  }

  func page(_ tab: Tab) -> Page {
    frame.page(
      tab, say(.history), in: .charters, subtitle: viewModel.item?.title,
      back: PageLink(viewModel.checklist?.title ?? say(.checklist), to: run)
    ) {
      tab.region("decisions") {
        DecisionList(
          viewModel.decisions, say, explained: .historyExplained, empty: .noHistoryText,
          error: viewModel.actionError, address: address, row: row)
      }
    }
  }

  private func row(_ decision: ItemDecision) -> DecisionList<ItemDecision>.Row {
    let canUse = viewModel.canEdit && decision.isUsable
    return .init(
      sentence: HTML(say(.decision(decision, told: told))),
      use: canUse ? say(.value(of: decision.lost)) : nil)
  }

  /// A time says enough of today.
  private func told(_ date: Date) -> LocalizedText {
    viewModel.isToday(date) ? .at(say.time(date)) : .on(say.dayAndTime(date))
  }

  private var run: String {
    RunRoute.run(charter: viewModel.charterID, checklist: viewModel.checklistID).address
  }

  private var address: String { "\(run)/items/\(viewModel.itemID)/history" }
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
        frame: frame,
        viewModel: dependencies.makeItemHistory(
          itemID, checklistID: checklistID, charterID: charterID))
    }
  }
}
