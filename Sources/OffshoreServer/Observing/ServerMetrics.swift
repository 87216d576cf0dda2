import OffshoreWire
import Synchronization

/// What a server has counted since it began.
final class ServerMetrics: Sendable {
  /// What requests are counted by.
  struct Outcome: Hashable, Comparable, Sendable {
    let method: String
    let route: String
    let status: Int

    static func < (left: Outcome, right: Outcome) -> Bool {
      (left.route, left.method, left.status) < (right.route, right.method, right.status)
    }
  }

  /// How long requests took, by bounds in seconds.
  struct Histogram: Sendable {
    static let bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
    /// How many took as long as a bound or shorter, and longer than the bound before; then the rest.
    private(set) var counts = [Int](repeating: 0, count: bounds.count + 1)
    private(set) var sum = 0.0

    mutating func add(_ seconds: Double) {
      counts[Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count] += 1
      sum += seconds
    }
  }

  /// The counts at a time.
  struct Counts: Sendable {
    var requests: [Outcome: Int] = [:]
    var durations: [String: Histogram] = [:]
    var opsPushed = 0
    var rowsPulled = 0
    var rejected: [String: Int] = [:]
    var rateLimited = 0
  }

  private let state = Mutex(Counts())

  /// The counts by now.
  var counts: Counts { state.withLock { $0 } }

  func countRequest(_ outcome: Outcome, lasting seconds: Double) {
    state.withLock { counts in
      counts.requests[outcome, default: 0] += 1
      counts.durations[outcome.route, default: Histogram()].add(seconds)
      if outcome.status == 429 { counts.rateLimited += 1 }
    }
  }

  /// Counts what became of the batches of a push, but for those that were answered before.
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

  func countPull(_ answer: PullResponse) {
    let rows = answer.scopes.reduce(0) { sum, scope in
      if case .page(let page) = scope.content { sum + page.rows.count } else { sum }
    }
    state.withLock { $0.rowsPulled += rows }
  }
}
