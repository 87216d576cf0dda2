import OffshoreWire
import Synchronization

/// A limiter of how often each key may act.
///
/// Each key has a bucket of tokens that fills up steadily; each action removes one
/// (<https://en.wikipedia.org/wiki/Token_bucket>).
final class RateLimiter: Sendable {
  /// A number of actions per time.
  struct Rate: Hashable, Sendable {
    /// The largest number of actions at once.
    let burst: Int
    /// The time until another action is allowed, in milliseconds.
    let interval: Int64

    /// Creates a rate of a number of actions at once, and one more after each interval.
    /// - Precondition: Both are at least 1.
    init(burst: Int, every interval: Int64) {
      precondition(burst > 0 && interval > 0, "A rate lets something be done. Raise it to 1.")
      self.burst = burst
      self.interval = interval
    }
  }

  private let rate: Rate
  private let capacity: Int
  /// The times at which buckets become full, in milliseconds. Full buckets are not stored.
  private let full = Mutex<[String: Int64]>([:])

  /// Creates a limiter.
  /// - Parameters:
  ///   - rate: the rate for each key.
  ///   - capacity: the largest number of stored buckets. While it is reached, new keys have to
  ///     wait.
  init(_ rate: Rate, capacity: Int = 100_000) {
    self.rate = rate
    self.capacity = capacity
  }

  /// Removes a token from a bucket.
  /// - Parameters:
  ///   - key: the key of the bucket.
  ///   - now: milliseconds by any clock. If it is set back, a key waits no longer than its bucket
  ///     needs to fill up.
  /// - Returns: `nil` if the action is allowed, or the milliseconds until it is.
  func consume(_ key: String, at now: Int64) -> Int64? {
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

extension RateLimiter {
  /// Counts an action of a client.
  /// - Throws: `WireProblem` with the code `tooManyRequests` if the client has to wait.
  func count(_ key: String, at now: Int64) throws(WireProblem) {
    guard let wait = consume(key, at: now) else { return }
    throw WireProblem(
      .tooManyRequests, "That was too often. Try again later.", retryAfter: (wait + 999) / 1_000)
  }
}
