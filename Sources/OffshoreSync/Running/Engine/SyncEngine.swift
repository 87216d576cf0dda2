package import OffshoreWire

/// The state machine that decides when a device pushes, pulls, listens and waits.
///
/// It is a value without a clock, randomness or I/O: a driver passes events to it, and performs the
/// returned actions in their order.
///
/// ```swift
/// var engine = SyncEngine()
/// let moment = SyncEngine.Moment(milliseconds: 1_700_000_000_000, random: .random(in: 0 ... .max))
/// let actions = engine.handle(.started, at: moment)  // [.push, .pull, .openStream]
/// ```
///
/// - Pushes and pulls are two lanes. Neither waits for the other, and each has one request at a
///   time. An event during a request leads to another request after it.
/// - A failed request is sent again until it succeeds, after delays that ``Timing`` bounds. A
///   server's `Retry-After` is the least delay of its lane. Only ``Event/syncNow`` ignores it,
///   because the user asks for that: a server that sends a day by mistake must not lock the user
///   out.
/// - When the network returns, all delays but a `Retry-After` end. If the last pull failed because
///   it did not reach the server (`unreachable` or `timedOut`), a hint ends its delay. So that
///   requests do not loop, a request is also delayed after an answer to a push that neither applied
///   nor refused a batch, and after an incomplete answer to a pull that brought nothing new.
/// - No request is made while the network monitor reports no network. Syncing pauses while the
///   server does not accept the access token, and after it has answered that it does not support
///   this version of the app.
/// - A push that did not arrive whole is followed by smaller ones, down to one batch, and their size
///   grows again with those that arrive.
/// - The event stream makes pulls prompt. A stream that ends is opened again at once. Without a
///   stream, pulls follow at an interval.
///
/// The driver reports one answer or failure for each push and each pull, and one
/// ``Event/streamClosed(_:)`` for each stream, also after the engine was stopped. So the end of an
/// earlier request is not mistaken for that of a later one.
public struct SyncEngine: Hashable, Sendable {
  /// The delays and intervals.
  public let timing: Timing

  private(set) var isStarted = false
  private(set) var pause: Pause?
  /// The last state from the network monitor, or `nil` if there was none.
  private(set) var monitor: Bool?
  /// Whether the last request did not reach the server.
  private(set) var isUnreached = false
  /// The number of times that the access token has changed.
  private(set) var credentials: UInt64 = 0

  private(set) var push = RequestLane()
  /// The size of the next push.
  package private(set) var pushSize = PushSize()
  private(set) var pull = RequestLane()
  /// The scopes of the pull under way, or of the last one.
  public private(set) var pullTarget = PullTarget.all
  /// The scopes of the next pull, if one is wanted.
  private(set) var wantedTarget = PullTarget.none
  private(set) var stream = StreamLane()
  private(set) var hints = HintLedger()

  /// The milliseconds until refused changes are sent again, or `nil` if there are none of them.
  private(set) var nextTry: Int64?
  /// The changes that wait for a grant or for the user.
  private(set) var held = HeldChanges()
  /// The milliseconds until the next pull at the regular interval.
  private(set) var poll: Int64 = 0
  /// The milliseconds left of the driver's timer, or `nil` if it is not set.
  private(set) var timer: Int64?
  /// The time of the last event.
  private(set) var now: Int64?

  private(set) var lastError: Failure?
  /// The reason why the last pull of all scopes has left some out.
  private var unreadable: Failure?
  private(set) var lastSuccess: Int64?
  /// The number of rows that pulls have changed.
  private(set) var receivedCount = 0
  /// The number of hints about changed memberships, and of opened event streams.
  private(set) var membershipChanges: UInt64 = 0

  /// Creates an engine, which waits for ``Event/started``.
  public init(timing: Timing = Timing()) { self.timing = timing.bounded }

  /// Processes an event.
  ///
  /// An event that cannot happen, such as an answer without a request, changes nothing and returns
  /// no action.
  /// - Returns: the actions to perform, in order.
  public mutating func handle(_ event: Event, at moment: Moment) -> [Action] {
    guard expects(event) else { return [] }
    let wasConnected = isConnected
    pass(to: moment.milliseconds)
    apply(event, random: moment.random)
    let isCutOff = wasConnected && !isConnected && (push.isRunning || pull.isRunning)
    return (isCutOff ? [.cancelRequests] : []) + start() + schedule()
  }

