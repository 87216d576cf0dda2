extension SyncEngine {
  mutating func begin() {
    isStarted = true
    pause = nil
    isUnreached = false
    push.isWanted = true
    pull.isWanted = true
    endDelays()
  }

  /// Records the state from the network monitor.
  ///
  /// A network that returns starts a pull and ends the delays. It also counts as returning if only
  /// requests had failed to reach the server.
  mutating func applyReachability(_ isReachable: Bool) {
    let wasAway =
      monitor == false || isUnreached || push.retry.isOfNetwork || pull.retry.isOfNetwork
    monitor = isReachable
    guard isReachable, wasAway else { return }
    isUnreached = false
    pull.isWanted = true
    endDelays()
  }

  mutating func changeCredentials() {
    credentials &+= 1
    if pause == .unauthorized { pause = nil }
    push.isWanted = true
    pull.isWanted = true
    stream.replace()
    endDelays()
  }

  mutating func retryNow() {
    isUnreached = false
    push.isWanted = true
    pull.isWanted = true
    push.retry.release()
    pull.retry.release()
    stream.retry.release()
  }

  private mutating func endDelays() {
    push.retry.reset()
    pull.retry.reset()
    stream.retry.reset()
  }

  mutating func endNetworkDelays() {
    if push.retry.isOfNetwork { push.retry.reset() }
    if pull.retry.isOfNetwork { pull.retry.reset() }
    if stream.retry.isOfNetwork { stream.retry.reset() }
  }
}
