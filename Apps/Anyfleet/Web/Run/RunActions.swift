import Anyfleet
import Foundation
import OffshoreHTTP
import OffshorePresentation
import OffshoreWeb

/// Answers for running a checklist; each once what was asked for is on disk.
extension AnyfleetPages {
  /// How many bytes note and issue of an item may have, encoded for a form, twice.
  static let remarksLimit = 128 * 1024

  func run(_ request: Request) async throws -> Response {
    let address = try runAddress(request)
    return try await tabs.open(request) { runPage(address) }
  }

  /// Checks an item, or takes the check back.
  func tick(_ request: Request) async throws -> Response {
    guard let isOn = try request.form["isOn"].flatMap(Bool.init) else {
      throw HTTPError(.badRequest, "The form has no field isOn that is true or false.")
    }
    return try await change(request) { viewModel, item in
      viewModel.setItem(item, isChecked: isOn)
      await viewModel.settled()
      return viewModel.saveErrors[item] == nil ? .done : .invalid
    }
  }

  /// Keeps note and issue of an item.
  func remark(_ request: Request) async throws -> Response {
    let form = try request.form
    let remarks = ItemRemarks(note: form.text("note"), issue: try form.issue("issue"))
    let before = ItemRemarks(note: form.text("noteBefore"), issue: try form.issue("issueBefore"))
    return try await change(request) { viewModel, item in
      viewModel.setRemarks(item, to: remarks, from: before)
      await viewModel.settled()
      let isKept = viewModel.noteErrors[item] == nil && viewModel.issueErrors[item] == nil
      return isKept ? .done : .invalid
    }
  }

  /// Finishes and goes to the charter, or asks whether to.
  func finish(_ request: Request) async throws -> Response {
    let isConfirmed = try request.form["isConfirmed"] == "true"
    return try await act(request) { viewModel in
      if isConfirmed { await viewModel.confirmFinish() } else { await viewModel.finish() }
      return viewModel.isFinished ? .go(to: Address.charter(viewModel.charterID)) : .drafted
    }
  }

  /// Forgets all ticks and notes, or asks whether to.
  func reset(_ request: Request) async throws -> Response {
    let isConfirmed = try request.form["isConfirmed"] == "true"
    return try await act(request) { viewModel in
      guard isConfirmed else {
        viewModel.reset()
        return .drafted
      }
      await viewModel.confirmReset()
      return viewModel.resetError == nil ? .done : .invalid
    }
  }

  /// Puts back what was forgotten.
  func undoReset(_ request: Request) async throws -> Response {
    try await act(request) { viewModel in
      await viewModel.undoReset()
      return viewModel.resetError == nil ? .done : .invalid
    }
  }

  /// Takes the offer to undo away.
  func dismissUndo(_ request: Request) async throws -> Response {
    try await act(request) { viewModel in
      viewModel.dismissUndo()
      return .done
    }
  }
}

// MARK: - Parts

extension AnyfleetPages {
  /// Changes an item of the checklist.
  private func change(
    _ request: Request,
    _ body: @MainActor (ChecklistExecutionViewModel, UUID) async throws -> Outcome
  ) async throws -> Response {
    let item: UUID = try request.parameter("item")
    return try await act(request) { viewModel in
      guard viewModel.checklist?.itemIDs.contains(item) == true else {
        throw AppError.database(.notFound)
      }
      return try await body(viewModel, item)
    }
  }

  /// Does something with a checklist that has loaded.
  private func act(
    _ request: Request, _ body: @MainActor (ChecklistExecutionViewModel) async throws -> Outcome
  ) async throws -> Response {
    let address = try runAddress(request)
    return try await tabs.act(request, at: address.page) {
      runPage(address)
    } action: { page in
      if let error = page.viewModel.loadError { throw error }
      return try await body(page.viewModel)
    }
  }

  private func runAddress(_ request: Request) throws -> RunAddress {
    RunAddress(
      charterID: try request.parameter("charter"), checklistID: try request.parameter("checklist"))
  }

  @MainActor private func runPage(_ address: RunAddress) -> RunPage {
    RunPage(
      frame: frame,
      viewModel: dependencies.makeChecklistExecution(
        charterID: address.charterID, checklistID: address.checklistID))
  }
}

extension Fields {
  /// A text of several lines. Forms send line ends as two characters, where the script sends one.
  fileprivate func text(_ name: String) -> String? {
    self[name]?.replacing("\r\n", with: "\n")
  }

  /// What was found; none where the field is empty or missing.
  fileprivate func issue(_ name: String) throws -> ChecklistItemIssue? {
    guard let value = self[name], !value.isEmpty else { return nil }
    guard let issue = ChecklistItemIssue(rawValue: value) else {
      throw HTTPError(.badRequest, "The form's field \(name) is none of the conditions.")
    }
    return issue
  }
}
