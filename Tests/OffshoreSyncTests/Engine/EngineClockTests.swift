import OffshoreSync
import OffshoreWire
import Testing

/// The engine's reactions to inaccurate timers and clocks.
struct EngineClockTests {
  @Test func `A timer that fires early is set for the remaining time`() {
    var run = EngineRun.idle()
    #expect(run.send(.timerFired, after: 29_990) == [.setTimer(after: 10)])
    #expect(run.send(.timerFired, after: 10) == [.pull])
  }

  @Test func `A timer that fires twice does no harm`() {
    var run = EngineRun.idle()
    #expect(run.send(.timerFired, after: 30_000) == [.pull])
    #expect(run.send(.timerFired) == [])
    #expect(run.send(.pullAnswered(.complete)) == [.setTimer(after: 30_000)])
    #expect(run.send(.timerFired) == [.setTimer(after: 30_000)])
  }

  @Test func `A timer that fires late starts all work that is due`() {
    var run = EngineRun.idle()
    _ = run.send(.changesCaptured)
    _ = run.send(.pushFailed(.broken))
    #expect(
      run.send(.timerFired, after: 9_000_000) == [.push, .pull])
  }

  @Test func `A timer is not set again while its time does not change`() {
    var run = EngineRun.idle()
    #expect(run.send(.changesCaptured, after: 10_000) == [.push])
    #expect(run.send(.pushAnswered(.nothingToSend), after: 10_000) == [])
    #expect(run.send(.timerFired, after: 10_000) == [.pull])
  }

  @Test func `A clock that steps back does not prolong a delay`() {
    var run = EngineRun.idle()
    _ = run.send(.changesCaptured)
    #expect(run.send(.pushFailed(.broken)) == [.setTimer(after: 1_000)])
    run.time -= 3_600_000
    #expect(run.send(.changesCaptured) == [])
    #expect(run.phase == .waiting(until: run.time + 1_000))
    #expect(run.send(.timerFired) == [.setTimer(after: 1_000)])
    #expect(run.send(.timerFired, after: 1_000).first == .push)
  }

  @Test func `A clock that steps forward makes all work due, once`() {
    var run = EngineRun.idle()
    #expect(run.send(.timerFired, after: 1 << 46) == [.pull])
    #expect(run.send(.pullAnswered(.complete)) == [.setTimer(after: 30_000)])
  }

  @Test func `Extreme times do not break the engine`() {
    var run = EngineRun.idle()
    for time in [Int64.min, .max, -1, 0, .max, .min, 1] {
      run.time = time
      for event in [SyncEngine.Event.timerFired, .syncNow, .pushFailed(.busy(.max))] {
        for action in run.send(event) {
          guard case .setTimer(let delay) = action else { continue }
          #expect(1...86_700_000 ~= delay)
        }
      }
      if let retry = run.status.nextRetry { #expect(retry >= 0) }
      _ = run.send(.pullFailed(.timedOut))
    }
  }
}
