import Anyfleet
import OffshoreHTTP
import OffshorePresentation
import OffshoreWeb

/// What is done on the page of syncing.
extension AnyfleetPages {
  func sync(_ request: Request) async throws -> Response {
    try await tabs.open(request) { syncPage }
  }

  func syncNow(_ request: Request) async throws -> Response {
    try await act(request) {
      await $0.syncNow()
      return true
    }
  }

  /// Switches syncing to the state that is wanted, so that pressing twice asks for the same twice.
  func setAirplane(_ request: Request) async throws -> Response {
    guard let isOn = try request.form["isOn"].flatMap(Bool.init) else {
      throw HTTPError(.badRequest, "The form has no field isOn that is true or false.")
    }
    return try await act(request) { await $0.setAirplane(isOn) }
  }

  func cancelChange(_ request: Request) async throws -> Response {
    let id: String = try request.parameter("change")
    return try await act(request) { await $0.cancel(id) }
  }

  func retryChange(_ request: Request) async throws -> Response {
    let id: Int = try request.parameter("change")
    return try await act(request) { await $0.retry(Int64(id)) }
  }

  func discardChange(_ request: Request) async throws -> Response {
    let id: Int = try request.parameter("change")
    return try await act(request) { await $0.discard(Int64(id)) }
  }

  // MARK: - What they share

  private func act(
    _ request: Request, _ action: @MainActor (SyncModel) async -> Bool
  ) async throws -> Response {
    try await tabs.act(request, at: Address.sync) {
      syncPage
    } action: { page in
      await action(page.viewModel) ? .done : .invalid
    }
  }

  @MainActor private var syncPage: SyncPage {
    SyncPage(shell: shell, viewModel: dependencies.makeSync())
  }
}
