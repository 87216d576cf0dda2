import Foundation
public import Observation
public import OffshorePresentation

/// What the account of this device may do with charters, observed live and once for all screens.
@MainActor
final class CharterRoles {
  let repository: any CharterAccessRepository
  let live: Live<[UUID: CharterRole]>

  init(_ repository: any CharterAccessRepository) {
    self.repository = repository
    live = Live { repository.roles() }
  }

  /// Reads the roles as they are now, and follows them from then on.
  func load() async { await live.restart() }
}

/// What the account of this device may do with one charter.
@MainActor @Observable
public final class CharterAccess {
  private let roles: CharterRoles
  private let charterID: UUID

  init(_ roles: CharterRoles, charterID: UUID) {
    self.roles = roles
    self.charterID = charterID
  }

  /// What the account may do; none where no server has said anything, or before ``load()``.
  public var role: CharterRole? { roles.live.state.data?[charterID] }

  /// Whether the charter may be changed here: also where no server has said anything, but not where it
  /// is not known what it has said.
  public var canEdit: Bool { role?.canEdit ?? (roles.live.state.errorValue == nil) }

  /// Why the role is not known or may be out of date, where that is so.
  public var error: AppError? { roles.live.state.errorValue ?? roles.live.refreshError }

  /// Reads the role, and follows it from then on.
  public func load() async { await roles.load() }

  /// Takes the copy away that stayed of a charter which the account has left.
  /// - Throws: ``RepositoryError``: `notFound` where there is none.
  func removeCopy() async throws { try await roles.repository.removeCopy(ofCharter: charterID) }
}
