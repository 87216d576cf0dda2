extension SyncEngine {
  /// The delays and intervals of syncing, in milliseconds.
  ///
  /// The delay before a retry is drawn evenly from 0 to a bound. The bound starts at ``firstDelay``
  /// and doubles with each failure up to ``longestDelay``, so that devices that failed together do
  /// not return together. This is the full jitter of
  /// <https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/>.
  public struct Timing: Hashable, Sendable {
    /// The bound of the first delay. The default is one second.
    public var firstDelay: Int64 = 1_000
    /// The greatest bound of a delay; by default five minutes. A server can request a longer delay
    /// by `Retry-After`.
    public var longestDelay: Int64 = 300_000
    /// The longest `Retry-After`; by default a day. A longer one is shortened to this. The random
    /// delay is added to it, so that devices do not all return at once.
    public var longestRetryAfter: Int64 = 86_400_000
    /// The interval between complete pulls without an event stream; by default 30 seconds.
    public var polling: Int64 = 30_000
    /// The interval between complete pulls while the event stream is open, in case a hint is lost;
    /// by default five minutes.
    public var safetyPolling: Int64 = 300_000

    /// Creates the default timing. An engine limits each value to the range from a millisecond to a
    /// day.
    public init() {}

    /// The timing with each value limited to the range from a millisecond to a day.
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
