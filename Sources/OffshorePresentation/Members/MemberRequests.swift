import Foundation
import OffshoreSync
import OffshoreWire

/// Requests about members and invitations, for the account that is signed in on this device.
///
/// Every request throws `AppError`: `network(.offline)` also if syncing is switched off here.
@MainActor
struct MemberRequests {
  let sync: SyncService

  /// Whether there is a server.
  var hasServer: Bool { sync.accounts != nil }

  /// The members of a scope: the user first, then by name.
  func members(of scope: ScopeID) async throws -> [ScopeMember] {
    let members = try await send { try await $0.members(of: scope, token: $1) }
    let userID = sync.session.userID
    return members.sorted {
      ($0.id == userID ? 0 : 1, $0.name) < ($1.id == userID ? 0 : 1, $1.name)
    }
  }

  /// Requests the names of the members, and stores them for the authors of conflicting values.
  func storeNames(of scope: ScopeID) async throws {
    try await ConflictMemory(of: sync.store).setNames(of: members(of: scope), in: scope)
  }

  /// Gives a member another role.
  func setRole(_ role: Role, of member: UUID, in scope: ScopeID) async throws {
    try await send { try await $0.setRole(role, of: member, in: scope, token: $1) }
  }

  /// Ends a membership: the user's by leaving, another's by revoking it. The consequences are pulled.
  func remove(_ member: UUID, from scope: ScopeID) async throws {
    try await send { try await $0.remove(member, from: scope, token: $1) }
    await sync.syncNow()
  }

  /// Makes a code by which one other account becomes a member.
  func invite(to scope: ScopeID, as role: Role) async throws -> ScopeInvitation {
    try await send { try await $0.invite(to: scope, as: role, token: $1) }
  }

  /// The invitations that are not accepted yet, in the order in which they end.
  func invitations(to scope: ScopeID) async throws -> [OpenInvitation] {
    let invitations = try await send { try await $0.invitations(to: scope, token: $1) }
    return invitations.sorted { ($0.expires, $0.id) < ($1.expires, $1.id) }
  }

  /// Withdraws an invitation. One that was accepted or has ended needs no withdrawal.
  func withdraw(_ invitation: OpenInvitation.ID, from scope: ScopeID) async throws {
    do {
      try await send { try await $0.withdraw(invitation, to: scope, token: $1) }
    } catch AppError.content(.notFound) {}
  }

  /// Accepts an invitation, whose scope is pulled then.
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
