import Offshore
import OffshoreHTTP
import OffshoreSync
import OffshoreWire
import TestSupport

/// Performs the actions of the product's engine for a device, and reports their outcomes.
final class TimedDriver {
  /// The two kinds of requests. The engine sends one request of each kind at a time.
  enum Lane: CaseIterable { case push, pull }

  let device: TimedDevice
  private let time: VirtualTime
  private unowned let network: TimedNetwork
  private let watch: ChangeWatch
  private var engine = SyncEngine()
  private var rounds = PullRounds()
  /// The maximum number of scopes in a request for all scopes.
  private let scopesPerRound: Int

  /// Whether the device can reach the server.
  private(set) var isOnline = true
  /// The number of disconnections. A message in transit at that moment does not arrive.
  private(set) var outages = 0
  /// The number of the last stream. Events of earlier streams are ignored.
  private(set) var stream = 0
  private var timer = 0
  /// The number of the request in each lane; none while the lane is idle.
  private var requests: [Lane: Int] = [:]
  private var lastRequest = 0

  init(
    _ device: TimedDevice, _ time: VirtualTime, _ network: TimedNetwork, _ watch: ChangeWatch,
    scopesPerRound: Int
  ) {
    (self.device, self.time, self.network, self.watch) = (device, time, network, watch)
    self.scopesPerRound = scopesPerRound
  }

  var name: String { device.name }
  var status: SyncEngine.Status { engine.status }

  /// Whether the stream is open and no work is left.
  var isSettled: Bool { status.isListening && status.phase.isAtRest }

  // MARK: - The engine

  func handle(_ event: SyncEngine.Event) {
    rounds.handle(event)
    let actions = engine.handle(
      event, at: SyncEngine.Moment(milliseconds: time.now, random: time.random.next()))
    watch.note(isListening: status.isListening, device)
    for action in actions { perform(action) }
  }

  /// Handles an event of a stream, unless a later stream was opened.
  func handle(_ event: SyncEngine.Event, ofStream number: Int) {
    guard number == stream else { return }
    time.note("\(name) stream: \(event.spelled)")
    handle(event)
  }

  private func perform(_ action: SyncEngine.Action) {
    switch action {
    case .push: begin(.push)
    case .pull: begin(.pull)
    case .cancelRequests: for lane in Lane.allCases { giveUp(lane) }
    case .openStream:
      stream += 1
      network.openStream(stream, to: self)
    case .closeStream: closeStream()
    case .setTimer(let milliseconds): setTimer(milliseconds)
    case .cancelTimer: timer += 1
    }
  }

  private func closeStream() {
    stream += 1
    network.removeStream(of: self)
    time.after(1) { [stream] in self.handle(.streamClosed(nil), ofStream: stream) }
  }

  private func setTimer(_ milliseconds: Int64) {
    timer += 1
    time.after(milliseconds) { [timer] in
      if timer == self.timer { self.handle(.timerFired) }
    }
  }

  // MARK: - Requests

  private func begin(_ lane: Lane) {
    let number = number(lane)
    // The time that the device itself needs.
    time.after(Int64(time.random.number(below: 4))) {
      guard self.requests[lane] == number else { return }
      switch lane {
      case .push: try self.push(number)
      case .pull: try self.pull(number)
      }
    }
  }

  /// Assigns a new number to the request in a lane.
  private func number(_ lane: Lane) -> Int {
    lastRequest += 1
    requests[lane] = lastRequest
    return lastRequest
  }

  private func push(_ number: Int) throws {
    let (time, sent) = (time, time.now)
    let request = try device.connection.write { writer in
      try self.device.replica.nextPush(writer, at: sent, makeID: { time.random.uuid() })
    }
    guard let request else {
      let nextTry = try device.connection.read { try self.device.replica.nextTry($0, at: sent) }
      return finish(.push, .pushAnswered(.nothingToSend(nextTry: nextTry)))
    }
    send(.push, number, "/v1/push", request) { (answer: PushResponse) in
      let report = try self.device.connection.write { writer in
        try self.device.replica.apply(
          answer, to: request, at: RequestTimes(sent: sent, received: time.now),
          timing: self.engine.timing, writer, newDevice: { time.random.deviceID() },
          makeID: { time.random.uuid() })
      }
      return .pushAnswered(SyncEngine.PushSummary(report))
    }
  }

