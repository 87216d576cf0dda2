/// Decides when a device pushes, pulls, listens and waits, from what happens and from nothing else.
///
/// It is a value without clock, randomness and I/O: a driver hands it events, and performs the
/// actions that it answers with, in their order.
///
/// ```swift
/// var engine = SyncEngine()
/// let moment = SyncEngine.Moment(milliseconds: 1_700_000_000_000, random: .random(in: 0 ... .max))
/// let actions = engine.handle(.started, at: moment)  // [.push, .pull, .openStream]
/// ```
///
/// - Pushes and pulls are two lanes. Neither waits for the other, and each has one request at a
///   time. What happens during a request is remembered and leads to another one after it.
/// - A request that fails is sent again, forever, after a delay that ``Timing`` bounds. A server's
///   `Retry-After` is the least delay of its lane, and only ``Event/syncNow`` passes over it: that
///   is a person who asks, and a server that means a day by mistake is not to lock them out.
/// - A network that is back ends every delay, and a hint that of a pull which had not reached the
///   server. An answer that brings nothing is followed by a delay, too, so nothing goes in circles.
/// - Requests pause while the network monitor says that there is no network, while the server does
///   not take the credentials, and once it takes no app of this version.
/// - The event stream makes pulls prompt. One that ends is opened again at once. Without it pulls come
///   at an interval.
///
/// The driver reports one answer or failure for each push and each pull, and for each stream that
/// it was to open one ``Event/streamClosed(_:)``, also after the engine has been stopped. So
/// nothing that was begun before is taken for what was begun later.
public struct SyncEngine: Hashable, Sendable {
  /// The delays and intervals.
  public let timing: Timing

  var isStarted = false
  var pause: Pause?
  /// What the network monitor has told last.
  var monitor: Bool?
  /// Whether the last request found no network.
  var isUnreached = false
  /// How often the credentials have changed.
  var credentials: UInt64 = 0

  var push = RequestLane()
  var pull = RequestLane()
  var stream = StreamLane()
  var hints = HintLedger()

  /// The milliseconds until the next pull that nothing but time asks for.
  var poll: Int64 = 0
  /// The milliseconds that the driver's timer still has.
  var timer: Int64?
  var now: Int64?

  var lastError: Failure?
  var lastSuccess: Int64?
  /// The number of rows that pulls have changed.
  var receivedCount = 0
  /// The number of hints at changed memberships, and of opened event streams.
  var membershipChanges: UInt64 = 0

  /// Creates an engine that waits for ``Event/started``.
  public init(timing: Timing = Timing()) { self.timing = timing.bounded }

  /// Takes an event, and tells what is to be done.
  ///
  /// An event that cannot be, as an answer without a request, changes nothing and gives no action.
  public mutating func handle(_ event: Event, at moment: Moment) -> [Action] {
    guard expects(event) else { return [] }
    let wasConnected = isConnected
    pass(to: moment.milliseconds)
    take(event, random: moment.random)
    let isCutOff = wasConnected && !isConnected && (push.isRunning || pull.isRunning)
    return (isCutOff ? [.cancelRequests] : []) + start() + schedule()
  }

  /// Whether requests may be made.
  var canAsk: Bool { isConnected && pause == nil }

  private var isConnected: Bool { isStarted && monitor != false }

  private func expects(_ event: Event) -> Bool {
    switch event {
    case .started: !isStarted
    case .reachabilityChanged, .credentialsChanged: true
    case .pushAnswered, .pushFailed: push.isRunning
    case .pullAnswered, .pullFailed: pull.isRunning
    case .streamOpened: stream.state == .opening
    case .streamClosed: stream.state != .closed
    case .stopped, .changesCaptured, .hint, .timerFired, .syncNow: isStarted
    }
  }

  /// Lets time pass. A clock that has stepped back has shown none.
  private mutating func pass(to time: Int64) {
    let elapsed = max(time - (now ?? time), 0)
    now = time
    push.retry.pass(elapsed)
    pull.retry.pass(elapsed)
    stream.pass(elapsed)
    poll = max(poll - elapsed, 0)
    timer = timer.map { max($0 - elapsed, 0) }
  }

  private mutating func take(_ event: Event, random: UInt64) {
    switch event {
    case .started: begin()
    case .stopped: isStarted = false
    case .changesCaptured: push.isWanted = true
    case .hint(let hint): take(hint)
    case .reachabilityChanged(let isReachable): takeReachability(isReachable)
    case .timerFired: timer = nil
    case .pushAnswered(let summary): take(summary, random: random)
    case .pushFailed(let failure): fail(\.push, failure, random: random)
    case .pullAnswered(let summary): take(summary, random: random)
    case .pullFailed(let failure): fail(\.pull, failure, random: random)
    case .streamOpened: takeOpenStream()
    case .streamClosed(let failure): takeClosedStream(failure, random: random)
    case .credentialsChanged: changeCredentials()
    case .syncNow: hurry()
    }
  }

  // MARK: - What follows

  private mutating func start() -> [Action] {
    var actions: [Action] = []
    if !canAsk || stream.isOutdated, stream.close() { actions.append(.closeStream) }
    guard canAsk else { return actions }
    if poll == 0, !pull.isRunning { pull.isWanted = true }
    if push.start(with: credentials) { actions.append(.push) }
    if pull.start(with: credentials) { actions.append(.pull) }
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
    return [push.wait, pull.wait, stream.wait, polling].compactMap(\.self).min()
  }
}
