public import Foundation
public import Observation
public import OffshoreSync

/// The model of a page with the state of syncing, the pending changes and the refused changes,
/// observed live.
@MainActor @Observable
public final class SyncModel {
  /// The reason why the latest request by the user failed.
  public enum Problem: Equatable, Sendable {
    /// The change is being sent already, or later changes build on it.
    case notCancelled
    /// The row of the change was deleted.
    case notRetried
    /// Another error.
    case failed(AppError)
  }

  /// The reason why the latest request by the user failed, or `nil`.
  public private(set) var problem: Problem?

  private let sync: SyncService
  private let outgoing: OutgoingChanges
  private let livePending: Live<PendingChanges>
  private let liveRefused: Live<[RefusedItem]>

  /// Creates a model. Nothing is read before ``load()``.
  /// - Parameter kinds: the kinds of scopes with the labels of their values.
  public init(_ sync: SyncService, kinds: [OpenConflicts.Kind] = []) {
    self.sync = sync
    let changes = sync.store.changes
    outgoing = changes
    livePending = Live { changes.pending() }
    let items = RefusedItems(in: sync.store, of: kinds)
    liveRefused = Live { items.values() }
  }

  /// Reads the changes, and observes them from then on.
  public func load() async {
    async let pending: Void = livePending.load()
    async let refused: Void = liveRefused.load()
    _ = await (pending, refused)
  }

  // MARK: - State

  /// The connection to the server, or the reason why the device cannot sync.
  public var connection: SyncService.Connection { sync.connection }
  /// Whether airplane mode is on: syncing is switched off on this device.
  public var isAirplane: Bool { sync.isAirplane }
  /// The name of the account that owns the device's rows.
  public var accountName: String? { sync.session.account?.name }
  /// The time of the latest successful request.
  public var lastSuccess: Date? { sync.lastSuccess }
  /// The error of the latest request, until one succeeds.
  public var lastError: AppError? { sync.lastError }
  /// The time of the next automatic retry of a failed request.
  public var nextRetry: Date? { sync.nextRetry }
  /// The number of pending changes, and of rows whose files were not sent.
  public var pendingCount: Int { sync.storeStatus.unsentCount }
  /// The pending changes, the oldest first.
  public var pending: ViewState<PendingChanges> { livePending.state }
  /// The refused changes, the oldest first.
  public var refused: ViewState<[RefusedItem]> { liveRefused.state }
  /// The errors of failed refreshes, after which the lists may be out of date.
  public var notices: [AppError] {
    [livePending.refreshError, liveRefused.refreshError].compactMap(\.self)
  }

  // MARK: - Requests by the user

  /// Syncs without delay.
  public func syncNow() async {
    problem = nil
    await sync.syncNow()
  }

  /// Switches airplane mode on or off.
  /// - Returns: `false` if it failed, with the reason in ``problem``.
  @discardableResult
  public func setAirplane(_ isOn: Bool) async -> Bool {
    await perform(.notRetried) {
      try await sync.setAirplane(isOn)
      return true
    }
  }

  /// Cancels a pending change, which undoes it.
  /// - Returns: `false` if it failed, with the reason in ``problem``.
  @discardableResult
  public func cancel(_ id: PendingChange.ID) async -> Bool {
    await perform(.notCancelled) { try await outgoing.cancel(id) }
  }

  /// Sends a change again without delay that the server has refused.
  /// - Returns: `false` if it failed, with the reason in ``problem``.
  @discardableResult
  public func sendAgain(_ id: PendingChange.ID) async -> Bool {
    await perform(.notRetried) {
      try await outgoing.sendAgain(id)
      return true
    }
  }

  /// Retries a refused change.
  /// - Returns: `false` if it is not pending now, with the reason in ``problem``.
  @discardableResult
  public func retry(_ id: RefusedChange.ID) async -> Bool {
    await perform(.notRetried) { try await outgoing.retry(id) }
  }

  /// Restores the deleted scope of a refused change, and retries all its refused changes.
  /// - Returns: `false` if it failed, with the reason in ``problem``.
  @discardableResult
  public func restoreScope(ofChange id: RefusedChange.ID) async -> Bool {
    let end = refused.data?.first { $0.id == id }?.change.end
    return await perform(.notRetried) {
      guard let end else { return false }
      return try await outgoing.restore(end.scope)
    }
  }

  /// Discards a refused change.
  /// - Returns: `false` if it failed, with the reason in ``problem``.
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
