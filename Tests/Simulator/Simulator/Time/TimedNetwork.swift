import OffshoreHTTP
import OffshoreServer
import OffshoreSync
import OffshoreWire
import TestSupport

/// A stream from the server to a device.
private final class TimedStream {
  let driver: TimedDriver
  /// The stream's number in the driver.
  let number: Int
  let channel: EventChannel
  /// The arrival times of the first and the last event. Events arrive in order.
  let start: Int64
  var lastArrival: Int64
  /// Whether no event arrives any more, although both ends are open.
  var isSilent = false

  init(_ driver: TimedDriver, _ number: Int, _ channel: EventChannel, start: Int64) {
    (self.driver, self.number, self.channel) = (driver, number, channel)
    (self.start, lastArrival) = (start, start)
  }
}

/// The network that carries requests and streams between devices and the server.
final class TimedNetwork {
  /// The percentage of messages that are lost.
  var loss = 0
  /// The number of disturbances whose effects have not ended.
  private(set) var disturbances = 0
  private let time: VirtualTime
  private let server: TimedServer
  private let watch: ChangeWatch
  private let breach: Breach?
  private var streams: [TimedStream] = []
  private var formerBackoffs: [Int: FormerBackoff] = [:]

  init(_ time: VirtualTime, _ server: TimedServer, _ watch: ChangeWatch, _ breach: Breach?) {
    (self.time, self.server, self.watch, self.breach) = (time, server, watch, breach)
  }

  // MARK: - Requests

  /// Carries a request to the server and the response back.
  /// - Parameter done: Called with the response, or with `nil` if one of the two is lost.
  func exchange(
    _ method: Request.Method, _ path: String, _ body: [UInt8], _ driver: TimedDriver,
    _ done: @escaping (Response?) throws -> Void
  ) {
    let outages = driver.outages
    time.after(time.latency()) {
      guard self.arrives(driver, since: outages) else { return try done(nil) }
      let response = try await self.serve(method, path, body, driver)
      self.time.after(self.time.latency()) {
        try done(self.arrives(driver, since: outages) ? response : nil)
      }
    }
  }

  /// Whether a message between a device and the server arrives.
  private func arrives(_ driver: TimedDriver, since outages: Int) -> Bool {
    guard server.isUp, driver.isOnline, driver.outages == outages else { return false }
    return loss == 0 || !time.random.chance(loss)
  }

  /// Has the server answer a request, and expects devices to show its changes.
  private func serve(
    _ method: Request.Method, _ path: String, _ body: [UInt8], _ driver: TimedDriver
  ) async throws -> Response {
    let headers: Headers = [
      "Authorization": "Bearer \(driver.device.token.text)", "Content-Type": "application/json",
    ]
    let before = server.state
    let response = try await server.respond(
      to: Request(method, path, headers: headers, body: body), at: time.now)
    time.note("the server answers \(driver.name) \(path): \(response.status.rawValue)")
    watch.expectChanges(from: before, to: server.state, by: driver.device)
    readStreams()
    return response
  }

  /// Reports a lost message after a short delay, or after the 30 seconds of a device's timeout.
  func reportLoss(_ report: @escaping (SyncEngine.Failure) -> Void) {
    time.count("lost")
    disturbances += 1
    let isNoticed = time.random.chance(70)
    time.after(isNoticed ? time.latency() : 30_000) {
      self.disturbances -= 1
      report(
        isNoticed
          ? SyncEngine.Failure(.unreachable, "The connection is broken.")
          : SyncEngine.Failure(.timedOut, "The server does not answer."))
    }
  }

  // MARK: - Streams

