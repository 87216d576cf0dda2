public import OffshoreWire

extension SyncEngine {
  /// What happens to a device, as far as it bears on syncing.
  public enum Event: Hashable, Sendable {
    /// Syncing begins, for the first time or after ``stopped``. It lifts every pause.
    case started
    /// Syncing ends. From here on there are no actions until it is started again.
    case stopped
    /// The app has changed synced rows.
    case changesCaptured
    /// The server tells of changes.
    case hint(Hint)
    /// The network monitor sees that there is a network, or that there is none.
    ///
    /// It may come at any time, also before ``started``. Without a monitor it never comes.
    case reachabilityChanged(Bool)
    /// The timer has run down. Early, late or twice does no harm.
    case timerFired
    /// A push was answered, or there was nothing to push.
    case pushAnswered(PushSummary)
    /// A push failed, and what it sent is to be sent again.
    case pushFailed(Failure)
    /// A pull was answered.
    case pullAnswered(PullSummary)
    /// A pull failed.
    case pullFailed(Failure)
    /// The server has begun to send hints.
    case streamOpened
    /// The event stream has ended or could not be opened; no failure where it ended as it should.
    case streamClosed(Failure?)
    /// The person has signed in again. Requests that come after this use the new credentials.
    case credentialsChanged
    /// The person asks to sync without delay.
    case syncNow
  }
}
