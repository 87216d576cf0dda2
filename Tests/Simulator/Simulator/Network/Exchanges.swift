import Offshore
import OffshoreServer
import OffshoreSync
import OffshoreWire
import TestSupport

/// The requests of a schedule's devices, and the answers of its server.
struct Exchanges {
  let schedule: Schedule

  // MARK: - Requests

  /// Sends a device's next push.
  /// - Returns: Whether there was a change to send.
  @discardableResult
  func push(_ device: SimulatedDevice, _ mishap: Mishap? = nil) throws -> Bool {
    try FaultyDevice(device, schedule.breach)?.beforePush(
      at: device.clock(at: schedule.now), makeID: { schedule.random.uuid() })
    let inNext = mishap != nil && schedule.random.chance(50) ? mishap : nil
    let next = try schedule.write(device, inNext) { writer in
      try device.replica.nextPush(
        writer, at: device.clock(at: schedule.now), limits: schedule.profile.limits,
        makeID: { schedule.random.uuid() })
    }
    guard let next, let request = next else { return false }
    try DeviceChecks(device, in: schedule).checkSealed(request)
    schedule.trace.add("  \(device.name) sends \(request.spelled)")
    try send(.push(request), device, mishap)
    return true
  }

  /// Sends a device's next pull.
  func pull(_ device: SimulatedDevice, _ mishap: Mishap? = nil) throws {
    let request = try device.connection.read {
      try device.replica.nextPull($0, limit: schedule.profile.pageLimit)
    }
    schedule.trace.add("  \(device.name) asks for \(request.spelled)")
    try send(.pull(request), device, mishap)
  }

  private func send(
    _ content: Envelope.Content, _ device: SimulatedDevice, _ mishap: Mishap?
  ) throws {
    guard !schedule.network.cutOff.contains(device.place) else { return }
    let envelope = Envelope(
      number: schedule.network.nextNumber(), device: device.place, start: device.starts,
      sent: device.clock(at: schedule.now), content: content)
    guard schedule.isCalm || mishap != nil || schedule.random.chance(schedule.profile.directness)
    else {
      return schedule.network.send(envelope)
    }
    schedule.now += Int64(schedule.random.number(in: 1...30))
    guard let answer = try serve(envelope) else { return }
    schedule.now += Int64(schedule.random.number(in: 1...30))
    if !schedule.isCalm, schedule.random.chance(schedule.profile.loss) {
      schedule.count("fault.lostAnswer")
      return schedule.trace.add("  the answer is lost")
    }
    try take(answer, mishap)
  }

  // MARK: - Delivery

  /// Delivers or loses a message in transit.
  func deliver() throws {
    let places = schedule.network.deliverable
    guard !places.isEmpty else { return }
    let place = schedule.random.pick(places)
    if place != places.first { schedule.count("fault.reordered") }
    let envelope = schedule.network.take(place)
    if schedule.random.chance(schedule.profile.loss) {
      schedule.count(envelope.isAnswer ? "fault.lostAnswer" : "fault.lostRequest")
      return schedule.trace.add("  \(envelope.name) is lost")
    }
    if schedule.random.chance(schedule.profile.duplication) {
      schedule.count("fault.duplicate")
      schedule.network.send(envelope)
    }
    if schedule.random.chance(schedule.profile.truncation) {
      schedule.count("fault.truncated")
      let share = schedule.random.number(below: 100)
      try envelope.content.checkCut(to: schedule.breach == .carelessReading ? 100 : share)
      return schedule.trace.add("  \(envelope.name) is cut off")
    }
    if envelope.isAnswer {
      try take(envelope, nil)
    } else if let answer = try serve(envelope) {
      schedule.network.send(answer)
    }
  }

  /// Returns the server's answer to a request.
  private func serve(_ envelope: Envelope) throws -> Envelope? {
    var answer = envelope
    let account = schedule.devices[envelope.device].account
    do {
      let content = try carried(envelope.content)
      var violations: [Violation] = []
      switch content {
      case .push(let request):
        let (response, found) = try schedule.server.push(
          request, of: account, at: schedule.now + schedule.serverSkew, schedule.breach)
        schedule.counters.note(response)
        (answer.content, violations) = (.pushed(request, response), found)
      case .pull(let request):
        let (response, found) = try schedule.server.pull(
          request, of: account, at: schedule.now + schedule.serverSkew, schedule.breach)
        schedule.counters.note(response)
        (answer.content, violations) = (.pulled(request, response), found)
        answer.buried = schedule.server.history.buried.count
        answer.epochs = schedule.server.history.epochs
      case .pushed, .pulled, .problem: return nil
      }
      if let violation = violations.first { throw violation }
    } catch let problem as WireProblem {
      answer.content = .problem(problem)
      schedule.count("outcome.problem")
    }
    schedule.trace.add("  the server: \(answer.content.spelled)")
    return answer
  }

