import Foundation
public import Observation
public import OffshorePresentation

/// What the account of this device may do with a charter, observed live.
@MainActor @Observable
public final class CharterAccess {
  private let live: Live<CharterRole?>

  init(_ repository: any CharterAccessRepository, charterID: UUID) {
    live = Live { repository.role(inCharter: charterID) }
  }

  /// What the account may do; none where no server has said anything, or before ``load()``.
  public var role: CharterRole? { live.state.data.flatMap(\.self) }

  /// Whether the charter may be changed here: also where no server has said anything.
  public var canEdit: Bool { role?.canEdit ?? true }

  /// Why the role may be out of date, where it may.
  public var error: AppError? { live.state.errorValue ?? live.refreshError }

  /// Reads the role, and follows it from then on.
  public func load() async { await live.load() }
}
