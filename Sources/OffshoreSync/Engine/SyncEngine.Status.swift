extension SyncEngine {
  /// What a person wants to know about syncing. What is still to be sent, the outbox knows.
  ///
  /// Times are those that the device's clock shows, since 1970.
  public struct Status: Hashable, Sendable {
    /// What is going on.
    public let phase: Phase
    /// Whether the event stream is open, so that changes of other devices arrive at once. Without it
    /// they arrive with the next pull.
    public let isListening: Bool
    /// When a failed request is sent again by itself, in milliseconds by the device's clock.
    public let nextRetry: Int64?
    /// The latest failure, until what failed succeeds.
    public let lastError: Failure?
    /// When the server last answered as it should, in milliseconds by the device's clock.
    public let lastSuccess: Int64?
    /// The number of rows that pulls have changed on this device since the engine was made.
    public let receivedCount: Int
    /// A number that grows if memberships may have changed: by a hint, or while the event stream was closed.
    public let membershipChanges: UInt64
  }

  /// What syncing is about.
  public enum Phase: Hashable, Sendable {
    /// It is not started.
    case stopped
    /// Nothing is sent until somebody does something.
    case paused(Pause)
    /// There is no network, as the monitor says or as the last request has found.
    case offline
    /// A request is under way.
    case syncing
    /// A request has failed and is sent again at a time, in milliseconds by the device's clock.
    case waiting(until: Int64)
    /// Everything is done, and changes are waited for.
    case idle
  }

  /// Why nothing is sent until somebody does something.
  public enum Pause: Hashable, Sendable {
    /// The server does not take the credentials: sign in again. Everything is kept until then.
    case unauthorized
    /// The server takes no app of this version: update the app.
    case upgradeRequired
  }

  /// What is going on, as of the last event.
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
    return nextRetry.map { .waiting(until: $0) } ?? .idle
  }

  private var nextRetry: Int64? {
    guard canAsk, let now, let wait = [push.wait, pull.wait].compactMap(\.self).min() else {
      return nil
    }
    return now + wait
  }
}
