import OffshoreSync
import OffshoreWire
import Testing

/// The conditions under which a device sends no requests at all.
struct EnginePauseTests {
  // MARK: - The network

  @Test func `Without a network no request is sent, and pending work remains`() {
    var run = EngineRun.idle()
    #expect(run.send(.reachabilityChanged(false)) == [.closeStream, .cancelTimer])
    #expect(run.phase == .offline)
    for event in [SyncEngine.Event.changesCaptured, .syncNow, .timerFired, .credentialsChanged] {
      #expect(run.send(event, after: 600_000) == [])
    }
    #expect(run.send(.reachabilityChanged(true)).prefix(2) == [.push, .pull])
    #expect(run.phase == .syncing)
  }

  @Test func `A monitor may report before the start`() {
    var run = EngineRun()
    #expect(run.send(.reachabilityChanged(false)) == [])
    #expect(run.phase == .stopped)
    #expect(run.send(.started) == [])
    #expect(run.phase == .offline)
    #expect(run.send(.reachabilityChanged(true)) == [.push, .pull, .openStream])
  }

  @Test func `Requests are cancelled when the network is lost, and are sent again`() {
    var run = EngineRun.listening()
    _ = run.send(.changesCaptured)
    #expect(
      run.send(.reachabilityChanged(false)) == [.cancelRequests, .closeStream, .cancelTimer])
    #expect(run.send(.reachabilityChanged(false)) == [])
    #expect(run.send(.pushFailed(.cancelled)) == [])
    #expect(run.status.lastError == nil)
    #expect(run.send(.streamClosed(nil)) == [])
    #expect(run.send(.reachabilityChanged(true)) == [.push, .pull, .openStream])
  }

  @Test func `A pull alone is cancelled, too`() {
    var run = EngineRun.listening()
    _ = run.send(.hint(.news(1)))
    #expect(run.send(.reachabilityChanged(false)) == [.cancelRequests, .closeStream])
  }

  @Test func `An answer that arrives without a network counts`() {
    var run = EngineRun.idle()
    _ = run.send(.changesCaptured)
    _ = run.send(.reachabilityChanged(false))
    #expect(run.send(.pushAnswered(.done)) == [])
    #expect(run.phase == .offline)
    #expect(run.status.lastSuccess == run.time)
    #expect(run.send(.reachabilityChanged(true)) == [.pull])
  }

  @Test func `A request without a network shows as offline, and is sent again`() {
    var run = EngineRun.idle()
    _ = run.send(.changesCaptured)
    #expect(run.send(.pushFailed(.unreachable)) == [.setTimer(after: 1_000)])
    #expect(run.phase == .offline)
    #expect(run.status.nextRetry == run.time + 1_000)
    #expect(run.send(.timerFired, after: 1_000).contains(.push))
    #expect(run.phase == .offline)
    _ = run.send(.pushFailed(.broken))
    #expect(run.phase == .waiting(until: run.time + 2_000))
  }

  @Test func `An opened stream shows that there is a network`() {
    var run = EngineRun()
    _ = run.send(.started)
    _ = run.send(.pushFailed(.unreachable))
    _ = run.send(.pullFailed(.unreachable))
    #expect(run.phase == .offline)
    #expect(run.send(.streamOpened) == [.push, .pull, .cancelTimer])
    #expect(run.phase == .syncing)
  }

  // MARK: - The server's rejections

  @Test func `Rejected credentials pause both lanes and the stream`() {
    var run = EngineRun.listening()
    _ = run.send(.changesCaptured)
    #expect(run.send(.pushFailed(.unauthorized)) == [.closeStream, .cancelTimer])
    #expect(run.phase == .paused(.unauthorized))
    #expect(run.status.lastError == .unauthorized)
    #expect(run.status.nextRetry == nil)
    let events: [SyncEngine.Event] = [
      .changesCaptured, .syncNow, .hint(.news(9)), .timerFired, .reachabilityChanged(false),
      .reachabilityChanged(true), .started, .streamClosed(nil),
    ]
    for event in events { #expect(run.send(event, after: 600_000) == []) }
    #expect(run.send(.credentialsChanged) == [.push, .pull, .openStream])
  }

  @Test func `A pull or a stream with rejected credentials pauses everything, too`() {
    var run = EngineRun.listening()
    _ = run.send(.timerFired, after: 300_000)
    #expect(run.send(.pullFailed(.unauthorized)) == [.closeStream])
    #expect(run.phase == .paused(.unauthorized))
    var other = EngineRun.listening()
    #expect(other.send(.streamClosed(.unauthorized)) == [.cancelTimer])
    #expect(other.phase == .paused(.unauthorized))
    #expect(other.status.lastError == .unauthorized)
  }

  @Test func `An answer during a pause counts, but causes no request`() {
    var run = EngineRun.idle()
    _ = run.send(.syncNow)
    #expect(run.send(.pushFailed(.unauthorized)) == [.closeStream])
    #expect(run.send(.pullAnswered(.page)) == [])
    #expect(run.phase == .paused(.unauthorized))
    #expect(run.status.lastSuccess == run.time)
  }

  @Test func `A request that failed with former credentials is sent again`() {
    var run = EngineRun.idle()
    _ = run.send(.syncNow)
    _ = run.send(.credentialsChanged)
    #expect(run.send(.pushFailed(.unauthorized)) == [.push])
    #expect(run.send(.pullFailed(.unauthorized)) == [.pull])
    #expect(run.status.lastError == nil)
    _ = run.send(.pushFailed(.unauthorized))
    #expect(run.phase == .paused(.unauthorized))
  }

  @Test func `An outdated app stays paused until its update`() {
    var run = EngineRun.listening()
    _ = run.send(.syncNow)
    #expect(run.send(.pullFailed(.upgradeRequired)) == [.closeStream])
    #expect(run.send(.pushFailed(.unauthorized)) == [])
    #expect(run.phase == .paused(.upgradeRequired))
    for event in [SyncEngine.Event.credentialsChanged, .syncNow, .changesCaptured, .started] {
      #expect(run.send(event) == [])
    }
    #expect(run.send(.stopped) == [])
    _ = run.send(.streamClosed(nil))
    #expect(run.send(.started) == [.push, .pull, .openStream])
  }

  @Test func `An upgrade requirement replaces a pause for credentials`() {
    var run = EngineRun.idle()
    _ = run.send(.syncNow)
    _ = run.send(.pushFailed(.unauthorized))
    _ = run.send(.pullFailed(.upgradeRequired))
    #expect(run.phase == .paused(.upgradeRequired))
  }

  // MARK: - Stopping

  @Test func `A stop cancels everything, and later events have no effect`() {
    var run = EngineRun.listening()
    _ = run.send(.changesCaptured)
    #expect(run.send(.stopped) == [.cancelRequests, .closeStream, .cancelTimer])
    #expect(run.phase == .stopped)
    let events: [SyncEngine.Event] = [
      .pushFailed(.cancelled), .streamClosed(nil), .changesCaptured, .hint(.news(9)), .syncNow,
      .reachabilityChanged(false), .reachabilityChanged(true), .credentialsChanged, .timerFired,
      .stopped,
    ]
    for event in events { #expect(run.send(event, after: 600_000) == []) }
    #expect(run.phase == .stopped)
  }

  @Test func `A request from before a stop is not mistaken for a later one`() {
    var run = EngineRun.idle()
    _ = run.send(.syncNow)
    #expect(run.send(.stopped).first == .cancelRequests)
    #expect(run.send(.pushAnswered(.more)) == [])
    #expect(run.send(.started) == [.push])
    #expect(run.send(.pullFailed(.cancelled)) == [.setTimer(after: 1_000)])
    #expect(run.send(.timerFired, after: 1_000) == [.pull])
  }

  @Test func `A start honours a Retry-After, and no other delay`() {
    var run = EngineRun.idle()
    _ = run.send(.syncNow)
    _ = run.send(.pushFailed(.busy(60)))
    _ = run.send(.pullFailed(.broken))
    _ = run.send(.stopped)
    #expect(run.send(.started) == [.pull, .setTimer(after: 60_000)])
  }

  // MARK: - Impossible events

  @Test func `An impossible event has no effect`() {
    var run = EngineRun()
    let early: [SyncEngine.Event] = [
      .stopped, .changesCaptured, .hint(.news(1)), .timerFired, .pushAnswered(.done),
      .pushFailed(.broken), .pullAnswered(.complete), .pullFailed(.broken), .streamOpened,
      .streamClosed(nil), .syncNow,
    ]
    for event in early { expectNoEffect(of: event, on: &run) }
    run = .listening()
    let late: [SyncEngine.Event] = [
      .started, .pushAnswered(.more), .pushFailed(.unauthorized), .pullAnswered(.page),
      .pullFailed(.unauthorized), .streamOpened,
    ]
    for event in late { expectNoEffect(of: event, on: &run) }
  }

  private func expectNoEffect(of event: SyncEngine.Event, on run: inout EngineRun) {
    let before = run.engine
    #expect(run.send(event, after: 1_000_000) == [])
    #expect(run.engine == before)
  }
}
