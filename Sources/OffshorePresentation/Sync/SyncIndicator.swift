import Observation
import OffshoreSync

/// The state of syncing in brief, for every page.
public enum SyncIndicator: Hashable, Sendable {
  /// The device is signed out, or there is no server.
  case notSynced
  /// All changes are sent, and the server's changes arrive at once.
  case synced
  /// A request is under way.
  case syncing
  /// The server is reachable, but its event stream is not open: changes of other devices arrive
  /// late.
  case connecting
  /// Some changes are pending, or files are to be sent; the value is their number.
  case pending(Int)
  /// Some changes are pending, all in scopes in which the account has no role yet; the value is their
  /// number.
  case waitingForGrant(Int)
  /// Some changes were refused, and the user has to decide; the value is their number.
  case refused(Int)
  /// The server cannot be reached; the value is the number of pending changes.
  case offline(Int)
  /// The server answers with errors; the value is the number of pending changes.
  case failed(Int)
  /// Syncing is switched off on this device; the value is the number of pending changes.
  case airplane(Int)
  /// The server has rejected the access token.
  case signInAgain
  /// The server does not accept this version of the app.
  case updateApp

  /// Summarizes the state of syncing. Pending changes have priority over a request under way.
  init(
    _ connection: SyncService.Connection, _ status: SyncEngine.Status?, _ store: SyncedStore.Status
  ) {
    self =
      switch connection {
      case .noServer, .signedOut: .notSynced
      case .airplane: .airplane(store.unsentCount)
      case .offline: .offline(store.unsentCount)
      case .failed: .failed(store.unsentCount)
      case .expired: .signInAgain
      case .tooOld: .updateApp
      case .online where store.waitsForGrant: .waitingForGrant(store.pendingCount)
      case .online where store.unsentCount > 0: .pending(store.unsentCount)
      case .online where store.refusedCount > 0: .refused(store.refusedCount)
      case .online where status?.phase.isAtRest != true: .syncing
      case .online: status?.isListening == true ? .synced : .connecting
      }
  }

  /// Whether the state is transient: it usually changes without user action within milliseconds.
  fileprivate var isTransient: Bool {
    switch self {
    case .syncing, .connecting, .pending: true
    default: false
    }
  }

  /// Whether the state means that no request is due. A transient state replaces it only if it
  /// lasts.
  fileprivate var isSettled: Bool {
    switch self {
    case .synced, .refused, .waitingForGrant: true
    default: false
    }
  }
}

/// The state of syncing without flicker: transient states are shown only if they last.
///
/// A change that is made online is pending for some milliseconds. Showing that would be useless to
/// the user, and would update all open pages twice.
@MainActor @Observable
final class DebouncedIndicator {
  /// The indicator to show.
  private(set) var shown = SyncIndicator.notSynced

  @ObservationIgnored private var latest = SyncIndicator.notSynced
  /// The task that waits until a transient state has lasted long enough.
  @ObservationIgnored private(set) var delay: Task<Void, Never>?
  @ObservationIgnored private let wait: @Sendable () async throws -> Void

  /// Creates an indicator.
  /// - Parameter wait: suspends for the time that a transient state must last.
  init(wait: @escaping @Sendable () async throws -> Void) { self.wait = wait }

  deinit { delay?.cancel() }

  /// Shows a state at once, or a transient one later if it lasts.
  func update(to indicator: SyncIndicator) {
    latest = indicator
    guard indicator.isTransient, shown.isSettled else {
      delay?.cancel()
      delay = nil
      return show(indicator)
    }
    delay =
      delay
      ?? Task { [weak self, wait] in
        try? await wait()
        if !Task.isCancelled { self?.endDelay() }
      }
  }

  private func endDelay() {
    delay = nil
    show(latest)
  }

  /// Sets the state only if it differs, so that observers are not notified without a change.
  private func show(_ indicator: SyncIndicator) {
    if shown != indicator { shown = indicator }
  }
}
