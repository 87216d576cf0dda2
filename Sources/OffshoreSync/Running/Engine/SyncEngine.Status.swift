extension SyncEngine {
  /// The status of syncing, for the user. The pending changes are in the ``Outbox``.
  ///
  /// Times are in milliseconds since 1970, by the device's clock.
  public struct Status: Hashable, Sendable {
    /// The current phase.
    public let phase: Phase
    /// Whether the event stream is open, so that changes of other devices arrive at once. Otherwise
    /// they arrive with the next pull.
    public let isListening: Bool
    /// The time at which a request, or a refused change, is sent again by itself, or `nil` if none is
    /// delayed.
    public let nextRetry: Int64?
    /// The latest failure, until the failed request succeeds, or the reason why a scope cannot be
    /// read while the others are synced.
    public let lastError: Failure?
    /// The time of the last successful answer of the server.
    public let lastSuccess: Int64?
    /// The number of rows that pulls have changed on this device since the engine was made.
    public let receivedCount: Int
    /// A number that grows when memberships may have changed: with each hint about members, and
    /// when the event stream opens.
    public let membershipChanges: UInt64
  }

  /// A phase of syncing. If several apply, it is the first of them in this
  /// order: stopped, paused, offline, syncing, waiting, waitingForGrant, refused, idle.
  public enum Phase: Hashable, Sendable {
    /// Syncing is not started.
    case stopped
    /// Nothing is sent until the user acts.
    case paused(Pause)
    /// There is no network, according to the monitor, or the last request has failed as
    /// `unreachable`. In the second case the request is sent again; ``Status/nextRetry`` has the
    /// time.
    case offline
    /// A request is under way.
    case syncing
    /// A request is sent again at a time, in milliseconds since 1970 by the device's clock, because
    /// it failed for another reason than `unreachable`, or because its answer brought nothing new.
    /// Or refused changes are sent again at this time.
    case waiting(until: Int64)
    /// All pending changes are in scopes in which the account has no role yet. They are sent when the
    /// server grants one.
    case waitingForGrant
    /// Some changes were refused, and the user has to decide. All others are synced.
    case refused
    /// Everything is synced until the next change.
    case idle

    /// Whether no request is due until something changes.
    package var isAtRest: Bool { [.waitingForGrant, .refused, .idle].contains(self) }
  }

  /// The changes that wait for a grant or for the user.
  public struct HeldChanges: Hashable, Sendable {
    /// Whether there are pending changes, but all are in scopes in which the account has no role yet.
    public var areWaitingForGrant = false
    /// Whether there are refused changes that are not sent again by themselves.
    public var areRefused = false

    /// Creates the value of a device without such changes.
    public init() {}
  }

  /// The reason why nothing is sent until the user acts.
  public enum Pause: Hashable, Sendable {
    /// The server does not accept the access token. The user has to sign in again. Pending changes
    /// stay.
    case unauthorized
    /// The server does not support this version of the app. The user has to update it.
    case upgradeRequired
  }

  /// The status after the last event.
  public var status: Status {
    Status(
      phase: phase, isListening: stream.state == .open, nextRetry: nextRetry,
      lastError: lastError, lastSuccess: lastSuccess, receivedCount: receivedCount,
      membershipChanges: membershipChanges)
  }

  private var phase: Phase {
    if !isStarted { return .stopped }
    if let pause { return .paused(pause) }
    if monitor == false || isUnreached { return .offline }
    if push.isRunning || pull.isRunning { return .syncing }
    if let nextRetry { return .waiting(until: nextRetry) }
    if held.areWaitingForGrant { return .waitingForGrant }
    return held.areRefused ? .refused : .idle
  }

  private var nextRetry: Int64? {
    guard canAsk, let now, let wait = [push.wait, pull.wait, nextTry].compactMap(\.self).min()
    else { return nil }
    return now + wait
  }
}
