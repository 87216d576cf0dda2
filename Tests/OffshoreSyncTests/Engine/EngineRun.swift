import OffshoreSync
import OffshoreWire

/// An engine with a clock that the test sets, and a constant random number.
struct EngineRun {
  private(set) var engine: SyncEngine
  /// The time on the device's clock.
  var time: Int64 = 1_700_000_000_000
  /// The next draw: the largest, for the longest delays.
  var random = UInt64.max

  init(timing: SyncEngine.Timing = .init()) { engine = SyncEngine(timing: timing) }

  /// Reports an event, a number of milliseconds after the previous one.
  mutating func send(_ event: SyncEngine.Event, after elapsed: Int64 = 0) -> [SyncEngine.Action] {
    time += elapsed
    return engine.handle(event, at: SyncEngine.Moment(milliseconds: time, random: random))
  }

  var status: SyncEngine.Status { engine.status }
  var phase: SyncEngine.Phase { engine.status.phase }
}

extension EngineRun {
  /// Returns a started engine with the first push and pull answered, and no stream yet.
  static func idle() -> EngineRun {
    var run = EngineRun()
    _ = run.send(.started)
    _ = run.send(.pushAnswered(.nothingToSend))
    _ = run.send(.pullAnswered(.complete))
    return run
  }

  /// Returns an idle engine with an open event stream.
  static func listening() -> EngineRun {
    var run = EngineRun()
    _ = run.send(.started)
    _ = run.send(.streamOpened)
    _ = run.send(.pushAnswered(.nothingToSend))
    _ = run.send(.pullAnswered(.complete))
    _ = run.send(.pullAnswered(.complete))
    return run
  }
}

extension SyncEngine.PullSummary {
  static let complete = Self(isComplete: true, hasMore: false, hasAdvanced: false, needsPush: false)
  static let page = Self(isComplete: false, hasMore: true, hasAdvanced: true, needsPush: false)
}

extension SyncEngine.PushSummary {
  static let done = Self(
    applied: 1, rejected: 0, needsPull: false, hasMore: false, heads: [.charter: 7])
  static let more = Self(
    applied: 1, rejected: 0, needsPull: false, hasMore: true, heads: [.charter: 6])
  static let fruitless = Self(applied: 0, rejected: 0, needsPull: false, hasMore: true)
}

extension SyncEngine.Failure {
  static let unreachable = Self(.unreachable, "There is no way to the server.")
  static let timedOut = Self(.timedOut, "The server is silent.")
  static let unauthorized = Self(status: 401)
  static let upgradeRequired = Self(status: 426)
  static let broken = Self(status: 500)
  static let full = Self(.storage, "The disk is full.")
  static let cancelled = Self(.cancelled, "Given up.")

  static func busy(_ seconds: Int64) -> Self { Self(status: 503, retryAfter: seconds) }
}
