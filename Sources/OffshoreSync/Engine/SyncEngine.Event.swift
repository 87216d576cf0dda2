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
