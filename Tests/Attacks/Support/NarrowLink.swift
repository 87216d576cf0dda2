import Dispatch
import Foundation
import Synchronization
import TestSupport

/// A proxy between devices and a server that is as slow as a weak link, is cut again and again, and
/// may refuse large bodies as a reverse proxy does.
///
/// All connections together have the rate, in each direction.
final class NarrowLink: Sendable {
  /// The properties of a link.
  struct Properties: Sendable {
    /// The bytes per second in each direction, or `nil` for no limit.
    var bytesPerSecond: Int?
    /// The seconds after which all connections are cut, again and again, or `nil` for never.
    var secondsBetweenCuts: Double?
    /// The largest body of a request, beyond which the answer is 413, or `nil` for no limit.
    var bodyLimit: Int?
    /// The bytes that wait in the link, and delay the bytes of other connections after them, or `nil`
    /// for about a twentieth of a second's.
    var queue: Int?
  }

  private struct State {
    var links: [ObjectIdentifier: Connection] = [:]
    var target: UInt16
    var cuts = 0
    var refusals = 0
  }

  let port: UInt16
  private let properties: Properties
  private let listener: Socket
  private let state: Mutex<State>
  private let cutCounter = Counter()
  private let (up, down): (Pace, Pace)
  private let closing = DispatchSemaphore(value: 0)

  init(to target: UInt16, _ properties: Properties) throws {
    state = Mutex(State(target: target))
    self.properties = properties
    // Unless the link has a queue, little is under way: the device sees how far its bytes have come.
    (listener, port) = try Socket.listening(receiveBuffer: properties.queue == nil ? 8 << 10 : nil)
    (up, down) = (Pace(properties), Pace(properties))
    Thread { [listener, weak self] in
      while let client = listener.accept() { self?.take(client) ?? client.close() }
      listener.close()
    }.start()
    guard let seconds = properties.secondsBetweenCuts else { return }
    Thread { [closing, weak self] in
      while closing.wait(timeout: .now() + seconds) == .timedOut { self?.cut() }
    }.start()
  }

  deinit {
    listener.shut()
    closing.signal()
    for link in state.withLock({ Array($0.links.values) }) { link.cut() }
  }

  var url: URL { URL(string: "http://127.0.0.1:\(port)") ?? URL(filePath: "/") }

  /// The number of connections that were cut.
  var cuts: Int { state.withLock(\.cuts) }

  /// The number of bodies that were refused.
  var refusals: Int { state.withLock(\.refusals) }

  /// Leads to another port from now on.
  func lead(to target: UInt16) { state.withLock { $0.target = target } }

  /// Waits until a number of connections have been cut since the link was made.
  func waitForCuts(_ count: Int) async { await cutCounter.wait(for: count) }

  private func cut() {
    let links = state.withLock { state in
      state.cuts += state.links.count
      return Array(state.links.values)
    }
    for link in links { link.cut() }
    cutCounter.add(links.count)
  }

  private func take(_ client: Socket) {
    guard let server = Socket(to: state.withLock(\.target)) else {
      client.shut()
      return client.close()
    }
    let connection = Connection(client, server)
    let id = ObjectIdentifier(connection)
    state.withLock { $0.links[id] = connection }
    let limit = properties.bodyLimit ?? .max
    connection.start(up, down, BodyGauge(limit: limit)) { [weak self] isRefused in
      self?.state.withLock { state in
        state.links[id] = nil
        if isRefused { state.refusals += 1 }
      }
    }
  }
}

extension NarrowLink {
  /// The time at which a direction of the link is free again.
  final class Pace: Sendable {
    private let bytesPerSecond: Int?
    /// The bytes that are forwarded at a time.
    let chunk: Int
    private let free = Mutex(ContinuousClock.now)

    init(_ properties: Properties) {
      bytesPerSecond = properties.bytesPerSecond
      chunk =
        properties.queue ?? bytesPerSecond.map { min(max($0 / 20, 64), 16_384) } ?? 16_384
    }

    /// Waits as long as the link takes for bytes, after those of other connections.
    ///
    /// NB: The delay is what the link is about; no test depends on its exact length.
    func pass(_ count: Int) {
      guard let bytesPerSecond else { return }
      let end = free.withLock { free in
        free = max(free, .now) + .seconds(Double(count) / Double(bytesPerSecond))
        return free
      }
      let seconds = ContinuousClock.now.duration(to: end) / .seconds(1)
      if seconds > 0 { Thread.sleep(forTimeInterval: seconds) }
    }
  }

  /// Two sockets, with a thread for each direction.
  final class Connection: Sendable {
    private let client: Socket
    private let server: Socket
    /// The number of open directions. The last one closes the sockets, so that descriptors are not
    /// reused early.
    private let open = Mutex(2)
    private let isRefused = Mutex(false)

    init(_ client: Socket, _ server: Socket) { (self.client, self.server) = (client, server) }

    func start(
      _ up: Pace, _ down: Pace, _ gauge: BodyGauge, _ ended: @escaping @Sendable (Bool) -> Void
    ) {
      Thread { [self] in
        var gauge = gauge
        carry(client, server, up, ended) { bytes in
          guard !gauge.allows(bytes) else { return true }
          refuse()
          return false
        }
      }.start()
      Thread { [self] in carry(server, client, down, ended) { _ in true } }.start()
    }

    func cut() {
      open.withLock { count in
        guard count > 0 else { return }
        client.shut()
        server.shut()
      }
    }

    private func carry(
      _ source: Socket, _ target: Socket, _ pace: Pace, _ ended: (Bool) -> Void,
      _ isAllowed: ([UInt8]) -> Bool
    ) {
      while case let bytes = source.read(upTo: pace.chunk), !bytes.isEmpty {
        pace.pass(bytes.count)
        guard isAllowed(bytes), target.write(bytes) else { break }
      }
      cut()
      let isLast = open.withLock { count in
        count -= 1
        if count == 0 {
          client.close()
          server.close()
        }
        return count == 0
      }
      if isLast { ended(isRefused.withLock(\.self)) }
    }

    /// Answers by 413, and reads on until the device goes, so that it does not lose the answer.
    private func refuse() {
      isRefused.withLock { $0 = true }
      _ = client.write(
        Array(
          """
          HTTP/1.1 413 Content Too Large\r\nContent-Type: text/html\r\nContent-Length: 6\r\n\
          Connection: close\r\n\r\n<html>
          """.utf8))
      while !client.read().isEmpty {}
    }
  }

  /// The lengths of the bodies in a stream of requests.
  struct BodyGauge {
    private let limit: Int
    private var head: [UInt8] = []
    /// The bytes that are left of the current body.
    private var left = 0

    init(limit: Int) { self.limit = limit }

    /// Returns whether all bodies are within the limit that are announced by the next bytes.
    mutating func allows(_ bytes: [UInt8]) -> Bool {
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = min(left, rest.count)
        (left, rest) = (left - count, rest.dropFirst(count))
        guard let byte = rest.popFirst() else { return true }
        head.append(byte)
        guard head.suffix(4).elementsEqual(Array("\r\n\r\n".utf8)) else { continue }
        left =
          String(decoding: head, as: UTF8.self).lowercased().split(separator: "\r\n")
          .first { $0.hasPrefix("content-length:") }
          .flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) } ?? 0
        head = []
        guard left <= limit else { return false }
      }
      return true
    }
  }
}
