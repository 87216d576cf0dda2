public import Foundation
public import Observation
public import OffshorePresentation
import OffshoreSync

/// How syncing stands, what waits, and what was set aside, observed live.
@MainActor @Observable
public final class SyncViewModel {
  /// Why the last thing that was asked for did not happen.
  public enum Problem: Equatable, Sendable {
    /// The change is on its way by now, or others build on it.
    case notCancelled
    /// What the change is of is not there any more.
    case notRetried
    /// Anything else.
    case failed(AppError)
  }

  /// Why the last thing that was asked for did not happen, where it did not.
  public private(set) var problem: Problem?

  private let session: Session
  private let sync: SyncService
  private let repository: any UnsentChangeRepository
  private let unsent: Live<UnsentChanges>
  private let setAside: Live<[RefusedChange]>

  /// Takes what the screen needs. Nothing is read before ``load()``.
  public init(session: Session, sync: SyncService, repository: any UnsentChangeRepository) {
    self.session = session
    self.sync = sync
    self.repository = repository
    unsent = Live { repository.unsentChanges() }
    setAside = Live { repository.refusedChanges() }
  }

  /// Reads what waits and what was set aside, and follows both from then on.
  public func load() async {
    async let unsent: Void = unsent.load()
    async let setAside: Void = setAside.load()
    _ = await (unsent, setAside)
  }

  // MARK: - How it stands

  /// Whether this device can sync, and what keeps it from it.
  public var connection: SyncService.Connection { sync.connection }
  /// Whether syncing is switched off here.
  public var isAirplane: Bool { sync.isAirplane }
  /// What the account is called that the device's data belongs to.
  public var accountName: String? { session.account?.name }
  /// When the server last answered as it should.
  public var lastSuccess: Date? { sync.lastSuccess }
  /// Why the last request came to nothing, until one succeeds.
  public var lastError: AppError? { sync.lastError }
  /// When a request that failed is sent again by itself.
  public var nextTry: Date? { sync.nextTry }
  /// How many changes wait.
  public var waitingCount: Int { sync.outstanding.waiting }
  /// What waits, the oldest first.
  public var changes: ViewState<UnsentChanges> { unsent.state }
  /// What was set aside, the oldest first.
  public var refused: ViewState<[RefusedChange]> { setAside.state }
  /// Why what shows may be out of date, where it may.
  public var notices: [AppError] {
    [unsent.refreshError, setAside.refreshError].compactMap(\.self)
  }

  // MARK: - What is asked for

  /// Syncs without delay.
  public func syncNow() async {
    problem = nil
    await sync.syncNow()
  }

  /// Switches syncing off or on here.
  /// - Returns: whether it is so now; if not, ``problem`` says why.
  @discardableResult
  public func setAirplane(_ isOn: Bool) async -> Bool {
    await perform(.notRetried) {
      try await sync.setAirplane(isOn)
      return true
    }
  }

  /// Undoes a change that waits.
  /// - Returns: whether it was undone; if not, ``problem`` says why.
  @discardableResult
  public func cancel(_ id: UnsentChange.ID) async -> Bool {
    await perform(.notCancelled) { try await repository.cancelUnsentChange(id) }
  }

  /// Makes a change that was set aside once more.
  /// - Returns: whether it waits to be sent now; if not, ``problem`` says why.
  @discardableResult
  public func retry(_ id: RefusedChange.ID) async -> Bool {
    await perform(.notRetried) { try await repository.retryRefusedChange(id) }
  }

  /// Forgets a change that was set aside.
  /// - Returns: whether it is forgotten; if not, ``problem`` says why.
  @discardableResult
  public func discard(_ id: RefusedChange.ID) async -> Bool {
    await perform(.notRetried) {
      try await repository.discardRefusedChange(id)
      return true
    }
  }

  private func perform(_ refusal: Problem, _ action: () async throws -> Bool) async -> Bool {
    problem = nil
    do {
      if try await action() { return true }
      problem = refusal
    } catch {
      problem = .failed(AppError(saving: error))
    }
    return false
  }
}
