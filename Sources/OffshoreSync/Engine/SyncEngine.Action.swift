extension SyncEngine {
  /// A task for the driver.
  public enum Action: Hashable, Sendable {
    /// Send the next push, and report the answer or the failure.
    case push
    /// Pull all scopes from their cursors, and report the answer or the failure.
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
