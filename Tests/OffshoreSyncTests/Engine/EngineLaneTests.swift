import OffshoreSync
import OffshoreWire
import Testing

/// The causes of pushes and pulls without failures.
struct EngineLaneTests {
  @Test func `A start pushes, pulls and listens`() {
    var run = EngineRun()
    #expect(run.send(.started) == [.push, .pull, .openStream])
    #expect(run.phase == .syncing)
  }

  @Test func `An idle device waits for the next poll`() {
    var run = EngineRun()
    _ = run.send(.started)
    #expect(run.send(.pushAnswered(.nothingToSend)) == [])
    #expect(run.send(.pullAnswered(.complete)) == [.setTimer(after: 30_000)])
    #expect(run.phase == .idle)
  }

  @Test func `A captured change is pushed at once`() {
    var run = EngineRun.idle()
    #expect(run.send(.changesCaptured) == [.push])
  }

  @Test func `Changes during a push cause exactly one more push after it`() {
    var run = EngineRun.idle()
    #expect(run.send(.changesCaptured) == [.push])
    #expect(run.send(.changesCaptured) == [])
    #expect(run.send(.changesCaptured) == [])
    #expect(run.send(.pushAnswered(.nothingToSend)) == [.push])
    #expect(run.send(.pushAnswered(.nothingToSend)) == [])
  }

  @Test func `A push that was applied is followed by a pull`() {
    var run = EngineRun.idle()
    _ = run.send(.changesCaptured)
    #expect(run.send(.pushAnswered(.done)) == [.pull, .cancelTimer])
  }

  @Test func `A refused push is followed by a pull only if it needs one`() {
    var run = EngineRun.idle()
    _ = run.send(.changesCaptured)
    let refused = SyncEngine.PushSummary(
      applied: 0, rejected: 1, needsPull: false, hasMore: false)
    #expect(run.send(.pushAnswered(refused)) == [])
    _ = run.send(.changesCaptured)
    let needing = SyncEngine.PushSummary(applied: 0, rejected: 1, needsPull: true, hasMore: false)
    #expect(run.send(.pushAnswered(needing)) == [.pull, .cancelTimer])
  }

  @Test func `A push is followed by the next one while there is more to send`() {
    var run = EngineRun.idle()
    _ = run.send(.changesCaptured)
    #expect(run.send(.pushAnswered(.more)) == [.push, .pull, .cancelTimer])
    #expect(run.send(.pushAnswered(.done)) == [])
  }

  @Test func `A pull during which a push was applied is followed by another`() {
    var run = EngineRun.idle()
    _ = run.send(.syncNow)
    #expect(run.send(.pushAnswered(.done)) == [])
    #expect(run.send(.pullAnswered(.complete)) == [.pull])
    #expect(run.send(.pullAnswered(.complete)) == [.setTimer(after: 30_000)])
  }

  @Test func `A push whose changes a pull has already delivered is not followed by a pull`() {
    var run = EngineRun.idle()
    let brought = SyncEngine.PullSummary(
      isComplete: true, hasMore: false, hasAdvanced: true, needsPush: false, heads: [.charter: 7])
    _ = run.send(.changesCaptured)
    // The push's own hint arrives first. Its pull may end before or after the push's answer.
    #expect(run.send(.hint(Hint(.charter, head: 7))) == [.pull, .cancelTimer])
    #expect(run.send(.pullAnswered(brought)) == [.setTimer(after: 30_000)])
    #expect(run.send(.pushAnswered(.done)) == [])
    _ = run.send(.syncNow)
    #expect(run.send(.pushAnswered(.done)) == [])
    #expect(run.send(.pullAnswered(brought)) == [.setTimer(after: 30_000)])
  }

  @Test func `A pull continues page by page`() {
    var run = EngineRun.idle()
    #expect(run.send(.syncNow) == [.push, .pull, .cancelTimer])
    #expect(run.send(.pullAnswered(.page)) == [.pull])
    #expect(run.send(.pullAnswered(.page)) == [.pull])
    #expect(run.send(.pullAnswered(.complete)) == [.setTimer(after: 30_000)])
  }

