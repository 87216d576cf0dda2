import OffshoreSync
import OffshoreWire
import Testing

/// The content of the status, and the conversion of failures.
struct EngineStatusTests {
  @Test func `An engine is stopped until it is started`() {
    let status = EngineRun().status
    #expect(status.phase == .stopped)
    #expect(status.nextRetry == nil && status.lastError == nil && status.lastSuccess == nil)
  }

  @Test func `A hint about a membership counts, and one about changed rows does not`() throws {
    var run = EngineRun.idle()
    let before = run.status.membershipChanges
    let scope = try ScopeID(kind: "list", value: "1")
    _ = run.send(.hint(Hint(scope, head: 7)))
    #expect(run.status.membershipChanges == before)
    _ = run.send(.hint(Hint(scope, head: WireLimits.number)))
    #expect(run.status.membershipChanges == before + 1)
  }

  @Test func `The status of a delayed device has the end of the delay`() {
    var run = EngineRun.idle()
    _ = run.send(.changesCaptured)
    _ = run.send(.pushFailed(.broken))
    #expect(run.phase == .waiting(until: run.time + 1_000))
    #expect(run.status.nextRetry == run.time + 1_000)
    let until = run.phase
    _ = run.send(.changesCaptured, after: 300)
    #expect(run.phase == until)
  }

  @Test func `The status has the earlier retry of both lanes`() {
    var run = EngineRun.idle()
    _ = run.send(.syncNow)
    _ = run.send(.pushFailed(.busy(60)))
    #expect(run.phase == .syncing)
    _ = run.send(.pullFailed(.broken))
    #expect(run.status.nextRetry == run.time + 1_000)
  }

  @Test func `An error is shown until the failed request succeeds`() {
    var run = EngineRun.idle()
    _ = run.send(.syncNow)
    _ = run.send(.pushFailed(.broken))
    #expect(run.status.lastError == .broken)
    _ = run.send(.pullFailed(.full))
    #expect(run.status.lastError == .full)
    _ = run.send(.timerFired, after: 1_000)
    _ = run.send(.pullAnswered(.complete))
    #expect(run.status.lastError == .broken)
    _ = run.send(.pushAnswered(.done))
    #expect(run.status.lastError == nil)
  }

  @Test func `An error disappears when there is nothing to send any more`() {
    var run = EngineRun.idle()
    _ = run.send(.changesCaptured)
    _ = run.send(.pushFailed(.broken))
    _ = run.send(.timerFired, after: 1_000)
    _ = run.send(.pushAnswered(.nothingToSend))
    #expect(run.status.lastError == nil)
    #expect(run.phase == .idle)
  }

  @Test func `An answer without progress ends an error`() {
    var run = EngineRun.idle()
    _ = run.send(.changesCaptured)
    _ = run.send(.pushFailed(.broken))
    _ = run.send(.timerFired, after: 1_000)
    _ = run.send(.pushAnswered(.fruitless))
    #expect(run.status.lastError == nil)
    #expect(run.phase == .waiting(until: run.time + 2_000))
  }

  @Test func `Refused changes that are sent again later are no rest`() {
    var run = EngineRun.idle()
    _ = run.send(.changesCaptured)
    _ = run.send(
      .pushAnswered(
        .init(applied: 0, rejected: 1, needsPull: false, hasMore: false, nextTry: 5_000)))
    #expect(run.phase == .waiting(until: run.time + 5_000))
    #expect(run.status.nextRetry == run.time + 5_000)
    _ = run.send(.timerFired, after: 5_000)
    #expect(run.phase == .syncing)
    _ = run.send(.pushAnswered(.nothingToSend))
    #expect(run.phase == .idle && run.status.nextRetry == nil)
  }

  @Test func `An engine is not idle beside changes that no request sends`() {
    var run = EngineRun.idle()
    var held = SyncEngine.HeldChanges()
    held.areRefused = true
    #expect(run.send(.changesHeld(held)) == [])
    #expect(run.phase == .refused)
    held.areWaitingForGrant = true
    #expect(run.send(.changesHeld(held)) == [])
    #expect(run.phase == .waitingForGrant)
    _ = run.send(.changesCaptured)
    #expect(run.phase == .syncing)
    _ = run.send(.pushAnswered(.nothingToSend))
    #expect(run.phase == .waitingForGrant && run.phase.isAtRest)
    _ = run.send(.changesHeld(SyncEngine.HeldChanges()))
    #expect(run.phase == .idle)
  }

  @Test func `The last success is the time of the last answer`() {
    var run = EngineRun.idle()
    let first = run.time
    #expect(run.status.lastSuccess == first)
    _ = run.send(.changesCaptured, after: 500)
    _ = run.send(.pushFailed(.broken), after: 500)
    #expect(run.status.lastSuccess == first)
    _ = run.send(.timerFired, after: 1_000)
    _ = run.send(.pushAnswered(.done), after: 500)
    #expect(run.status.lastSuccess == run.time)
  }

  // MARK: - Failures

  @Test func `A server's problem becomes a failure`() {
    let busy = WireProblem(.tooManyRequests, "Ask less.", retryAfter: 7)
    #expect(SyncEngine.Failure(busy) == .init(.server, "Ask less.", retryAfter: 7, status: 429))
    #expect(SyncEngine.Failure(WireProblem(.unauthorized, "Who?")).code == .unauthorized)
    #expect(SyncEngine.Failure(WireProblem(.upgradeRequired, "Old.")).code == .upgradeRequired)
    #expect(SyncEngine.Failure(WireProblem(.init(rawValue: "new"), "?")).code == .server)
  }

  @Test(arguments: [
    (401, "unauthorized"), (413, "tooLarge"), (426, "upgradeRequired"), (429, "server"),
    (0, "server"),
  ])
  func `An HTTP status becomes a failure`(_ status: Int, _ code: String) {
    let failure = SyncEngine.Failure(status: status, retryAfter: 3)
    #expect(failure.retryAfter == 3)
    #expect(failure.description == "\(code): The server answered with the status \(status).")
  }
}
