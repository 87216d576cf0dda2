import OffshoreWire

extension SyncEngine {
  // MARK: - Answers

  mutating func take(_ summary: PushSummary, random: UInt64) {
    guard summary.isSent else {
      push.succeed()
      return settle()
    }
    noteReached(by: push)
    if summary.applied > 0 || summary.rejected > 0 {
      push.succeed()
    } else {
      push.stall(random: random, timing)
    }
    settle()
    if summary.hasMore { push.isWanted = true }
    if summary.needsPull { pull.isWanted = true }
    // What was applied stays over the confirmed rows until a pull brings it, as one may be doing.
    for (scope, head) in summary.heads
    where hints.hear(Hint(scope, head: head), isPulling: pull.isRunning) { pull.isWanted = true }
  }

  mutating func take(_ summary: PullSummary, random: UInt64) {
    receivedCount += summary.changed
    noteReached(by: pull)
    if summary.isComplete || summary.hasMore && summary.hasAdvanced {
      pull.succeed()
    } else {
      pull.stall(random: random, timing)
    }
    settle()
    if summary.isComplete {
      poll = stream.state == .open ? timing.safetyPolling : timing.polling
      if hints.complete(with: summary.heads) { pull.isWanted = true }
    }
    if summary.hasMore || !summary.isComplete { pull.isWanted = true }
    if summary.needsPush { push.isWanted = true }
  }

  /// Notes that a request of a lane was answered.
  ///
  /// Where the lane's last one had not come through, the network is back, and all that waits for it
  /// goes at once.
  private mutating func noteReached(by lane: RequestLane) {
    lastSuccess = now
    isUnreached = false
    if lane.retry.isOfNetwork { endNetworkDelays() }
  }

  /// Keeps an error only as long as a lane has one.
  private mutating func settle() { lastError = push.retry.failure ?? pull.retry.failure }

  // MARK: - Failures

  mutating func fail(
    _ lane: WritableKeyPath<SyncEngine, RequestLane>, _ failure: Failure, random: UInt64
  ) {
    // NB: A request that left with the former credentials says nothing about the present ones.
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

  /// Pauses where a failure asks for it. Only an update of the app helps against an old one.
  private mutating func pause(after failure: Failure) {
    guard let pause = failure.pause, self.pause != .upgradeRequired else { return }
    self.pause = pause
    lastError = failure
  }

  // MARK: - The event stream

  mutating func takeOpenStream() {
    stream.didOpen()
    isUnreached = false
    endNetworkDelays()
    membershipChanges &+= 1
    // What changed before the server began to listen for this device comes with no hint.
    pull.isWanted = true
  }

  mutating func takeClosedStream(_ failure: Failure?, random: UInt64) {
    let isUnexpected = stream.state != .closing
    stream.didClose(failure, random: random, timing)
    poll = min(poll, timing.polling)
    if isUnexpected, let failure { pause(after: failure) }
  }

  mutating func take(_ hint: Hint) {
    if hint.isAboutMembers { membershipChanges &+= 1 }
    guard hints.hear(hint, isPulling: pull.isRunning) else { return }
    pull.isWanted = true
    // NB: A hint reaches all devices of a scope at once. Where the server itself has failed, their
    // delays are what keeps them from coming back all at once.
    if pull.retry.isOfNetwork { pull.retry.reset() }
  }
}