  /// Limits the size of pushes to that of the last one, which is about to fail because of it.
  /// - Parameter bytes: the bytes of its batches, of which there are several.
  mutating func limitPushes(to bytes: Int) { pushSize.limit(to: bytes) }

  /// The scopes with hints since the last complete pull.
  package var hintedScopes: Set<ScopeID> { hints.scopes }

  /// Whether requests may be made.
  var canAsk: Bool { isConnected && pause == nil }

  private var isConnected: Bool { isStarted && monitor != false }

  private func expects(_ event: Event) -> Bool {
    switch event {
    case .started: !isStarted
    case .reachabilityChanged, .credentialsChanged, .changesHeld: true
    case .pushAnswered, .pushFailed: push.isRunning
    case .pullAnswered, .pullFailed: pull.isRunning
    case .streamOpened: stream.state == .opening
    case .streamClosed: stream.state != .closed
    case .stopped, .changesCaptured, .hint, .timerFired, .syncNow: isStarted
    }
  }

  /// Advances the time. If the clock has stepped back, no time has elapsed.
  private mutating func pass(to time: Int64) {
    let elapsed = max(time - (now ?? time), 0)
    now = time
    push.retry.pass(elapsed)
    pull.retry.pass(elapsed)
    stream.pass(elapsed)
    poll = max(poll - elapsed, 0)
    nextTry = nextTry.map { max($0 - elapsed, 0) }
    timer = timer.map { max($0 - elapsed, 0) }
  }

  private mutating func apply(_ event: Event, random: UInt64) {
    switch event {
    case .started: begin()
    case .stopped: isStarted = false
    case .changesCaptured: push.isWanted = true
    case .changesHeld(let changes): held = changes
    case .hint(let hint): applyHint(hint)
    case .reachabilityChanged(let isReachable): applyReachability(isReachable)
    case .timerFired: timer = nil
    case .pushAnswered(let summary): applyPush(summary, random: random)
    case .pushFailed(let failure):
      pushSize.fail(failure)
      fail(\.push, failure, random: random)
    case .pullAnswered(let summary): applyPull(summary, random: random)
    case .pullFailed(let failure): fail(\.pull, failure, random: random)
    case .streamOpened: streamDidOpen()
    case .streamClosed(let failure): streamDidClose(failure, random: random)
    case .credentialsChanged: changeCredentials()
    case .syncNow: retryNow()
    }
  }

  // MARK: - Actions

  private mutating func start() -> [Action] {
    var actions: [Action] = []
    if !canAsk || stream.isOutdated, stream.close() { actions.append(.closeStream) }
    guard canAsk else { return actions }
    if poll == 0, !pull.isRunning { wantPull(.all) }
    if nextTry == 0, !push.isRunning { (push.isWanted, nextTry) = (true, nil) }
    if push.start(with: credentials) { actions.append(.push) }
    if pull.start(with: credentials) {
      (pullTarget, wantedTarget) = (wantedTarget, .none)
      actions.append(.pull)
    }
    if stream.open() { actions.append(.openStream) }
    return actions
  }

  private mutating func schedule() -> [Action] {
    let wanted = canAsk ? nextWait : nil
    guard wanted != timer else { return [] }
    timer = wanted
    return [wanted.map { .setTimer(after: $0) } ?? .cancelTimer]
  }

  private var nextWait: Int64? {
    let polling = pull.isWanted || pull.isRunning ? nil : poll
    let trying = push.isWanted || push.isRunning ? nil : nextTry
    return [push.wait, pull.wait, stream.wait, polling, trying].compactMap(\.self).min()
  }
}

extension SyncEngine {
  /// Requests a pull of further scopes.
  private mutating func wantPull(_ target: PullTarget) {
    pull.isWanted = true
    wantedTarget = wantedTarget.union(target)
  }

  private mutating func begin() {
    isStarted = true
    pause = nil
    isUnreached = false
    push.isWanted = true
    wantPull(.all)
    endDelays()
  }

  /// Records the state from the network monitor.
  ///
  /// A network that returns starts a pull and ends the delays. It also counts as returning if only
  /// requests had failed to reach the server.
  private mutating func applyReachability(_ isReachable: Bool) {
    let wasAway =
      monitor == false || isUnreached || push.retry.isOfNetwork || pull.retry.isOfNetwork
    monitor = isReachable
    guard isReachable, wasAway else { return }
    isUnreached = false
    wantPull(.all)
    endDelays()
  }

