import OffshoreSync
import OffshoreWire
import TestSupport
import Testing

/// Events in any order, including impossible ones, with an erratic clock.
struct EngineSequenceTests {
  @Test(arguments: 1...60) func `Any order of events satisfies the engine's rules`(_ seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var engine = SyncEngine()
    var watch = EngineWatch()
    var time: Int64 = 1_700_000_000_000
    var trace: [String] = []
    for _ in 0..<1_000 where watch.faults.isEmpty {
      let event = Self.event(&random, watch)
      Self.move(&time, &random)
      let moment = SyncEngine.Moment(milliseconds: time, random: random.next())
      let before = engine
      let actions = engine.handle(event, at: moment)
      trace.append("\(event) -> \(actions)")
      var twin = before
      #expect(twin.handle(event, at: moment) == actions && twin == engine)
      guard watch.expects(event) else {
        #expect(actions == [] && engine == before, "\(event) should not count")
        continue
      }
      watch.note(event)
      watch.note(actions)
      watch.check(engine.status.phase)
    }
    #expect(watch.faults == [], "\(trace.suffix(12).joined(separator: "\n"))")
  }

  /// Draws mostly possible events; about half of them are answers.
  private static func event(
    _ random: inout SeededRandom, _ watch: EngineWatch
  ) -> SyncEngine.Event {
    var event = anyEvent(&random)
    for _ in 0..<8 where !watch.expects(event) { event = anyEvent(&random) }
    return event
  }

  private static func heldChanges(_ random: inout SeededRandom) -> SyncEngine.HeldChanges {
    var held = SyncEngine.HeldChanges()
    held.areWaitingForGrant = Int.random(in: 0..<4, using: &random) == 0
    held.areRefused = Int.random(in: 0..<4, using: &random) == 0
    return held
  }

  private static func anyEvent(_ random: inout SeededRandom) -> SyncEngine.Event {
    switch Int.random(in: 0..<24, using: &random) {
    case 0: .started
    case 1: Int.random(in: 0..<4, using: &random) == 0 ? .stopped : .started
    case 2, 3: .changesCaptured
    case 4: .hint(.news(Int64.random(in: 0...20, using: &random)))
    case 5: .reachabilityChanged(Int.random(in: 0..<3, using: &random) > 0)
    case 6, 7, 8: .timerFired
    case 9, 10: .pushAnswered(.nothingToSend)
    case 11, 12, 13: .pushAnswered(pushSummary(&random))
    case 14: .pushFailed(failure(&random))
    case 15, 16, 17: .pullAnswered(pullSummary(&random))
    case 18: .pullFailed(failure(&random))
    case 19: .streamOpened
    case 20: .streamClosed(Bool.random(using: &random) ? nil : failure(&random))
    case 21: .credentialsChanged
    case 22: .syncNow
    case 23: .changesHeld(heldChanges(&random))
    default: .changesCaptured
    }
  }

  private static func pushSummary(_ random: inout SeededRandom) -> SyncEngine.PushSummary {
    SyncEngine.PushSummary(
      applied: Int.random(in: 0...2, using: &random),
      rejected: Int.random(in: 0...1, using: &random), needsPull: Bool.random(using: &random),
      hasMore: Bool.random(using: &random),
      heads: Bool.random(using: &random)
        ? [.charter: Int64.random(in: 0...20, using: &random)] : [:])
  }

  private static func pullSummary(_ random: inout SeededRandom) -> SyncEngine.PullSummary {
    let head = Int64.random(in: 0...20, using: &random)
    return SyncEngine.PullSummary(
      isComplete: Bool.random(using: &random), hasMore: Int.random(in: 0..<4, using: &random) == 0,
      hasAdvanced: Bool.random(using: &random),
      needsPush: Int.random(in: 0..<4, using: &random) == 0,
      heads: Bool.random(using: &random) ? [.charter: head] : [:])
  }

  private static func failure(_ random: inout SeededRandom) -> SyncEngine.Failure {
    switch Int.random(in: 0..<16, using: &random) {
    case 0: .unauthorized
    case 1: Int.random(in: 0..<4, using: &random) == 0 ? .upgradeRequired : .broken
    case 2, 3: .busy(Int64.random(in: .min ... .max, using: &random) >> 50)
    case 4, 5, 6: .unreachable
    case 7, 8: .timedOut
    case 9: .full
    case 10: .cancelled
    default: .broken
    }
  }

  /// Moves the clock a little or far, leaves it unchanged, or sets it to any time.
  private static func move(_ time: inout Int64, _ random: inout SeededRandom) {
    switch Int.random(in: 0..<20, using: &random) {
    case 0: time = Int64.random(in: .min ... .max, using: &random)
    case 1: time = 1_700_000_000_000
    case 2:
      time = max(time, 0) - min(Int64.random(in: 0...90_000_000, using: &random), max(time, 0))
    case 3...6: time = min(time, 1 << 50) + Int64.random(in: 0...400_000, using: &random)
    case 7...14: time = min(time, 1 << 50) + Int64.random(in: 0...2_000, using: &random)
    default: break
    }
  }
}
