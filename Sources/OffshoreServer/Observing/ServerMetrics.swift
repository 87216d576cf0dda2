import OffshoreWire
import Synchronization

/// The counts of a server since its start.
final class ServerMetrics: Sendable {
  /// The labels by which requests are counted.
  struct Outcome: Hashable, Comparable, Sendable {
    let method: String
    let route: String
    let status: Int

    static func < (left: Outcome, right: Outcome) -> Bool {
      (left.route, left.method, left.status) < (right.route, right.method, right.status)
    }
  }

  /// The durations of requests, counted between bounds in seconds.
  struct Histogram: Sendable {
    static let bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
    /// For each bound, the number of durations up to it and above the previous one; then the number
    /// of longer ones.
    private(set) var counts = [Int](repeating: 0, count: bounds.count + 1)
    private(set) var sum = 0.0

    mutating func add(_ seconds: Double) {
      counts[Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count] += 1
      sum += seconds
    }
  }

  /// The counts at one moment.
  struct Counts: Sendable {
    var requests: [Outcome: Int] = [:]
    var durations: [String: Histogram] = [:]
    var opsPushed = 0
    var rowsPulled = 0
    var rejected: [String: Int] = [:]
    var rateLimited = 0
    /// The number of scopes in which devices have seen changes that the data lacks.
    var devicesAhead = 0
    /// When the last log entry about them was written, by the server's clock.
    fileprivate var lastReport: Int64?
  }

  private let state = Mutex(Counts())

  /// The current counts.
  var counts: Counts { state.withLock { $0 } }

  func countRequest(_ outcome: Outcome, lasting seconds: Double) {
    state.withLock { counts in
      counts.requests[outcome, default: 0] += 1
      counts.durations[outcome.route, default: Histogram()].add(seconds)
      if outcome.status == 429 { counts.rateLimited += 1 }
    }
  }

  /// Counts the results of a push, except repeated ones.
  func countPush(_ request: PushRequest, _ answer: PushResponse) {
    state.withLock { counts in
      for (batch, result) in zip(request.batches, answer.results) where !result.isRepeated {
        switch result.outcome {
        case .applied: counts.opsPushed += batch.ops.count
        case .rejected(let rejection, _): counts.rejected["\(rejection.code)", default: 0] += 1
        case .forked: counts.rejected["forked", default: 0] += 1
        case .gap: counts.rejected["gap", default: 0] += 1
        }
      }
    }
  }

  /// The shortest time between two log entries about devices ahead: an hour, in milliseconds.
  private static let reportInterval: Int64 = 3_600_000

  /// Counts scopes in which devices have seen changes that the data lacks.
  /// - Parameter now: the server's clock, in milliseconds since 1970.
  /// - Returns: whether to log it: at most once an hour.
  func countDevicesAhead(_ count: Int, at now: Int64) -> Bool {
    guard count > 0 else { return false }
    return state.withLock { counts in
      counts.devicesAhead += count
      if let last = counts.lastReport, now - last < Self.reportInterval, now >= last {
        return false
      }
      counts.lastReport = now
      return true
    }
  }

  func countPull(_ answer: PullResponse) {
    let rows = answer.scopes.reduce(0) { sum, scope in
      if case .page(let page) = scope.content { sum + page.rows.count } else { sum }
    }
    state.withLock { $0.rowsPulled += rows }
  }
}
