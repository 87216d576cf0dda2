import Observation

/// What every screen says about syncing, in a word or two.
public enum SyncIndicator: Hashable, Sendable {
  /// Nobody is signed in, or there is no server.
  case notSynced
  /// The server has everything, and so has this device.
  case synced
  /// A request is under way.
  case syncing
  /// So many changes wait.
  case waiting(Int)
  /// So many changes were set aside, and somebody has to decide.
  case refused(Int)
  /// The server is out of reach, and so many changes wait.
  case offline(Int)
  /// The server does not answer as it should, and so many changes wait.
  case failed(Int)
  /// Syncing was switched off here, and so many changes wait.
  case airplane(Int)
  /// The server does not let this device in any more.
  case signInAgain
  /// The server takes no app of this version.
  case updateApp

  /// Whether it is going to pass by itself, mostly at once.
  var isPassing: Bool {
    switch self {
    case .syncing, .waiting: true
    default: false
    }
  }

  /// Whether it stays until something is done, so that what passes over it shows only where it lasts.
  var isQuiet: Bool {
    switch self {
    case .synced, .refused: true
    default: false
    }
  }
}

/// Shows how syncing goes without a flicker: what passes by itself shows only where it lasts.
///
/// A change that is made online waits for some milliseconds. Saying so would tell nobody anything, and
/// would change all open pages twice.
@MainActor @Observable
final class SteadyIndicator {
  /// What to show.
  private(set) var shown = SyncIndicator.notSynced

  @ObservationIgnored private var latest = SyncIndicator.notSynced
  /// Ends when what passes has lasted.
  @ObservationIgnored private(set) var delay: Task<Void, Never>?
  @ObservationIgnored private let patience: @Sendable () async throws -> Void

  /// - Parameter patience: returns when something has lasted.
  init(patience: @escaping @Sendable () async throws -> Void) { self.patience = patience }

  deinit { delay?.cancel() }

  /// Takes how things are now.
  func take(_ indicator: SyncIndicator) {
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

  /// Whoever follows it is told of what is another alone.
  private func show(_ indicator: SyncIndicator) {
    if shown != indicator { shown = indicator }
  }
}
