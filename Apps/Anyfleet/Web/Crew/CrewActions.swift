import Anyfleet
import Foundation
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import OffshoreWeb

/// What is done on the page of those with access to a charter.
extension AnyfleetPages {
  func crew(_ request: Request) async throws -> Response {
    let id: UUID = try request.parameter("charter")
    return try await tabs.open(request) { crewPage(id) }
  }

  /// Makes a code. It is part of the answer and not of an address, since it shows once.
  func invite(_ request: Request) async throws -> Response {
    let role = try role(request, of: CharterRole.invited)
    return try await act(request) { await $0.invite(as: role) ? .drafted : .invalid }
  }

  func withdraw(_ request: Request) async throws -> Response {
    let invitation: String = try request.parameter("invitation")
    return try await act(request) { await $0.withdraw(invitation) ? .done : .invalid }
  }

  func setRole(_ request: Request) async throws -> Response {
    let member: UUID = try request.parameter("member")
    let role = try role(request, of: CharterRole.granted)
    return try await act(request) { await $0.setRole(role, of: member) ? .done : .invalid }
  }

  func removeMember(_ request: Request) async throws -> Response {
    let member: UUID = try request.parameter("member")
    return try await act(request) { await $0.remove(member) ? .done : .invalid }
  }

  /// Leaves the charter and goes to the copy that stays.
  func leaveCharter(_ request: Request) async throws -> Response {
    try await act(request) {
      await $0.leave() ? .go(to: Address.charter($0.charterID)) : .invalid
    }
  }

  private func act(
    _ request: Request, _ action: @MainActor (CrewViewModel) async -> Outcome
  ) async throws -> Response {
    let id: UUID = try request.parameter("charter")
    return try await tabs.act(request, at: Address.crew(id)) {
      crewPage(id)
    } action: { page in
      await action(page.viewModel)
    }
  }

  private func role(_ request: Request, of roles: [CharterRole]) throws -> CharterRole {
    guard let role = try request.form["role"].flatMap(CharterRole.init), roles.contains(role) else {
      throw HTTPError(.badRequest, "The form has no field role that is one of the roles.")
    }
    return role
  }

  @MainActor private func crewPage(_ id: UUID) -> CrewPage {
    CrewPage(shell: shell, viewModel: dependencies.makeCrew(id))
  }
}
