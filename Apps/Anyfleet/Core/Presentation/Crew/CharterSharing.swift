import Foundation
import OffshorePresentation
import OffshoreSync
import OffshoreWire

/// Asks the server who takes part in charters, for who is signed in on this device.
///
/// Every call throws `AppError`: `network(.offline)` also where syncing is switched off here.
@MainActor
struct CharterSharing {
  let session: Session
  let sync: SyncService
  let accounts: AccountClient?
  /// Waits for a time.
  let sleep: @Sendable (Duration) async throws -> Void

  /// Whether there is a server to ask.
  var hasServer: Bool { accounts != nil }

  /// Those with access to a charter: who is asking first, then by name.
  func members(of charterID: UUID) async throws -> [CharterMember] {
    let scope = try AppSchema.scope(ofCharter: charterID)
    let members = try await ask { try await $0.members(of: scope, token: $1) }
    let userID = session.userID
    return members.map { CharterMember(id: $0.id, name: $0.name, role: CharterRole($0.role)) }
      .sorted { ($0.id == userID ? 0 : 1, $0.name) < ($1.id == userID ? 0 : 1, $1.name) }
  }

  /// Gives somebody another role.
  func setRole(_ role: CharterRole, of member: UUID, in charterID: UUID) async throws {
    let (scope, role) = (try AppSchema.scope(ofCharter: charterID), try role.ofMember)
    try await ask { try await $0.setRole(role, of: member, in: scope, token: $1) }
  }

  /// Ends that somebody takes part; one's own part by leaving. What the server says of that is pulled.
  func remove(_ member: UUID, from charterID: UUID) async throws {
    let scope = try AppSchema.scope(ofCharter: charterID)
    try await ask { try await $0.remove(member, from: scope, token: $1) }
    await sync.syncNow()
  }

  /// Makes a code that lets one other person take part.
  func invite(to charterID: UUID, as role: CharterRole) async throws -> CharterInvitation {
    let (scope, memberRole) = (try AppSchema.scope(ofCharter: charterID), try role.ofMember)
    let made = try await ask { try await $0.invite(to: scope, as: memberRole, token: $1) }
    return CharterInvitation(
      code: made.code, role: CharterRole(made.role),
      expires: Date(milliseconds: made.expires))
  }

  /// The invitations that nobody has accepted yet, those first that end first.
  func invitations(to charterID: UUID) async throws -> [PendingInvitation] {
    let scope = try AppSchema.scope(ofCharter: charterID)
    let invitations = try await ask { try await $0.invitations(to: scope, token: $1) }
    return invitations.map {
      PendingInvitation(
        id: $0.id, role: CharterRole($0.role), expires: Date(milliseconds: $0.expires))
    }.sorted { ($0.expires, $0.id) < ($1.expires, $1.id) }
  }

  /// Takes an invitation back. One that was used or has ended is nothing to take back.
  func withdraw(_ invitation: PendingInvitation.ID, from charterID: UUID) async throws {
    let scope = try AppSchema.scope(ofCharter: charterID)
    do {
      try await ask { try await $0.withdraw(invitation, to: scope, token: $1) }
    } catch AppError.content(.notFound) {}
  }

  /// Takes part in the charter that a code is for, which is pulled then.
  /// - Returns: the charter's id.
  func join(by code: String) async throws -> UUID {
    let scope = try await ask { try await $0.accept(code, token: $1) }
    guard scope.kind == AppSchema.charterKind, let id = UUID(uuidString: scope.value) else {
      throw AppError.auth(.invalidInvitation)
    }
    await sync.syncNow()
    return id
  }

  private func ask<Answer>(
    _ body: (AccountClient, String) async throws -> Answer
  ) async throws -> Answer {
    guard let accounts else { throw AppError.network(.offline) }
    guard let token = session.token else { throw AppError.auth(.notSignedIn) }
    do {
      return try await body(accounts, token)
    } catch {
      throw error.asAppError
    }
  }
}

extension CharterRole {
  init(_ role: ScopeMember.Role) {
    self =
      switch role {
      case .owner: .owner
      case .editor: .editor
      case .viewer: .viewer
      }
  }

  /// The role as the server is told it.
  fileprivate var ofMember: ScopeMember.Role {
    get throws {
      switch self {
      case .owner: .owner
      case .editor: .editor
      case .viewer: .viewer
      case .left, .revoked: throw AppError.auth(.forbidden)
      }
    }
  }
}
