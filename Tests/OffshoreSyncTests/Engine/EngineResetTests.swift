import OffshoreSync
import OffshoreWire
import Testing

/// What ends a wait before its time.
struct EngineResetTests {
  /// Both lanes have failed five times, and wait for 16 seconds.
  private func waiting(after failure: SyncEngine.Failure) -> EngineRun {
    var run = EngineRun.idle()
    _ = run.send(.syncNow)
    for attempt in 0..<5 {
      _ = run.send(.pushFailed(failure))
      _ = run.send(.pullFailed(failure))
      guard attempt < 4 else { break }
      #expect(run.send(.timerFired, after: 1_000 << attempt) == [.push, .pull])
    }
    #expect(run.status.nextRetry == run.time + 16_000)
    return run
  }

  /// What the next failure of a push makes it wait.
  private func nextDelay(_ run: EngineRun) -> Int64? {
    var run = run
    _ = run.send(.pushFailed(.broken))
    return run.status.nextRetry.map { $0 - run.time }
  }

  @Test func `A network that is back ends delays and starts them anew`() {
    for failure in [SyncEngine.Failure.unreachable, .timedOut, .broken, .full] {
      var run = waiting(after: failure)
      #expect(run.send(.reachabilityChanged(false)) == [.closeStream, .cancelTimer])
      #expect(run.send(.reachabilityChanged(true)) == [.push, .pull])
      #expect(nextDelay(run) == 1_000)
    }
  }

  @Test func `A monitor that still sees a network tells of another one only where requests failed`()
  {
    var run = waiting(after: .unreachable)
    #expect(run.send(.reachabilityChanged(true)) == [.push, .pull, .cancelTimer])
    var silent = waiting(after: .timedOut)
    #expect(silent.send(.reachabilityChanged(true)) == [.push, .pull, .cancelTimer])
    var broken = waiting(after: .broken)
    #expect(broken.send(.reachabilityChanged(true)) == [])
    var idle = EngineRun.idle()
    #expect(idle.send(.reachabilityChanged(true)) == [])
  }

  @Test func `A network that is back does not end a Retry-After`() {
    var run = EngineRun.idle()
    _ = run.send(.timerFired, after: 30_000)
    #expect(run.send(.pullFailed(.busy(60))) == [.setTimer(after: 61_000)])
    _ = run.send(.reachabilityChanged(false), after: 10_000)
    #expect(run.send(.reachabilityChanged(true)) == [.setTimer(after: 50_000)])
    #expect(run.send(.timerFired, after: 50_000) == [.pull])
  }

  @Test func `A person who asks ends every wait`() {
    for failure in [SyncEngine.Failure.unreachable, .broken, .full] {
      var run = waiting(after: failure)
      #expect(run.send(.syncNow) == [.push, .pull, .cancelTimer])
      #expect(nextDelay(run) == 1_000)
    }
    var busy = EngineRun.idle()
    _ = busy.send(.changesCaptured)
    _ = busy.send(.pushFailed(.busy(3_600)))
    #expect(busy.send(.syncNow).prefix(2) == [.push, .pull])
  }

  @Test func `A person who asks during requests gets fresh ones after them`() {
    var run = EngineRun.idle()
    _ = run.send(.syncNow)
    #expect(run.send(.syncNow) == [])
    #expect(run.send(.pushAnswered(.nothingToSend)) == [.push])
    #expect(run.send(.pullAnswered(.complete)) == [.pull])
  }

  @Test func `A request that gets through takes the other lane along`() {
    var run = waiting(after: .unreachable)
    #expect(run.send(.timerFired, after: 16_000) == [.push, .pull])
    _ = run.send(.pushFailed(.unreachable))
    #expect(run.send(.pullAnswered(.complete)).contains(.push))
    #expect(run.phase == .syncing)
    #expect(nextDelay(run) == 1_000)
  }

  @Test func `A request that never failed says nothing new about the other lane`() {
    var run = EngineRun.idle()
    _ = run.send(.syncNow)
    _ = run.send(.pushFailed(.timedOut))
    #expect(!run.send(.pullAnswered(.complete)).contains(.push))
  }

  @Test func `A server that failed one lane is not asked sooner because the other got through`() {
    var run = waiting(after: .unreachable)
    _ = run.send(.timerFired, after: 16_000)
    _ = run.send(.pushFailed(.broken))
    #expect(!run.send(.pullAnswered(.complete)).contains(.push))
  }

  @Test func `A timer is not needed where an event comes when a wait is over`() {
    var run = EngineRun.idle()
    _ = run.send(.changesCaptured)
    _ = run.send(.pushFailed(.broken))
    #expect(run.send(.changesCaptured, after: 1_000) == [.push, .setTimer(after: 29_000)])
    #expect(run.send(.timerFired) == [.setTimer(after: 29_000)])
  }
}
