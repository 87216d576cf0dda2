import OffshoreSync
import OffshoreWire
import TestSupport

/// A device with its engine, a network and a server, in virtual time.
struct EngineWorld {
  /// The server's failure, if any.
  enum Trouble: CaseIterable { case none, broken, busy, circles }

  private(set) var engine = SyncEngine()
  private(set) var watch = EngineWatch()
  private var random: SeededRandom
  /// The milliseconds since the start. The device's clock differs by `skew`.
  private(set) var now: Int64 = 0
  var skew: Int64 = 1_700_000_000_000
  private var agenda: [(time: Int64, happening: Happening)] = []
  private var timers = 0
  private var streams = 0
  private var requests: [Happening.Lane: Int] = [:]

  var isUp = true
  /// Whether a monitor reports the state of the network.
  let hasMonitor: Bool
  var trouble = Trouble.none
  var hasCredentials = true

  /// The changes that the server has not applied.
  private(set) var unsent = 0
  /// The numbers of the last change on the server, and on the device.
  private(set) var head: Int64 = 0
  private(set) var pulled: Int64 = 0
  private(set) var requestCount = 0
  private var steps = 0
  private static let limit = 20_000

  /// The violations so far.
  var faults: [String] { watch.faults + (steps < Self.limit ? [] : ["It goes in circles."]) }

  enum Happening {
    enum Lane { case push, pull }

    case event(SyncEngine.Event)
    case timer(Int)
    case streamChange(Int, SyncEngine.Event)
    case pushAnswer(Int, of: Int, SyncEngine.Failure?)
    case pullAnswer(Int, to: Int64, isComplete: Bool, SyncEngine.Failure?)
  }

  init(seed: UInt64) {
    random = SeededRandom(seed: seed)
    hasMonitor = seed % 2 == 0
  }

