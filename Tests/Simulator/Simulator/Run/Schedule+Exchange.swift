import Offshore
import OffshoreServer
import OffshoreSync
import OffshoreWire
import TestSupport

extension Schedule {
  // MARK: - Requests

  /// Sends a device's next push.
  /// - Returns: Whether there was a change to send.
  @discardableResult
  func push(_ device: SimulatedDevice, _ mishap: Mishap? = nil) throws -> Bool {
    try breach?.beforePush(
      device, at: device.clock(at: now), makeID: { self.random.uuid() })
    let inNext = mishap != nil && random.chance(50) ? mishap : nil
    let next = try write(device, inNext) { writer in
      try device.replica.nextPush(
        writer, at: device.clock(at: self.now), limits: self.profile.limits,
        makeID: { self.random.uuid() })
    }
    guard let next, let request = next else { return false }
    try checkSealed(request, device)
    trace.add("  \(device.name) sends \(spelled(request))")
    try send(.push(request), device, mishap)
    return true
  }

  /// Sends a device's next pull.
  func pull(_ device: SimulatedDevice, _ mishap: Mishap? = nil) throws {
    let request = try device.connection.read {
      try device.replica.nextPull($0, limit: profile.pageLimit)
    }
    trace.add("  \(device.name) asks for \(spelled(request))")
    try send(.pull(request), device, mishap)
  }

  private func send(
    _ content: Envelope.Content, _ device: SimulatedDevice, _ mishap: Mishap?
  ) throws {
    guard !network.cutOff.contains(device.place) else { return }
    let envelope = Envelope(
      number: network.nextNumber(), device: device.place, start: device.starts,
      sent: device.clock(at: now), content: content)
    guard isCalm || mishap != nil || random.chance(profile.directness) else {
      return network.send(envelope)
    }
    now += Int64(random.number(in: 1...30))
    guard let answer = try serve(envelope) else { return }
    now += Int64(random.number(in: 1...30))
    if !isCalm, random.chance(profile.loss) {
      count("fault.lostAnswer")
      return trace.add("  the answer is lost")
    }
    try take(answer, mishap)
  }

  // MARK: - Delivery

  /// Delivers or loses a message in transit.
  func deliver() throws {
    let places = network.deliverable
    guard !places.isEmpty else { return }
    let place = random.pick(places)
    if place != places.first { count("fault.reordered") }
    let envelope = network.take(place)
    if random.chance(profile.loss) {
      count(envelope.isAnswer ? "fault.lostAnswer" : "fault.lostRequest")
      return trace.add("  \(envelope.name) is lost")
    }
    if random.chance(profile.duplication) {
      count("fault.duplicate")
      network.send(envelope)
    }
    if random.chance(profile.truncation) {
      count("fault.truncated")
      let share = random.number(below: 100)
      try envelope.content.checkCut(to: breach == .carelessReading ? 100 : share)
      return trace.add("  \(envelope.name) is cut off")
    }
    if envelope.isAnswer {
      try take(envelope, nil)
    } else if let answer = try serve(envelope) {
      network.send(answer)
    }
  }

  /// Returns the server's answer to a request.
  private func serve(_ envelope: Envelope) throws -> Envelope? {
    var answer = envelope
    let account = devices[envelope.device].account
    do {
      let content = try carried(envelope.content)
      var violations: [Violation] = []
      switch content {
      case .push(let request):
        let (response, found) = try server.push(request, of: account, at: now + serverSkew, breach)
        note(response)
        (answer.content, violations) = (.pushed(request, response), found)
      case .pull(let request):
        let (response, found) = try server.pull(request, of: account, at: now + serverSkew, breach)
        note(response)
        (answer.content, violations) = (.pulled(request, response), found)
        answer.buried = server.history.buried.count
        answer.epochs = server.history.epochs
      case .pushed, .pulled, .problem: return nil
      }
      if let violation = violations.first { throw violation }
    } catch let problem as WireProblem {
      answer.content = .problem(problem)
      count("outcome.problem")
    }
    trace.add("  the server: \(spelled(answer.content))")
    return answer
  }

  /// Returns the message as it arrives; in some schedules after encoding and decoding.
  private func carried(_ content: Envelope.Content) throws -> Envelope.Content {
    guard profile.usesBytes else { return content }
    count("outcome.bytes")
    return try content.throughBytes()
  }

  // MARK: - Answers

  /// Whether an answer to a push is lost, in a profile that loses many.
  private func isSilenced(_ envelope: Envelope) -> Bool {
    guard !isCalm, profile.silence > 0, case .pushed = envelope.content else { return false }
    return random.chance(profile.silence)
  }

  private func take(_ envelope: Envelope, _ mishap: Mishap?) throws {
    let device = devices[envelope.device]
    guard device.starts == envelope.start, !isSilenced(envelope) else { return }
    if envelope.number < device.lastTaken { count("fault.late") }
    device.lastTaken = max(device.lastTaken, envelope.number)
    let times = RequestTimes(sent: envelope.sent, received: device.clock(at: now))
    switch try carried(envelope.content) {
    case .pushed(let request, let response):
      let report = try write(device, mishap) { writer in
        try device.replica.apply(
          response, to: request, at: times, writer, newDevice: { self.random.deviceID() },
          makeID: { self.random.uuid() })
      }
      guard let report else { return }
      trace.add("  \(device.name) takes the answer to push #\(envelope.number): \(report.spelled)")
      try breach?.afterPushed(device)
      try checkPushed(device, response, report)
    case .pulled(let request, let response):
      let report = try write(device, mishap) { writer in
        try device.replica.apply(
          self.breach?.spoiled(response) ?? response, to: request, at: times, writer,
          makeID: { self.random.uuid() })
      }
      guard let report else { return }
      device.lastReport = report
      trace.add("  \(device.name) takes the answer to pull #\(envelope.number): \(report.spelled)")
      try breach?.afterPulled(device, report)
      try checkPulled(device, envelope, report)
    case .push, .pull, .problem: break
    }
  }
}
