extension SyncEngine {
  /// How long to wait for what, in milliseconds.
  ///
  /// The delay before a request is sent again is drawn evenly from 0 to a bound that starts at
  /// ``firstDelay`` and doubles with each failure up to ``longestDelay``, so that devices that
  /// failed together do not come back together. This is the full jitter of
  /// <https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/>.
  public struct Timing: Hashable, Sendable {
    /// The most that the first delay can be.
    public var firstDelay: Int64 = 1_000
    /// The most that any delay can be, where the server asks for no longer one.
    public var longestDelay: Int64 = 300_000
    /// The most that a server can ask for. The delay is added to it, so that not all come at once.
    public var longestRetryAfter: Int64 = 86_400_000
    /// From one complete pull to the next, without an event stream.
    public var polling: Int64 = 30_000
    /// From one complete pull to the next while the event stream is open, should a hint be lost.
    public var safetyPolling: Int64 = 300_000

    /// Takes the usual times. Each becomes at least a millisecond and at most a day.
    public init() {}

    var bounded: Timing {
      var result = self
      for time in [
        \Self.firstDelay, \.longestDelay, \.longestRetryAfter, \.polling, \.safetyPolling,
      ] {
        result[keyPath: time] = min(max(result[keyPath: time], 1), Self.day)
      }
      return result
    }

    private static let day: Int64 = 86_400_000
  }
}