  /// Returns the message as it arrives; in some schedules after encoding and decoding.
  private func carried(_ content: Envelope.Content) throws -> Envelope.Content {
    guard schedule.profile.usesBytes else { return content }
    schedule.count("outcome.bytes")
    return try content.throughBytes()
  }

  // MARK: - Answers

  /// Whether an answer to a push is lost, in a profile that loses many.
  private func isSilenced(_ envelope: Envelope) -> Bool {
    guard !schedule.isCalm, schedule.profile.silence > 0, case .pushed = envelope.content else {
      return false
    }
    return schedule.random.chance(schedule.profile.silence)
  }

  private func take(_ envelope: Envelope, _ mishap: Mishap?) throws {
    let device = schedule.devices[envelope.device]
    guard device.starts == envelope.start, !isSilenced(envelope) else { return }
    if envelope.number < device.lastTaken { schedule.count("fault.late") }
    device.lastTaken = max(device.lastTaken, envelope.number)
    let times = RequestTimes(sent: envelope.sent, received: device.clock(at: schedule.now))
    switch try carried(envelope.content) {
    case .pushed(let request, let response):
      let report = try schedule.write(device, mishap) { writer in
        try device.replica.apply(
          response, to: request, at: times, writer, newDevice: { schedule.random.deviceID() },
          makeID: { schedule.random.uuid() })
      }
      guard let report else { return }
      schedule.trace.add(
        "  \(device.name) takes the answer to push #\(envelope.number): \(report.spelled)")
      try FaultyDevice(device, schedule.breach)?.afterPushed()
      try DeviceChecks(device, in: schedule).checkPushed(response, report)
    case .pulled(let request, let response):
      let restore = RestoreChecks(schedule: schedule)
      let shown = try restore.shown(on: device, before: envelope)
      let stored = try restore.storedOfOthers(on: device)
      try FaultyDevice(device, schedule.breach)?.beforePulled()
      let report = try schedule.write(device, mishap) { writer in
        try device.replica.apply(
          FaultyAnswer(
            response, schedule.breach, for: device.version, isCalm: schedule.isCalm
          ).spoiled, to: request, at: times, writer,
          makeID: { schedule.random.uuid() })
      }
      guard let report else { return }
      device.lastReport = report
      if try device.number("SELECT count(*) FROM _arrival") > 0 {
        schedule.count("outcome.arriving")
      }
      schedule.trace.add(
        "  \(device.name) takes the answer to pull #\(envelope.number): \(report.spelled)")
      try FaultyDevice(device, schedule.breach)?.afterPulled(report)
      if report.hasEndedScopes { try restore.forgetEnded(stored, on: device) }
      try restore.check(shown, on: device)
      try DeviceChecks(device, in: schedule).checkPulled(envelope, report)
    case .push, .pull, .problem: break
    }
  }

  // MARK: - Whole exchanges

  /// Sends all changes of a device, and pulls all changes that it lacks.
  /// - Returns: Whether there was a change to send.
  func sync(_ device: SimulatedDevice) throws -> Bool {
    var hasSent = false
    for _ in 0..<Schedule.roundLimit {
      guard try push(device) else { break }
      hasSent = true
      if schedule.network.isStalled(device.place) { break }
    }
    try fetch(device)
    return hasSent || device.lastReport?.needsPush == true
  }

  /// Pulls until a device has all changes, without faults.
  /// - Throws: `Violation` if no answer ever reports that it has all.
  func fetch(_ device: SimulatedDevice) throws {
    for _ in 0..<Self.pullLimit {
      schedule.now += 10
      device.lastReport = nil
      try pull(device)
      guard let report = device.lastReport else { return }
      if report.isComplete, !report.hasMore { return }
    }
    throw Violation(.settles, "\(device.name) is never told that it has all.")
  }

  /// The most pulls until a device must have all changes.
  private static let pullLimit = 500
}
