import OffshoreSync
import OffshoreWire
import TestSupport
import Testing

/// The delays after failures.
struct EngineRetryTests {
  /// Returns the delays of pushes that fail one after the other.
  private func delays(
    _ count: Int, random: UInt64 = .max, timing: SyncEngine.Timing = .init(),
    _ failure: SyncEngine.Failure
  ) -> [Int64] {
    var run = EngineRun(timing: timing)
    run.random = random
    _ = run.send(.started)
    return (0..<count).map { _ in
      _ = run.send(.pushFailed(failure))
      let delay = run.status.nextRetry.map { $0 - run.time } ?? 0
      #expect(delay == 0 || run.send(.timerFired, after: delay).contains(.push))
      return delay
    }
  }

  @Test(arguments: [
    SyncEngine.Failure.unreachable, .timedOut, .broken, .full, .cancelled, .init(status: 404),
  ])
  func `The bound of the delay doubles from one second to five minutes`(
    _ failure: SyncEngine.Failure
  ) {
    #expect(
      delays(11, failure)
        == [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 128_000, 256_000, 300_000, 300_000])
  }

  @Test func `The engine never stops retrying`() {
    #expect(delays(200, .broken).last == 300_000)
  }

  @Test func `The delay is drawn evenly from zero to the bound`() {
    #expect(delays(3, random: 0, .broken) == [0, 0, 0])
    #expect(delays(3, random: 1 << 63, .broken) == [500, 1_000, 2_000])
    var random = SeededRandom(seed: 7)
    let drawn = (0..<2_000).map { _ in delays(1, random: random.next(), .broken)[0] }
    #expect(drawn.allSatisfy { 0...1_000 ~= $0 })
    for part in 0..<10 {
      let range = Int64(part * 100)..<Int64(part * 100 + 100)
      #expect(150...250 ~= drawn.count { range.contains($0) })
    }
  }

  @Test func `A Retry-After is added to the delay`() {
    #expect(delays(3, random: 0, .busy(90)) == [90_000, 90_000, 90_000])
    #expect(delays(3, .busy(90)) == [91_000, 92_000, 94_000])
  }

  @Test func `A delay ends on time despite events during it`() {
    var run = EngineRun.idle()
    _ = run.send(.changesCaptured)
    _ = run.send(.pushFailed(.busy(60)))
    let retry = run.time + 61_000
    for elapsed in [Int64(500), 49_500, 9_900, 200, 800] {
      _ = run.send(.changesCaptured, after: elapsed)
      #expect(run.status.nextRetry == retry)
    }
    #expect(run.send(.timerFired, after: 100).first == .push)
  }

  @Test(arguments: [
    (Int64.max, Int64(86_400_000)), (100_000_000, 86_400_000), (-5, 0), (.min, 0), (0, 0),
  ])
  func `A Retry-After is at most a day and never negative`(_ seconds: Int64, _ delay: Int64) {
    #expect(delays(1, random: 0, .busy(seconds)) == [delay])
  }

  // MARK: - Refused changes

  /// Returns an engine whose push was refused, with two seconds until the change is sent again.
  private func refused() -> EngineRun {
    var run = EngineRun.idle()
    _ = run.send(.changesCaptured)
    let answer = SyncEngine.PushSummary(
      applied: 0, rejected: 1, needsPull: false, hasMore: false, nextTry: 2_000)
    #expect(run.send(.pushAnswered(answer)).contains(.setTimer(after: 2_000)))
    return run
  }

  @Test func `A refused change is sent again when its delay has ended, and not before`() {
    var run = refused()
    #expect(!run.send(.timerFired, after: 1_999).contains(.push))
    #expect(run.send(.timerFired, after: 1).contains(.push))
    #expect(!run.send(.pushAnswered(.nothingToSend)).contains(.push))
    #expect(!run.send(.timerFired, after: 5_000).contains(.push))
  }

  @Test func `The delay that an answer names replaces the former one`() {
    var run = refused()
    #expect(run.send(.changesCaptured, after: 500).contains(.push))
    let actions = run.send(.pushAnswered(.nothingToSend(nextTry: 1_500)))
    #expect(actions.contains(.setTimer(after: 1_500)))
    #expect(!run.send(.timerFired, after: 1_499).contains(.push))
    #expect(run.send(.timerFired, after: 1).contains(.push))
  }

  @Test func `Without a network a refused change waits, and is sent when it returns`() {
    var run = refused()
    _ = run.send(.reachabilityChanged(false), after: 500)
    #expect(!run.send(.timerFired, after: 10_000).contains(.push))
    #expect(run.send(.reachabilityChanged(true)).contains(.push))
  }

  @Test func `Invalid timings are replaced by the nearest valid ones`() {
    var timing = SyncEngine.Timing()
    timing.firstDelay = .min
    timing.longestDelay = .max
    timing.longestRetryAfter = -1
    #expect(delays(3, timing: timing, .broken) == [1, 2, 4])
    #expect(delays(1, random: 0, timing: timing, .busy(5)) == [1])
    #expect(delays(40, timing: timing, .broken).last == 86_400_000)
  }

  @Test func `A success resets the delays`() {
    var run = EngineRun.idle()
    _ = run.send(.changesCaptured)
    _ = run.send(.pushFailed(.broken))
    _ = run.send(.timerFired, after: 1_000)
    _ = run.send(.pushAnswered(.done))
    _ = run.send(.changesCaptured)
    _ = run.send(.pushFailed(.broken))
    #expect(run.phase == .syncing)
    #expect(run.status.nextRetry == run.time + 1_000)
  }

  @Test func `A change does not shorten the delay of a push`() {
    var run = EngineRun.idle()
    _ = run.send(.changesCaptured)
    #expect(run.send(.pushFailed(.broken)) == [.setTimer(after: 1_000)])
    #expect(run.send(.changesCaptured, after: 400) == [])
    #expect(run.send(.timerFired, after: 600) == [.push, .setTimer(after: 29_000)])
  }

  @Test func `A delayed push does not delay a pull`() {
    var run = EngineRun.idle()
    _ = run.send(.changesCaptured)
    _ = run.send(.pushFailed(.busy(3_600)))
    #expect(run.send(.timerFired, after: 30_000) == [.pull, .setTimer(after: 3_571_000)])
    #expect(run.send(.pullAnswered(.complete)) == [.setTimer(after: 30_000)])
  }

  @Test func `A delayed pull does not delay a push`() {
    var run = EngineRun.idle()
    _ = run.send(.timerFired, after: 30_000)
    _ = run.send(.pullFailed(.busy(3_600)))
    #expect(run.send(.changesCaptured) == [.push])
  }
}
