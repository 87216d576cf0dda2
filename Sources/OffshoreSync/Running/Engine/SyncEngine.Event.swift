public import OffshoreWire

extension SyncEngine {
  /// An event that affects syncing.
  public enum Event: Hashable, Sendable {
    /// Syncing starts, for the first time or after ``stopped``. This ends every pause.
    case started
    /// Syncing stops. The engine ends requests, the event stream and the timer, and then returns no
    /// actions until it is started again.
    case stopped
    /// The app changed synced rows.
    case changesCaptured
    /// The device has read the changes that wait for a grant or for the user.
    ///
    /// This can happen at any time. It has to precede ``pushAnswered(_:)`` and ``pullAnswered(_:)`` if the
    /// answer has changed them, so that the status is never `idle` beside them.
    case changesHeld(HeldChanges)
    /// The server sent a hint about changes.
    case hint(Hint)
    /// The network monitor reports whether a network is available.
    ///
    /// This can happen at any time, also before ``started``. Without a monitor it never happens.
    case reachabilityChanged(Bool)
    /// The timer fired. An early, late or repeated event does no harm.
    case timerFired
    /// A push was answered, or there was nothing to send.
    case pushAnswered(PushSummary)
    /// A push failed. Its changes will be sent again.
    case pushFailed(Failure)
    /// A pull was answered.
    case pullAnswered(PullSummary)
    /// A pull failed.
    case pullFailed(Failure)
    /// The server has begun to send hints.
    case streamOpened
    /// The event stream ended or could not be opened. The failure is `nil` if it ended normally.
    case streamClosed(Failure?)
    /// The access token changed, for example because the user signed in again. Later requests use
    /// the new one.
    case credentialsChanged
    /// The user asked to sync without delay.
    case syncNow
  }
}

extension SyncEngine {
  /// A task for the driver.
  public enum Action: Hashable, Sendable {
    /// Send the next push, and report the answer or the failure.
    case push
    /// Pull the scopes of ``SyncEngine/pullTarget`` from their cursors, and report the answer or the
    /// failure.
    case pull
    /// Cancel the requests under way, and report each as failed or as answered.
    case cancelRequests
    /// Open the event stream, and report when it has opened and when it has closed.
    case openStream
    /// Close the event stream, and report when it has closed.
    case closeStream
    /// Report when a number of milliseconds has passed. This replaces an earlier timer.
    ///
    /// It is a duration, so a change of the clock does not prolong it.
    case setTimer(after: Int64)
    /// Cancel the timer.
    case cancelTimer
  }
}

extension SyncEngine {
  /// The time of an event, and a random number for the delay that it may lead to.
  public struct Moment: Hashable, Sendable {
    /// The milliseconds since 1970 by the device's clock. The clock may jump in either direction.
    public let milliseconds: Int64
    /// A random number, which the driver draws for each event.
    public let random: UInt64

    /// Creates a moment. A time outside of `Stamp.range` becomes its nearest bound.
    public init(milliseconds: Int64, random: UInt64) {
      self.milliseconds = min(
        max(milliseconds, Stamp.range.lowerBound), Stamp.range.upperBound)
      self.random = random
    }
  }
}
