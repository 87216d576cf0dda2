import Observation
import OffshoreSync

/// How syncing stands, in a word or two for every page.
public enum SyncIndicator: Hashable, Sendable {
  /// The device is signed out, or there is no server.
  case notSynced
  /// The server and this device have the same.
  case synced
  /// A request is under way.
  case syncing
  /// A number of changes is pending.
  case pending(Int)
  /// A number of changes was refused, and the user has to decide.
  case refused(Int)
  /// The server cannot be reached; with the number of pending changes.
  case offline(Int)
  /// The server fails; with the number of pending changes.
  case failed(Int)
  /// Syncing is switched off on this device; with the number of pending changes.
  case airplane(Int)
  /// The server does not accept the access token any more.
  case signInAgain
  /// The server accepts no app of this version.
  case updateApp

  /// Summarizes the state of syncing. Pending changes matter more than a request that is under way.
  init(
    _ connection: SyncService.Connection, _ status: SyncEngine.Status?, _ store: SyncedStore.Status
  ) {
    self =
      switch connection {
      case .noServer, .signedOut: .notSynced
      case .airplane: .airplane(store.pendingCount)
      case .offline: .offline(store.pendingCount)
      case .failed: .failed(store.pendingCount)
      case .expired: .signInAgain
      case .tooOld: .updateApp
      case .online where store.pendingCount > 0: .pending(store.pendingCount)
      case .online where store.refusedCount > 0: .refused(store.refusedCount)
      // Without its event stream this device may lack changes that the server has.
      case .online where status?.phase == .idle && status?.isListening == true: .synced
      case .online: .syncing
      }
  }

  /// Whether it changes by itself, mostly at once.
  fileprivate var isPassing: Bool {
    switch self {
    case .syncing, .pending: true
    default: false
    }
  }

  /// Whether it stays until something is done, so that a passing indicator replaces it only if that lasts.
  fileprivate var isQuiet: Bool {
    switch self {
    case .synced, .refused: true
    default: false
    }
  }
}

/// Shows how syncing stands without flickering: passing indicators are shown only if they last.
///
/// A change that is made online is pending for some milliseconds. Showing that would tell the user nothing,
/// and would update all open pages twice.
@MainActor @Observable
final class SteadyIndicator {
  /// The indicator to show.
  private(set) var shown = SyncIndicator.notSynced

  @ObservationIgnored private var latest = SyncIndicator.notSynced
  /// Ends when a passing indicator has lasted.
  @ObservationIgnored private(set) var delay: Task<Void, Never>?
  @ObservationIgnored private let patience: @Sendable () async throws -> Void

  /// - Parameter patience: suspends for as long as a passing indicator has to last.
  init(patience: @escaping @Sendable () async throws -> Void) { self.patience = patience }

  deinit { delay?.cancel() }

  /// Shows an indicator now, or later if it lasts.
  func update(to indicator: SyncIndicator) {
    latest = indicator
    guard indicator.isPassing, shown.isQuiet else {
      delay?.cancel()
      delay = nil
      return show(indicator)
    }
    delay =
      delay
      ?? Task { [weak self, patience] in
        try? await patience()
        if !Task.isCancelled { self?.endDelay() }
      }
  }

  private func endDelay() {
    delay = nil
    show(latest)
  }

  /// Observers are notified of differences only.
  private func show(_ indicator: SyncIndicator) {
    if shown != indicator { shown = indicator }
  }
}