  mutating func draw(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

  // MARK: - Users and networks

  mutating func capture() {
    unsent += 1
    send(.changesCaptured)
  }

  /// Records a change by another device.
  mutating func changeElsewhere() { addToServer(1) }

  mutating func setNetwork(_ isUp: Bool) {
    guard isUp != self.isUp else { return }
    self.isUp = isUp
    if hasMonitor { send(.reachabilityChanged(isUp)) }
    if !isUp, watch.stream == .open { planStream(.streamClosed(.unreachable), in: 50) }
  }

  private mutating func addToServer(_ count: Int) {
    head += Int64(count)
    // One hint in ten is lost.
    guard count > 0, isUp, watch.stream == .open, draw(10) > 0 else { return }
    plan(.event(.hint(.news(head))), in: 5 + draw(50))
  }

  // MARK: - Time

  private mutating func plan(_ happening: Happening, in milliseconds: Int) {
    agenda.append((now + Int64(milliseconds), happening))
  }

  /// Runs all events up to a time.
  mutating func run(for milliseconds: Int64) {
    let end = now + milliseconds
    // The limit makes a test fail, rather than hang, if the engine loops.
    while steps < Self.limit,
      let next = agenda.indices.min(by: { agenda[$0].time < agenda[$1].time }),
      agenda[next].time <= end
    {
      let (time, happening) = agenda.remove(at: next)
      now = max(now, time)
      steps += 1
      happen(happening)
    }
    now = end
  }

  private mutating func happen(_ happening: Happening) {
    switch happening {
    case .event(let event): send(event)
    case .timer(let number): if number == timers { send(.timerFired) }
    case .streamChange(let number, let event): if number == streams { send(event) }
    case .pushAnswer(let number, let count, let failure):
      guard requests[.push] == number else { return }
      answerPush(of: count, failure)
    case .pullAnswer(let number, let head, let isComplete, let failure):
      guard requests[.pull] == number else { return }
      answerPull(to: head, isComplete, failure)
    }
  }

  mutating func send(_ event: SyncEngine.Event) {
    guard watch.expects(event) else { return }
    let moment = SyncEngine.Moment(milliseconds: now + skew, random: random.next())
    let actions = engine.handle(event, at: moment)
    watch.note(event)
    watch.note(actions)
    watch.check(engine.status.phase)
    for action in actions { perform(action) }
  }

  // MARK: - The driver

  private mutating func perform(_ action: SyncEngine.Action) {
    switch action {
    case .push: startPush()
    case .pull: startPull()
    case .cancelRequests: cancel()
    case .openStream: openStream()
    case .closeStream:
      streams += 1
      planStream(.streamClosed(nil), in: draw(20))
    case .cancelTimer: timers += 1
    case .setTimer(let delay):
      timers += 1
      plan(.timer(timers), in: max(Int(delay) + draw(30) - 10, 1))
    }
  }

  private mutating func openStream() {
    streams += 1
    guard isUp else { return planStream(.streamClosed(.unreachable), in: 5) }
    guard trouble == .none, hasCredentials else {
      return planStream(.streamClosed(hasCredentials ? .broken : .unauthorized), in: 30)
    }
    planStream(.streamOpened, in: 30)
  }

  private mutating func planStream(_ event: SyncEngine.Event, in milliseconds: Int) {
    plan(.streamChange(streams, event), in: milliseconds)
  }

  /// Draws the failure of a request that is sent now, with its delay; `nil` for a success.
  private mutating func failure() -> (SyncEngine.Failure, Int)? {
    requestCount += 1
    if !isUp { return draw(2) == 0 ? (.unreachable, 5) : (.timedOut, 20_000) }
    if !hasCredentials { return (.unauthorized, 40) }
    switch trouble {
    case .broken: return (.broken, 40)
    case .busy: return (.busy(Int64(draw(60))), 40)
    case .none, .circles: return nil
    }
  }

  private mutating func startPush() {
    requests[.push, default: 0] += 1
    let number = requests[.push] ?? 0
    guard unsent > 0 || trouble == .circles else {
      return plan(.pushAnswer(number, of: -1, nil), in: 0)
    }
    if let (failure, delay) = failure() {
      return plan(.pushAnswer(number, of: 0, failure), in: delay)
    }
    guard trouble == .none else { return plan(.pushAnswer(number, of: 0, nil), in: 20) }
    let count = min(unsent, 5)
    addToServer(count)
    unsent -= count
    // One answer in twenty is lost.
    let failure = draw(20) == 0 ? SyncEngine.Failure.timedOut : nil
    plan(.pushAnswer(number, of: count, failure), in: failure == nil ? 20 + draw(100) : 20_000)
  }

  private mutating func answerPush(of count: Int, _ failure: SyncEngine.Failure?) {
    if let failure { return send(.pushFailed(failure)) }
    if count < 0 { return send(.pushAnswered(.nothingToSend)) }
    send(
      .pushAnswered(
        .init(
          applied: count, rejected: 0, needsPull: trouble == .circles,
          hasMore: unsent > 0 || trouble == .circles, heads: count > 0 ? [.charter: head] : [:])))
  }

  private mutating func startPull() {
    requests[.pull, default: 0] += 1
    let number = requests[.pull] ?? 0
    let (failure, delay) = failure() ?? (nil, 20 + draw(100))
    let reached = min(head, pulled + 10)
    plan(.pullAnswer(number, to: reached, isComplete: reached == head, failure), in: delay)
  }

  private mutating func answerPull(
    to head: Int64, _ isComplete: Bool, _ failure: SyncEngine.Failure?
  ) {
    if let failure { return send(.pullFailed(failure)) }
    let hasAdvanced = head > pulled
    pulled = head
    let isComplete = isComplete && trouble != .circles
    send(
      .pullAnswered(
        .init(
          isComplete: isComplete, hasMore: !isComplete, hasAdvanced: hasAdvanced,
          needsPush: trouble == .circles, heads: isComplete ? [.charter: head] : [:])))
  }

  private mutating func cancel() {
    for (lane, number) in requests { requests[lane] = number + 1 }
    if watch.push.request != nil { plan(.event(.pushFailed(.cancelled)), in: 1) }
    if watch.pull.request != nil { plan(.event(.pullFailed(.cancelled)), in: 1) }
  }
}
