import Foundation
import OffshoreSync
import OffshoreWire

/// The requests about members and invitations, by the account that is signed in on this device.
///
/// Each request throws `AppError`. It is `network(.offline)` also if syncing is switched off.
@MainActor
struct MemberRequests {
  let sync: SyncService

  /// Whether there is a server.
  var hasServer: Bool { sync.accounts != nil }

  /// Fetches the members of a scope: the user first, then the others by name.
  func members(of scope: ScopeID) async throws -> [ScopeMember] {
    let members = try await send { try await $0.members(of: scope, token: $1) }
    let userID = sync.session.userID
    return members.sorted {
      ($0.id == userID ? 0 : 1, $0.name) < ($1.id == userID ? 0 : 1, $1.name)
    }
  }

  /// Fetches the names of the members, and stores them for the authors of conflicting values.
  func storeNames(of scope: ScopeID) async throws {
    try await ConflictMemory(of: sync.store).setNames(of: members(of: scope), in: scope)
  }

  /// Creates an invitation, whose code can be used by other accounts.
  func invite(
    to scope: ScopeID, as role: Role, uses: Int, days: Int, label: String?, title: String?
  ) async throws -> ScopeInvitation {
    try await send {
      try await $0.invite(
        to: scope, as: role, uses: uses, label: label, title: title,
        lifetime: .seconds(86_400 * days), token: $1)
    }
  }

  /// Fetches the preview of an invitation.
  func preview(of code: String) async throws -> InvitationPreview {
    try await send { try await $0.preview(code, token: $1) }
  }

  /// Fetches the invitations that are not accepted yet, in the order of their expiry.
  func invitations(to scope: ScopeID) async throws -> [OpenInvitation] {
    let invitations = try await send { try await $0.invitations(to: scope, token: $1) }
    return invitations.sorted { ($0.expires, $0.id) < ($1.expires, $1.id) }
  }

  /// Withdraws an invitation. Does nothing if it was accepted or has expired.
  func withdraw(_ invitation: OpenInvitation.ID, from scope: ScopeID) async throws {
    do {
      try await send { try await $0.withdraw(invitation, to: scope, token: $1) }
    } catch AppError.content(.notFound) {}
  }

  /// Accepts an invitation, and pulls its scope.
  func join(by code: String) async throws -> ScopeID {
    let scope = try await send { try await $0.accept(code, token: $1) }
    await sync.syncNow()
    return scope
  }

  private func send<Answer>(
    _ body: (AccountClient, String) async throws -> Answer
  ) async throws -> Answer {
    guard let accounts = sync.accounts else { throw AppError.network(.offline) }
    guard let token = sync.session.token else { throw AppError.auth(.notSignedIn) }
    do {
      return try await body(accounts, token)
    } catch {
      throw error.asAppError
    }
  }
}