  private func pull(_ number: Int) throws {
    let (time, sent) = (time, time.now)
    let target = engine.pullTarget
    let request = try device.connection.read { reader in
      try device.replica.nextPull(reader, of: scopes(of: target, reader))
    }
    send(.pull, number, "/v1/pull", request) { (answer: PullResponse) in
      let report = try self.device.connection.write { writer in
        try self.device.replica.apply(
          answer, to: request, ofSingleScopes: target != .all,
          at: RequestTimes(sent: sent, received: time.now), writer,
          makeID: { time.random.uuid() })
      }
      try self.watch.removeShown(by: self.device)
      return .pullAnswered(
        SyncEngine.PullSummary(target == .all ? self.rounds.add(report) : report))
    }
  }

  private func scopes(of target: PullTarget, _ reader: Reader) throws -> Set<ScopeID>? {
    if case .scopes(let scopes) = target { return scopes }
    if rounds.isOver {
      rounds = PullRounds(
        try device.replica.pullRounds(reader, hinted: engine.hintedScopes, limit: scopesPerRound))
    }
    return rounds.current
  }

  /// Sends a request, and reports the outcome.
  private func send<Answer: WireMessage>(
    _ lane: Lane, _ number: Int, _ path: String, _ message: some WireMessage,
    _ take: @escaping (Answer) throws -> SyncEngine.Event
  ) {
    network.exchange(.post, path, message.body, self) { response in
      guard self.requests[lane] == number else { return }
      guard let response else {
        return self.network.reportLoss { self.fail(lane, number, $0) }
      }
      guard response.status == .ok else {
        return self.fail(lane, number, SyncEngine.Failure(status: response.status.rawValue))
      }
      self.finish(lane, try take(try Answer(body: response.bytes)))
    }
  }

  private func finish(_ lane: Lane, _ event: SyncEngine.Event) {
    time.note("\(name) \(lane): \(event.spelled)")
    requests[lane] = nil
    handle(event)
  }

  private func fail(_ lane: Lane, _ number: Int, _ failure: SyncEngine.Failure) {
    guard requests[lane] == number else { return }
    finish(lane, lane == .push ? .pushFailed(failure) : .pullFailed(failure))
  }

  private func giveUp(_ lane: Lane) {
    guard requests[lane] != nil else { return }
    let number = number(lane)
    time.after(1) {
      self.fail(lane, number, SyncEngine.Failure(.cancelled, "It was given up."))
    }
  }

  // MARK: - Disturbances

  /// Disconnects the device from the network.
  func disconnect() {
    guard isOnline else { return }
    time.count("offline")
    time.note("\(name) is offline")
    isOnline = false
    outages += 1
    network.removeStream(of: self)
    if device.hasMonitor {
      handle(.reachabilityChanged(false))
    } else {
      network.reportLoss { [stream] in self.handle(.streamClosed($0), ofStream: stream) }
    }
  }

  /// Reconnects the device to the network.
  func reconnect() {
    guard !isOnline else { return }
    time.note("\(name) is online")
    isOnline = true
    if device.hasMonitor { handle(.reachabilityChanged(true)) }
  }

  /// Ends the app and starts it again, with an engine in its initial state.
  func relaunch() {
    time.count("relaunch")
    time.note("\(name) is launched again")
    engine = SyncEngine()
    requests = [:]
    stream += 1
    timer += 1
    network.removeStream(of: self)
    if device.hasMonitor { handle(.reachabilityChanged(isOnline)) }
    handle(.started)
  }
}
