public import Foundation
public import Observation
public import OffshoreSync

/// The state of syncing, the pending changes and the refused ones, observed live.
@MainActor @Observable
public final class SyncModel {
  /// Why the latest request of the user was not fulfilled.
  public enum Problem: Equatable, Sendable {
    /// The change is being sent, or later changes build on it.
    case notCancelled
    /// The row of the change was deleted.
    case notRetried
    /// Anything else.
    case failed(AppError)
  }

  /// Why the latest request of the user was not fulfilled, if it was not.
  public private(set) var problem: Problem?

  private let sync: SyncService
  private let outgoing: OutgoingChanges
  private let livePending: Live<PendingChanges>
  private let liveRefused: Live<[RefusedItem]>

  /// Creates a model. Nothing is read before ``load()``.
  /// - Parameter kinds: the kinds of scopes whose values have labels.
  public init(_ sync: SyncService, kinds: [OpenConflicts.Kind] = []) {
    self.sync = sync
    let changes = sync.store.changes
    outgoing = changes
    livePending = Live { changes.pending() }
    let items = RefusedItems(in: sync.store, of: kinds)
    liveRefused = Live { items.values() }
  }

  /// Reads the changes, and follows them from then on.
  public func load() async {
    async let pending: Void = livePending.load()
    async let refused: Void = liveRefused.load()
    _ = await (pending, refused)
  }

  // MARK: - State

  /// Whether this device can sync, and what prevents it.
  public var connection: SyncService.Connection { sync.connection }
  /// Whether syncing is switched off on this device.
  public var isAirplane: Bool { sync.isAirplane }
  /// The name of the account that the device's rows belong to.
  public var accountName: String? { sync.session.account?.name }
  /// When the latest request succeeded.
  public var lastSuccess: Date? { sync.lastSuccess }
  /// Why the latest request failed, until one succeeds.
  public var lastError: AppError? { sync.lastError }
  /// When a failed request is sent again automatically.
  public var nextTry: Date? { sync.nextTry }
  /// The number of pending changes.
  public var pendingCount: Int { sync.storeStatus.pendingCount }
  /// The pending changes, the oldest first.
  public var pending: ViewState<PendingChanges> { livePending.state }
  /// The refused changes, the oldest first.
  public var refused: ViewState<[RefusedItem]> { liveRefused.state }
  /// Why the lists may be out of date, if they may.
  public var notices: [AppError] {
    [livePending.refreshError, liveRefused.refreshError].compactMap(\.self)
  }

  // MARK: - Requests of the user

  /// Syncs without delay.
  public func syncNow() async {
    problem = nil
    await sync.syncNow()
  }

  /// Switches syncing off or on.
  /// - Returns: whether it is switched; if not, ``problem`` says why.
  @discardableResult
  public func setAirplane(_ isOn: Bool) async -> Bool {
    await perform(.notRetried) {
      try await sync.setAirplane(isOn)
      return true
    }
  }

  /// Undoes a pending change.
  /// - Returns: whether it is undone; if not, ``problem`` says why.
  @discardableResult
  public func cancel(_ id: PendingChange.ID) async -> Bool {
    await perform(.notCancelled) { try await outgoing.cancel(id) }
  }

  /// Makes a refused change again.
  /// - Returns: whether it is pending now; if not, ``problem`` says why.
  @discardableResult
  public func retry(_ id: RefusedChange.ID) async -> Bool {
    await perform(.notRetried) { try await outgoing.retry(id) }
  }

  /// Brings back the thing of a refused change that another device deleted, with all refused changes of it.
  /// - Returns: whether it is back; if not, ``problem`` says why.
  @discardableResult
  public func bringBack(_ id: RefusedChange.ID) async -> Bool {
    let end = refused.data?.first { $0.id == id }?.change.end
    return await perform(.notRetried) {
      guard let end else { return false }
      return try await outgoing.bringBack(end.scope)
    }
  }

  /// Discards a refused change.
  /// - Returns: whether it is discarded; if not, ``problem`` says why.
  @discardableResult
  public func discard(_ id: RefusedChange.ID) async -> Bool {
    await perform(.notRetried) {
      try await outgoing.discard(id)
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
