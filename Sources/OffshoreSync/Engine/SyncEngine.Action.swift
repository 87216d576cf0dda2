extension SyncEngine {
  /// What the driver is to do.
  public enum Action: Hashable, Sendable {
    /// Send what is next to be sent, and report the answer or the failure.
    case push
    /// Pull all scopes from where they are, and report the answer or the failure.
    case pull
    /// Give up the requests that have no answer yet, and report each as failed or as answered.
    case cancelRequests
    /// Open the event stream, and report when it has opened and when it has closed.
    case openStream
    /// Close the event stream, and report when it has closed.
    case closeStream
    /// Report when so many milliseconds have passed; an earlier timer is void.
    ///
    /// It is a duration, so that a clock that is set meanwhile does not make it longer.
    case setTimer(after: Int64)
    /// There is nothing to wait for.
    case cancelTimer
  }
}
