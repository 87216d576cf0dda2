import Synchronization

/// Lets each key do something so often, and tells when it may again.
///
/// Each key has a bucket of tokens that fills up steadily; doing it once takes one out.
/// (<https://en.wikipedia.org/wiki/Token_bucket>)
public final class RateLimiter: Sendable {
  /// How often something may be done.
  public struct Rate: Hashable, Sendable {
    /// How often at once.
    public let burst: Int
    /// How many milliseconds until once more.
    public let interval: Int64

    /// So often at once, and once more after each interval.
    /// - Precondition: Both are at least 1.
    public init(burst: Int, every interval: Int64) {
      precondition(burst > 0 && interval > 0, "A rate lets something be done. Raise it to 1.")
      self.burst = burst
      self.interval = interval
    }
  }

  private let rate: Rate
  private let capacity: Int
  /// When each bucket is going to be full, in milliseconds; one that is full is not kept.
  private let full = Mutex<[String: Int64]>([:])

  /// Takes a rate.
  /// - Parameter capacity: how many keys are remembered. Where there are more that are not full, those
  ///   that are not remembered wait.
  public init(_ rate: Rate, capacity: Int = 100_000) {
    self.rate = rate
    self.capacity = capacity
  }

  /// Takes a token out of a bucket.
  /// - Parameters:
  ///   - key: whose bucket.
  ///   - now: milliseconds by any clock. One that is set back makes nobody wait longer than a bucket
  ///     takes to fill.
  /// - Returns: `nil` where it may be done, or after how many milliseconds it may.
  public func take(_ key: String, at now: Int64) -> Int64? {
    full.withLock { full in
      let room = Int64(rate.burst) * rate.interval
      if let known = full[key] { full[key] = min(known, now + room) }
      let level = max(full[key] ?? now, now)
      let next = level + rate.interval
      guard next - now <= room else { return next - now - room }
      if full[key] == nil, full.count >= capacity {
        full = full.filter { $0.value > now }
        guard full.count < capacity else { return rate.interval }
      }
      full[key] = next
      return nil
    }
  }
}