  @Test func `A pull that enables a change to be sent is followed by a push`() {
    var run = EngineRun.idle()
    _ = run.send(.timerFired, after: 30_000)
    let summary = SyncEngine.PullSummary(
      isComplete: true, hasMore: false, hasAdvanced: true, needsPush: true)
    #expect(run.send(.pullAnswered(summary)) == [.push, .setTimer(after: 30_000)])
  }

  @Test func `A push and a pull do not wait for each other`() {
    var run = EngineRun.idle()
    #expect(run.send(.changesCaptured) == [.push])
    #expect(run.send(.timerFired, after: 30_000) == [.pull])
    var other = EngineRun.idle()
    #expect(other.send(.timerFired, after: 30_000) == [.pull])
    #expect(other.send(.changesCaptured) == [.push])
  }

  @Test func `An answer without progress delays the next request`() {
    var run = EngineRun.idle()
    _ = run.send(.changesCaptured)
    #expect(run.send(.pushAnswered(.fruitless)) == [.setTimer(after: 1_000)])
    #expect(run.send(.timerFired, after: 1_000) == [.push, .setTimer(after: 29_000)])
    #expect(run.send(.pushAnswered(.fruitless)) == [.setTimer(after: 2_000)])
    #expect(run.send(.timerFired, after: 2_000) == [.push, .setTimer(after: 27_000)])
    #expect(run.send(.pushAnswered(.more)) == [.push, .pull, .cancelTimer])
  }

  @Test(arguments: [(true, false), (false, false), (false, true)])
  func `An incomplete pull without progress is delayed`(
    _ hasMore: Bool, _ hasAdvanced: Bool
  ) {
    var run = EngineRun.idle()
    _ = run.send(.timerFired, after: 30_000)
    let summary = SyncEngine.PullSummary(
      isComplete: false, hasMore: hasMore, hasAdvanced: hasAdvanced, needsPush: false)
    #expect(run.send(.pullAnswered(summary)) == [.setTimer(after: 1_000)])
    #expect(run.send(.timerFired, after: 1_000) == [.pull])
  }

  @Test func `After an unreadable answer for single scopes, all are pulled`() {
    var run = EngineRun.idle()
    #expect(run.send(.hint(Hint(.charter, head: 7))) == [.pull, .cancelTimer])
    #expect(run.engine.pullTarget == .scopes([.charter]))
    _ = run.send(.pullFailed(SyncEngine.Failure(.malformed, "Not a page.")))
    _ = run.send(.timerFired, after: 1_000)
    #expect(run.engine.pullTarget == .all)
  }

  @Test func `The status names a scope that a complete pull has left out until one has all`() {
    var run = EngineRun.idle()
    let failure = SyncEngine.Failure(.malformed, "Not a page.")
    let partial = SyncEngine.PullSummary(
      isComplete: true, hasMore: false, hasAdvanced: true, needsPush: false,
      heads: [.charter: .max], unreadable: failure)
    _ = run.send(.timerFired, after: 30_000)
    #expect(run.send(.pullAnswered(partial)) == [.setTimer(after: 30_000)])
    #expect(run.status.phase == .idle && run.status.lastError == failure)
    #expect(run.send(.hint(Hint(.charter, head: 7))) == [], "it would fail again")
    _ = run.send(.changesCaptured)
    _ = run.send(.pushAnswered(.done))
    #expect(run.status.lastError == failure)
    _ = run.send(.syncNow)
    _ = run.send(.pullAnswered(.complete))
    #expect(run.status.lastError == nil)
  }

  @Test func `A push with nothing to send does not count as a success`() {
    var run = EngineRun()
    _ = run.send(.started)
    _ = run.send(.pushAnswered(.nothingToSend))
    #expect(run.status.lastSuccess == nil)
    _ = run.send(.pullAnswered(.complete), after: 70)
    #expect(run.status.lastSuccess == run.time)
  }
}
