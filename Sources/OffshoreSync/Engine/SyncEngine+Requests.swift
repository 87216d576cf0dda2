import OffshoreWire

extension SyncEngine {
  // MARK: - Answers

  mutating func applyPush(_ summary: PushSummary, random: UInt64) {
    guard summary.isSent else {
      push.succeed()
      return updateLastError()
    }
    recordContact(by: push)
    if summary.applied > 0 || summary.rejected > 0 {
      push.succeed()
    } else {
      push.stall(random: random, timing)
    }
    updateLastError()
    if summary.hasMore { push.isWanted = true }
    if summary.needsPull { pull.isWanted = true }
    // Applied changes stay merged over the confirmed rows until a pull has fetched them. A pull
    // that is under way may do that.
    for (scope, head) in summary.heads
    where hints.record(Hint(scope, head: head), isPulling: pull.isRunning) { pull.isWanted = true }
  }

  mutating func applyPull(_ summary: PullSummary, random: UInt64) {
    receivedCount += summary.changed
    recordContact(by: pull)
    if summary.isComplete || summary.hasMore && summary.hasAdvanced {
      pull.succeed()
    } else {
      pull.stall(random: random, timing)
    }
    updateLastError()
    if summary.isComplete {
      poll = stream.state == .open ? timing.safetyPolling : timing.polling
      if hints.complete(with: summary.heads) { pull.isWanted = true }
    }
    if summary.hasMore || !summary.isComplete { pull.isWanted = true }
    if summary.needsPush { push.isWanted = true }
  }

  /// Records that a request of a lane was answered.
  ///
  /// If the lane's request before it had not reached the server, the network is back, and all
  /// delays because of the network end.
  private mutating func recordContact(by lane: RequestLane) {
    lastSuccess = now
    isUnreached = false
    if lane.retry.isOfNetwork { endNetworkDelays() }
  }

  /// Updates the last error to that of a lane, and clears it if neither lane has one.
  private mutating func updateLastError() { lastError = push.retry.failure ?? pull.retry.failure }

  // MARK: - Failures

  mutating func fail(
    _ lane: WritableKeyPath<SyncEngine, RequestLane>, _ failure: Failure, random: UInt64
  ) {
    // NB: A request with a former access token says nothing about the present one.
    let isOutdated = self[keyPath: lane].credentials != credentials
    switch failure.code {
    case .unauthorized where isOutdated: self[keyPath: lane].restart()
    case .cancelled:
      self[keyPath: lane].stall(random: random, timing)
      self[keyPath: lane].isWanted = true
    default:
      self[keyPath: lane].fail(failure, random: random, timing)
      isUnreached = failure.code == .unreachable
      lastError = failure
      pause(after: failure)
    }
  }

  /// Pauses requests if a failure requires that. The pause of an outdated app stays, because only
  /// an update ends it.
  private mutating func pause(after failure: Failure) {
    guard let pause = failure.pause, self.pause != .upgradeRequired else { return }
    self.pause = pause
    lastError = failure
  }

  // MARK: - The event stream

  mutating func streamDidOpen() {
    stream.didOpen()
    isUnreached = false
    endNetworkDelays()
    membershipChanges &+= 1
    // Changes from before the stream was opened have no hint.
    pull.isWanted = true
  }

  mutating func streamDidClose(_ failure: Failure?, random: UInt64) {
    let isUnexpected = stream.state != .closing
    stream.didClose(failure, random: random, timing)
    poll = min(poll, timing.polling)
    if isUnexpected, let failure { pause(after: failure) }
  }

  mutating func applyHint(_ hint: Hint) {
    if hint.isAboutMembers { membershipChanges &+= 1 }
    guard hints.record(hint, isPulling: pull.isRunning) else { return }
    pull.isWanted = true
    // NB: A hint reaches all devices of a scope at once. If the server itself had failed, their
    // delays stay, so that they do not all return at the same time.
    if pull.retry.isOfNetwork { pull.retry.reset() }
  }
}
