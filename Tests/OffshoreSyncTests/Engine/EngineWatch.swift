import OffshoreSync
import OffshoreWire

/// The observed state of an engine: its events and actions.
struct EngineWatch {
  private(set) var isStarted = false
  private(set) var pause: SyncEngine.Pause?
  private(set) var isReachable = true
  private var credentials = 0
  private(set) var push = Lane()
  private(set) var pull = Lane()
  private(set) var stream = Stream.closed
  private(set) var hasTimer = false
  private var held = SyncEngine.HeldChanges()
  /// The highest hint during the running pull, and the number that the last complete pull has
  /// reached.
  private var hinted: Int64?
  private var reached: Int64?
  /// The engine's violations, in words.
  private(set) var faults: [String] = []

  struct Lane {
    /// Whether there is work that no request has started.
    var isBehind = false
    /// The number of the credentials of the running request.
    var request: Int?
  }

  enum Stream { case closed, opening, open, closing }

  var canAsk: Bool { isStarted && pause == nil && isReachable }

  /// Whether the event can occur.
  func expects(_ event: SyncEngine.Event) -> Bool {
    switch event {
    case .started: !isStarted
    case .pushAnswered, .pushFailed: push.request != nil
    case .pullAnswered, .pullFailed: pull.request != nil
    case .streamOpened: stream == .opening
    case .streamClosed: stream != .closed
    case .reachabilityChanged, .credentialsChanged, .changesHeld: true
    default: isStarted
    }
  }

  // MARK: - Events

  mutating func note(_ event: SyncEngine.Event) {
    switch event {
    case .started: (isStarted, pause, push.isBehind, pull.isBehind) = (true, nil, true, true)
    case .stopped: isStarted = false
    case .changesCaptured: push.isBehind = true
    case .changesHeld(let changes): held = changes
    case .hint(let hint): take(hint)
    case .streamOpened: (stream, pull.isBehind) = (.open, true)
    case .reachabilityChanged(let isReachable): self.isReachable = isReachable
    case .timerFired: hasTimer = false
    case .pushAnswered(let summary):
      push.request = nil
      push.isBehind = push.isBehind || summary.hasMore
      pull.isBehind = pull.isBehind || summary.needsPull
      for (scope, head) in summary.heads { take(Hint(scope, head: head)) }
    case .pullAnswered(let summary): take(summary)
    case .pushFailed(let failure): fail(\.push, failure)
    case .pullFailed(let failure): fail(\.pull, failure)
    case .streamClosed(let failure):
      if stream != .closing, let failure { pause(after: failure) }
      stream = .closed
    case .credentialsChanged:
      credentials += 1
      (push.isBehind, pull.isBehind) = (true, true)
      if pause == .unauthorized { pause = nil }
    case .syncNow: (push.isBehind, pull.isBehind) = (true, true)
    }
  }

  private mutating func take(_ hint: Hint) {
    if let reached, hint.head <= reached { return }
    if pull.request == nil { pull.isBehind = true }
    hinted = max(hinted ?? hint.head, hint.head)
  }

  private mutating func take(_ summary: SyncEngine.PullSummary) {
    pull.request = nil
    pull.isBehind = pull.isBehind || summary.hasMore || !summary.isComplete
    push.isBehind = push.isBehind || summary.needsPush
    guard summary.isComplete else { return }
    reached = summary.heads[.charter]
    if let hinted, reached.map({ $0 < hinted }) ?? true { pull.isBehind = true }
  }

  private mutating func fail(
    _ lane: WritableKeyPath<Self, Lane>, _ failure: SyncEngine.Failure
  ) {
    let isOutdated = self[keyPath: lane].request != credentials
    self[keyPath: lane] = Lane(isBehind: true, request: nil)
    if failure.code != .unauthorized || !isOutdated { pause(after: failure) }
  }

  private mutating func pause(after failure: SyncEngine.Failure) {
    if failure.code == .upgradeRequired { pause = .upgradeRequired }
    if failure.code == .unauthorized, pause == nil { pause = .unauthorized }
  }

  // MARK: - Actions

  mutating func note(_ actions: [SyncEngine.Action]) {
    for action in actions {
      switch action {
      case .push: begin(\.push, "push")
      case .pull:
        begin(\.pull, "pull")
        hinted = nil
      case .cancelRequests: expect(!canAsk, "requests are given up for no reason")
      case .openStream:
        expect(canAsk && stream == .closed, "a stream is opened while \(stream)")
        stream = .opening
      case .closeStream:
        expect(stream == .opening || stream == .open, "a stream is closed while \(stream)")
        stream = .closing
      case .setTimer(let delay):
        expect(1...Self.longestDelay ~= delay, "a timer of \(delay) ms")
        hasTimer = true
      case .cancelTimer:
        expect(hasTimer, "a timer is cancelled that is not set")
        hasTimer = false
      }
    }
  }

  /// The longest delay: a day of `Retry-After` and five minutes of backoff.
  private static let longestDelay: Int64 = 86_400_000 + 300_000

  private mutating func begin(_ lane: WritableKeyPath<Self, Lane>, _ name: String) {
    expect(canAsk, "a \(name) while nothing may be sent")
    expect(self[keyPath: lane].request == nil, "a second \(name)")
    self[keyPath: lane] = Lane(isBehind: false, request: credentials)
  }

  private mutating func expect(_ isFine: Bool, _ fault: String) {
    if !isFine { faults.append(fault) }
  }

  // MARK: - Invariants

  /// Checks the invariants that hold after each event.
  mutating func check(_ phase: SyncEngine.Phase) {
    let isPushing = push.request != nil
    let isPulling = pull.request != nil
    if canAsk {
      expect(!push.isBehind || isPushing || hasTimer, "work that nothing sends")
      expect(!pull.isBehind || isPulling || hasTimer, "news that nothing pulls")
      expect(isPulling || hasTimer, "no poll is ever due")
      expect(stream != .closed || hasTimer, "no stream is ever opened")
    } else {
      expect(!hasTimer, "a timer while nothing may be sent")
      expect(stream == .closed || stream == .closing, "a stream while nothing may be sent")
    }
    switch phase {
    case .stopped: expect(!isStarted, "stopped")
    case .paused(let reason): expect(isStarted && pause == reason, "paused")
    case .offline: expect(isStarted && pause == nil, "offline")
    case .syncing: expect(canAsk && (isPushing || isPulling), "syncing")
    case .waiting: expect(canAsk && !isPushing && !isPulling && hasTimer, "waiting")
    case .waitingForGrant, .refused, .idle:
      expect(canAsk && !push.isBehind && !pull.isBehind && !isPushing && !isPulling, "at rest")
      let isWaiting = held.areWaitingForGrant
      expect((phase == .waitingForGrant) == isWaiting, "the wait for a grant")
      expect((phase == .refused) == (held.areRefused && !isWaiting), "refused changes")
    }
  }
}