  func openStream(_ number: Int, to driver: TimedDriver) {
    let outages = driver.outages
    var delay = time.latency()
    if breach == .formerBackoff {
      delay += formerBackoffs[driver.device.place, default: FormerBackoff()].delay(in: time)
    }
    time.after(delay) {
      guard number == driver.stream else { return }
      guard self.arrives(driver, since: outages) else {
        return self.reportLoss { driver.handle(.streamClosed($0), ofStream: number) }
      }
      let response = try await self.serve(.get, "/v1/events", [], driver)
      guard case .events(let channel) = response.body else {
        let failure = SyncEngine.Failure(status: response.status.rawValue)
        return driver.handle(.streamClosed(failure), ofStream: number)
      }
      let stream = TimedStream(
        driver, number, channel, start: self.time.now + self.time.latency())
      self.streams.append(stream)
      self.deliver(.streamOpened, stream)
    }
  }

  /// Removes the stream of a device that stopped listening. The server notices later.
  func removeStream(of driver: TimedDriver) {
    for stream in streams where stream.driver === driver {
      time.after(time.latency()) { stream.channel.close() }
    }
    streams.removeAll { $0.driver === driver }
  }

  /// Delivers the events that the server has written to streams, and the end of closed streams.
  private func readStreams() {
    for stream in streams {
      while let event = stream.channel.poll() {
        if let hint = try? Hint(event.data), !isWithheld(hint) { deliver(.hint(hint), stream) }
      }
      if !stream.channel.isOpen { deliver(.streamClosed(nil), stream) }
    }
    streams.removeAll { !$0.channel.isOpen }
  }

  /// Whether the server sends no such hint: a former server sends none about grants, and a breach
  /// loses hints in calm periods.
  private func isWithheld(_ hint: Hint) -> Bool {
    let isOfGrant = hint.head == WireLimits.number
    if isOfGrant, server.endsStreams { return true }
    return watch.isCalm && (breach == .lostHints || isOfGrant && breach == .lostGrantHints)
  }

  /// Schedules the arrival of a stream's event, after the events before it.
  private func deliver(_ event: SyncEngine.Event, _ stream: TimedStream) {
    if event != .streamOpened {
      stream.lastArrival = max(stream.lastArrival, time.now + time.latency())
    }
    time.at(stream.lastArrival) {
      guard !stream.isSilent, stream.driver.isOnline, self.breach?.withholds(event) != true else {
        return
      }
      stream.driver.handle(event, ofStream: stream.number)
    }
  }

  // MARK: - Disturbances

  /// Ends a stream as a proxy occasionally does. This does not count as a disturbance.
  ///
  /// A stream that was just opened is not ended, because the engine would treat that as a failure.
  func endStream(of driver: TimedDriver) {
    for stream in streams
    where stream.driver === driver && time.now - stream.start > ChangeWatch.limit {
      time.count("ended")
      time.note("the stream of \(driver.name) is ended")
      stream.channel.close()
    }
    readStreams()
  }

  /// Breaks a stream: no event arrives any more.
  func cutStream(of driver: TimedDriver) {
    time.count("cut")
    time.note("the stream of \(driver.name) is cut")
    for stream in streams where stream.driver === driver {
      stream.isSilent = true
      reportLoss { driver.handle(.streamClosed($0), ofStream: stream.number) }
    }
    removeStream(of: driver)
  }

  /// Stops the server, and starts it again after a while.
  func restartServer() {
    guard server.isUp else { return }
    time.count("restart")
    time.note("the server restarts")
    server.isUp = false
    server.stop()
    readStreams()
    disturbances += 1
    time.after(Int64(time.random.number(in: 100...4_000))) {
      self.disturbances -= 1
      self.server.isUp = true
    }
  }
}

/// The delay before a stream in former engines: longer after each stream of less than 30 seconds,
/// regardless of its end.
private struct FormerBackoff {
  private var last: Int64?
  private var attempts = 0

  /// Draws the delay before the next stream.
  mutating func delay(in time: VirtualTime) -> Int64 {
    defer { last = time.now }
    guard let last else { return 0 }
    attempts = time.now - last < 30_000 ? min(attempts + 1, 8) : 1
    return Int64(time.random.number(in: 0...(1_000 << (attempts - 1))))
  }
}
