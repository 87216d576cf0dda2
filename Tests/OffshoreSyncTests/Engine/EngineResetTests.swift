import OffshoreSync
import OffshoreWire
import Testing

/// The events that end a delay early.
struct EngineResetTests {
  /// Returns an engine whose two lanes have failed five times and wait for 16 seconds.
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

  /// Returns the delay after the next failure of a push.
  private func nextDelay(_ run: EngineRun) -> Int64? {
    var run = run
    _ = run.send(.pushFailed(.broken))
    return run.status.nextRetry.map { $0 - run.time }
  }

  @Test func `A restored network ends delays and resets them`() {
    for failure in [SyncEngine.Failure.unreachable, .timedOut, .broken, .full] {
      var run = waiting(after: failure)
      #expect(run.send(.reachabilityChanged(false)) == [.closeStream, .cancelTimer])
      #expect(run.send(.reachabilityChanged(true)) == [.push, .pull])
      #expect(nextDelay(run) == 1_000)
    }
  }

  @Test func `A repeated report of a network ends only the delays of unanswered requests`() {
    var run = waiting(after: .unreachable)
    #expect(run.send(.reachabilityChanged(true)) == [.push, .pull, .cancelTimer])
    var silent = waiting(after: .timedOut)
    #expect(silent.send(.reachabilityChanged(true)) == [.push, .pull, .cancelTimer])
    var broken = waiting(after: .broken)
    #expect(broken.send(.reachabilityChanged(true)) == [])
    var idle = EngineRun.idle()
    #expect(idle.send(.reachabilityChanged(true)) == [])
  }

  @Test func `A restored network does not end a Retry-After`() {
    var run = EngineRun.idle()
    _ = run.send(.timerFired, after: 30_000)
    #expect(run.send(.pullFailed(.busy(60))) == [.setTimer(after: 61_000)])
    _ = run.send(.reachabilityChanged(false), after: 10_000)
    #expect(run.send(.reachabilityChanged(true)) == [.setTimer(after: 50_000)])
    #expect(run.send(.timerFired, after: 50_000) == [.pull])
  }

  @Test func `A sync requested by the user ends every delay`() {
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

  @Test func `A sync requested by the user during requests causes new ones after them`() {
    var run = EngineRun.idle()
    _ = run.send(.syncNow)
    #expect(run.send(.syncNow) == [])
    #expect(run.send(.pushAnswered(.nothingToSend)) == [.push])
    #expect(run.send(.pullAnswered(.complete)) == [.pull])
  }

  @Test func `A successful request ends the other lane's delay`() {
    var run = waiting(after: .unreachable)
    #expect(run.send(.timerFired, after: 16_000) == [.push, .pull])
    _ = run.send(.pushFailed(.unreachable))
    #expect(run.send(.pullAnswered(.complete)).contains(.push))
    #expect(run.phase == .syncing)
    #expect(nextDelay(run) == 1_000)
  }

  @Test func `A request that never failed does not end the other lane's delay`() {
    var run = EngineRun.idle()
    _ = run.send(.syncNow)
    _ = run.send(.pushFailed(.timedOut))
    #expect(!run.send(.pullAnswered(.complete)).contains(.push))
  }

  @Test func `A success of one lane does not shorten a delay after a server error in the other`() {
    var run = waiting(after: .unreachable)
    _ = run.send(.timerFired, after: 16_000)
    _ = run.send(.pushFailed(.broken))
    #expect(!run.send(.pullAnswered(.complete)).contains(.push))
  }

  @Test func `An event after the end of a delay makes the timer unnecessary`() {
    var run = EngineRun.idle()
    _ = run.send(.changesCaptured)
    _ = run.send(.pushFailed(.broken))
    #expect(run.send(.changesCaptured, after: 1_000) == [.push, .setTimer(after: 29_000)])
    #expect(run.send(.timerFired) == [.setTimer(after: 29_000)])
  }
}