  private mutating func changeCredentials() {
    credentials &+= 1
    if pause == .unauthorized { pause = nil }
    push.isWanted = true
    wantPull(.all)
    stream.replace()
    endDelays()
  }

  private mutating func retryNow() {
    isUnreached = false
    push.isWanted = true
    wantPull(.all)
    push.retry.release()
    pull.retry.release()
    stream.retry.release()
  }

  private mutating func endDelays() {
    push.retry.reset()
    pull.retry.reset()
    stream.retry.reset()
  }

  private mutating func endNetworkDelays() {
    if push.retry.isOfNetwork { push.retry.reset() }
    if pull.retry.isOfNetwork { pull.retry.reset() }
    if stream.retry.isOfNetwork { stream.retry.reset() }
  }
}

extension SyncEngine {
  // MARK: - Answers

  private mutating func applyPush(_ summary: PushSummary, random: UInt64) {
    nextTry = summary.nextTry
    guard summary.isSent else {
      push.succeed()
      return updateLastError()
    }
    recordContact(by: push)
    if summary.applied > 0 || summary.rejected > 0 {
      push.succeed()
      if !summary.isDivided { pushSize.succeed(isFull: summary.hasMore) }
    } else {
      push.stall(random: random, timing)
    }
    updateLastError()
    if summary.hasMore { push.isWanted = true }
    if summary.needsPull { wantPull(.all) }
    // Applied changes stay merged over the confirmed rows until a pull has fetched them. A pull
    // that is under way may do that.
    for (scope, head) in summary.heads
    where hints.record(Hint(scope, head: head), isPulling: pull.isRunning) {
      wantPull(.scopes([scope]))
    }
  }

  private mutating func applyPull(_ summary: PullSummary, random: UInt64) {
    receivedCount += summary.changed
    recordContact(by: pull)
    if summary.isComplete, pullTarget == .all { unreadable = summary.unreadable }
    if summary.isComplete || summary.hasMore && summary.hasAdvanced {
      pull.succeed()
    } else {
      pull.stall(random: random, timing)
    }
    updateLastError()
    if summary.isComplete {
      if pullTarget == .all { poll = stream.state == .open ? timing.safetyPolling : timing.polling }
      let isWhole = pullTarget == .all
      let behind = hints.complete(with: summary.heads, isWhole: isWhole)
      if !behind.isEmpty { wantPull(.scopes(behind)) }
    }
    if summary.hasMore || !summary.isComplete {
      wantPull(summary.needsAll ? .all : pullTarget)
    }
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

  /// Updates the last error to that of a lane, or of scopes that cannot be read, and clears it if
  /// there is none.
  private mutating func updateLastError() {
    lastError = push.retry.failure ?? pull.retry.failure ?? unreadable
  }

  // MARK: - Failures

  private mutating func fail(
    _ lane: WritableKeyPath<SyncEngine, RequestLane>, _ failure: Failure, random: UInt64
  ) {
    // A pull of all scopes finds out which ones have data that cannot be read.
    if lane == \.pull {
      wantedTarget = failure.code == .malformed ? .all : wantedTarget.union(pullTarget)
    }
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

  private mutating func streamDidOpen() {
    stream.didOpen()
    isUnreached = false
    endNetworkDelays()
    membershipChanges &+= 1
    // Changes from before the stream was opened have no hint.
    wantPull(.all)
  }

  private mutating func streamDidClose(_ failure: Failure?, random: UInt64) {
    let isUnexpected = stream.state != .closing
    stream.didClose(failure, random: random, timing)
    poll = min(poll, timing.polling)
    if isUnexpected, let failure { pause(after: failure) }
  }

  private mutating func applyHint(_ hint: Hint) {
    if hint.isAboutMembers { membershipChanges &+= 1 }
    guard hints.record(hint, isPulling: pull.isRunning) else { return }
    wantPull(hint.isAboutMembers ? .all : .scopes([hint.scope]))
    // NB: A hint reaches all devices of a scope at once. If the server itself had failed, their
    // delays stay, so that they do not all return at the same time.
    if pull.retry.isOfNetwork { pull.retry.reset() }
  }
}
