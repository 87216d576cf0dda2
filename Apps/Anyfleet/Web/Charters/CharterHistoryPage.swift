import Anyfleet
import Foundation
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import OffshoreWeb

/// What was decided of a charter where several changed it at the same time.
struct CharterHistoryPage: LivePage {
  let frame: AppFrame
  let viewModel: CharterHistoryViewModel

  private var say: Speaker { frame.say }
  private var address: String { Address.charterHistory(viewModel.charterID) }

  func load() async throws {
    await viewModel.load()
    if viewModel.isGone { throw AppError.database(.notFound) }
  }

  func page(_ tab: Tab) -> Page {
    frame.page(
      tab, say(.history), in: .charters, subtitle: viewModel.charter?.name,
      back: PageLink(
        viewModel.charter?.name ?? say(.charter), to: Address.charter(viewModel.charterID))
    ) {
      tab.region("decisions") {
        DecisionList(
          viewModel.decisions, say, explained: .charterHistoryExplained,
          empty: .noCharterHistoryText, error: viewModel.actionError, address: address, row: row)
      }
    }
  }

  private func row(_ decision: CharterDecision) -> DecisionList<CharterDecision>.Row {
    let thing = say(.subject(of: decision))
    // A row lays its parts out beside each other; this is one sentence.
    let sentence = span {
      strong { thing }
      " "
      say(.decision(decision, say, told: told))
    }
    let canUse = viewModel.canEdit && decision.isUsable
    return .init(
      sentence: sentence, subject: thing,
      use: canUse ? "\(thing) \(say(.value(decision.lost.value, say)))" : nil)
  }

  /// A time says enough of today.
  private func told(_ date: Date) -> LocalizedText {
    viewModel.isToday(date) ? .at(say.time(date)) : .on(say.dayAndTime(date))
  }
}

extension AnyfleetPages {
  func charterHistory(_ request: Request) async throws -> Response {
    let page = try charterHistoryPage(request)
    return try await tabs.open(request, page: page)
  }

  /// Uses what did not stay in place of what did.
  func useLostOfCharter(_ request: Request) async throws -> Response {
    guard let decision = try request.form["decision"].flatMap(UUID.init(uuidString:)) else {
      throw HTTPError(.badRequest, "The form has no field decision that is a UUID.")
    }
    let page = try charterHistoryPage(request)
    return try await tabs.act(request, at: request.path, page: page) { page in
      await page.viewModel.useLost(decision) ? .done : .invalid
    }
  }

  private func charterHistoryPage(
    _ request: Request
  ) throws -> @MainActor () -> CharterHistoryPage {
    let charterID: UUID = try request.parameter("charter")
    return {
      CharterHistoryPage(frame: frame, viewModel: dependencies.makeCharterHistory(charterID))
    }
  }
}
