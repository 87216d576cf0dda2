import Anyfleet
import Foundation
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import OffshoreSync
import OffshoreWeb

/// What is done on the page of a charter.
extension AnyfleetPages {
  func charter(_ request: Request) async throws -> Response {
    let id: UUID = try request.parameter("charter")
    return try await tabs.open(request) { charterPage(id) }
  }

  /// Answers with a page of a charter, or says how the charter came to go where that is known, or that it
  /// is on its way here.
  @MainActor func explainingEnd(_ request: Request, _ page: Handler) async throws -> Response {
    do {
      return try await page(request)
    } catch let error as AppError
      where error == .database(.notFound) || error == .content(.notFound)
    {
      guard let (page, status) = try await missingPage(request.parameter("charter")) else {
        throw error
      }
      var response = try await open(page, request)
      response.status = status
      return response
    }
  }

  @MainActor private func open(_ page: some LivePage, _ request: Request) async throws -> Response {
    try await tabs.open(request) { page }
  }

  /// The page that says how a charter came to go, or that it is on its way here; `nil` if nothing is known
  /// of it.
  @MainActor func missingPage(
    _ id: UUID
  ) async throws -> (page: any RoutedPage, status: Response.Status)? {
    if let end = try await dependencies.end(ofCharter: id) {
      return (CharterGonePage(frame: frame, end: end), .notFound)
    }
    let arriving = dependencies.makeArrivingCharter(id)
    return await arriving.find() ? (arrivingPage(id, arriving), .ok) : nil
  }

  /// Deletes a charter and goes to the list; also where it is gone already, as after a second press.
  func deleteCharter(_ request: Request) async throws -> Response {
    do {
      return try await act(request) { await $0.delete() ? .go(to: Address.charters) : .invalid }
    } catch AppError.database(.notFound) {
      return .redirect(to: Address.charters)
    }
  }

  /// Takes away the copy of a charter that one has left, and goes to the list.
  func removeCopy(_ request: Request) async throws -> Response {
    do {
      return try await act(request) { await $0.removeCopy() ? .go(to: Address.charters) : .invalid }
    } catch AppError.database(.notFound) {
      return .redirect(to: Address.charters)
    }
  }

  func activateCharter(_ request: Request) async throws -> Response {
    let isOn = try isOn(request)
    return try await act(request) { await $0.setActive(isOn) ? .done : .invalid }
  }

  func archiveCharter(_ request: Request) async throws -> Response {
    let isOn = try isOn(request)
    return try await act(request) { await $0.setArchived(isOn) ? .done : .invalid }
  }

  // MARK: - Checklists

  func assignChecklists(_ request: Request) async throws -> Response {
    let chosen = ChecklistChoice.chosen(try request.form)
    return try await act(request) { await $0.assign(chosen) ? .done : .invalid }
  }

  func unassignChecklist(_ request: Request) async throws -> Response {
    let checklist: UUID = try request.parameter("checklist")
    return try await act(request) { await $0.unassign(checklist) ? .done : .invalid }
  }

  func moveChecklist(_ request: Request) async throws -> Response {
    let checklist: UUID = try request.parameter("checklist")
    guard let place = try request.form["place"].flatMap({ Int($0) }) else {
      throw HTTPError(.badRequest, "The form has no field place that is a number.")
    }
    return try await act(request) { await $0.move(checklist, to: place) ? .done : .invalid }
  }

  func resetChecklist(_ request: Request) async throws -> Response {
    let checklist: UUID = try request.parameter("checklist")
    return try await act(request) { await $0.resetChecklist(checklist) ? .done : .invalid }
  }

  func restoreProgress(_ request: Request) async throws -> Response {
    let checklist: UUID = try request.parameter("checklist")
    return try await act(request) { await $0.undoReset(checklist) ? .done : .invalid }
  }

  /// Says whether the boat is taken over by a checklist.
  func chooseCheckIn(_ request: Request) async throws -> Response {
    let checklist: UUID = try request.parameter("checklist")
    let isOn = try isOn(request)
    return try await act(request) {
      await $0.setCheckIn(isOn, checklistID: checklist) ? .done : .invalid
    }
  }

  func dismissReset(_ request: Request) async throws -> Response {
    let checklist: UUID = try request.parameter("checklist")
    return try await act(request) { viewModel in
      viewModel.dismissUndo(of: checklist)
      return .done
    }
  }

  // MARK: - What they share

  private func act(
    _ request: Request, _ action: @MainActor (CharterDetailViewModel) async -> Outcome
  ) async throws -> Response {
    let id: UUID = try request.parameter("charter")
    return try await tabs.act(request, at: Address.charter(id)) {
      charterPage(id)
    } action: { page in
      await action(page.viewModel)
    }
  }

  private func isOn(_ request: Request) throws -> Bool {
    guard let isOn = try request.form["isOn"].flatMap({ Bool($0) }) else {
      throw HTTPError(.badRequest, "The form has no field isOn that is true or false.")
    }
    return isOn
  }

  @MainActor private func charterPage(_ id: UUID) -> CharterDetailPage {
    CharterDetailPage(frame: frame, viewModel: dependencies.makeCharterDetail(id))
  }
}
