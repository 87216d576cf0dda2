import Anyfleet
import OffshoreHTTP
import OffshorePresentation
import OffshoreWeb

/// What is done on the page of the account.
extension AnyfleetPages {
  private static let changed = "password-changed"

  func account(_ request: Request) async throws -> Response {
    let (isNew, isChanged) = (isNew(request), request.query[Self.changed] != nil)
    return try await tabs.open(request) { accountPage(isNew, isPasswordChanged: isChanged) }
  }

  func signUp(_ request: Request) async throws -> Response {
    let form = try request.form
    return try await act(request, isNew: true) {
      await $0.signUp(name: form["name"] ?? "", password: form["password"] ?? "")
    }
  }

  func signIn(_ request: Request) async throws -> Response {
    let form = try request.form
    return try await act(request) {
      await $0.signIn(name: form["name"] ?? "", password: form["password"] ?? "")
    }
  }

  func signOut(_ request: Request) async throws -> Response {
    try await act(request) { await $0.signOut() }
  }

  /// Changes the password, and goes to a page that says so.
  func changePassword(_ request: Request) async throws -> Response {
    let form = try request.form
    return try await act(request, next: "\(Address.account)?\(Self.changed)=true") {
      await $0.changePassword(from: form["password"] ?? "", to: form["newPassword"] ?? "")
    }
  }

  // MARK: - What they share

  private func isNew(_ request: Request) -> Bool { request.query["new"] == "true" }

  /// - Parameter next: where the reader goes on when it is done.
  private func act(
    _ request: Request, isNew: Bool = false, next: String = Address.account,
    _ action: @MainActor (AccountModel) async -> Bool
  ) async throws -> Response {
    try await tabs.act(request, at: isNew ? Address.newAccount : Address.account) {
      accountPage(isNew)
    } action: { page in
      await action(page.viewModel) ? .go(to: next) : .invalid
    }
  }

  @MainActor private func accountPage(
    _ isNew: Bool, isPasswordChanged: Bool = false
  ) -> AccountPage {
    AccountPage(
      shell: shell, viewModel: dependencies.makeAccount(), isNew: isNew,
      isPasswordChanged: isPasswordChanged)
  }
}
