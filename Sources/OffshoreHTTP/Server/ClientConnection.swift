import Foundation
import Synchronization

/// A connection from a client: its socket, what it is doing, and until when it may.
final class ClientConnection: Sendable {
  /// What a connection is doing.
  enum Phase: Sendable {
    case idle
    case sendingHeaders
    case sendingBody
    /// The handler works; the app decides for how long.
    case handling
    case reading
    case streaming(EventChannel)
    case closed
  }

  private struct State: Sendable {
    var phase = Phase.sendingHeaders
    var deadline: ContinuousClock.Instant?
    var exchange: Exchange?
    /// Whether the last look found that the client will send no more.
    var isAtEnd = false
    /// How many bytes had arrived when the connection became idle, where the system tells.
    var receivedBefore: UInt64?
  }

  let remoteAddress: String
  private let socket: Int32
  private let configuration: HTTPServer.Configuration
  private let state: Mutex<State>

  init(socket: Int32, remoteAddress: String, configuration: HTTPServer.Configuration) {
    self.socket = socket
    self.remoteAddress = remoteAddress
    self.configuration = configuration
    state = Mutex(State(deadline: .now + configuration.headerDeadline))
  }

  /// The request that is under way.
  var exchange: Exchange? { state.withLock { $0.exchange } }

  /// Notes the request whose first line has arrived.
  func begin(_ exchange: Exchange) {
    state.withLock { state in
      state.exchange = exchange
      beginHeaders(&state)
    }
  }

  func endExchange() {
    state.withLock { state in
      state.exchange = nil
      enter(.idle, &state)
      state.receivedBefore = SocketStatistics.receivedBytes(socket)
    }
  }

  func enter(_ phase: Phase) { state.withLock { enter(phase, &$0) } }

  private func enter(_ phase: Phase, _ state: inout State) {
    if case .closed = state.phase { return }
    state.phase = phase
    state.deadline = duration(of: phase).map { ContinuousClock.now + $0 }
    state.isAtEnd = false
  }

  /// Cuts the connection off where its time is over, and keeps a stream of events alive.
  func check(at now: ContinuousClock.Instant) {
    noticeNextRequest()
    let (phase, deadline) = state.withLock { ($0.phase, $0.deadline) }
    if case .streaming(let channel) = phase { channel.check(at: now) }
    switch phase {
    case .streaming(let channel) where isClientGone():
      channel.disconnect()
      shutDown()
    case .idle where isAtEndAgain(), .sendingHeaders where isAtEndAgain(),
      .sendingBody where isAtEndAgain():
      shutDown()
    default:
      if let deadline, deadline <= now { passDeadline(deadline, phase) }
    }
  }

  /// Begins the next request at its first byte, where the system tells of it.
  ///
  /// NB: The library tells only of its whole first line, which a client may send a byte at a time.
  private func noticeNextRequest() {
    state.withLock { state in
      guard case .idle = state.phase, let before = state.receivedBefore,
        let received = SocketStatistics.receivedBytes(socket), received > before
      else { return }
      beginHeaders(&state)
    }
  }

  /// The first request's headers began when the client connected, and a later one's begin once.
  private func beginHeaders(_ state: inout State) {
    if case .idle = state.phase { enter(.sendingHeaders, &state) }
  }

  private func passDeadline(_ deadline: ContinuousClock.Instant, _ phase: Phase) {
    let isCurrent = state.withLock { state in
      guard state.deadline == deadline else { return false }
      if case .streaming = phase { state.deadline = .now + configuration.heartbeat }
      return true
    }
    guard isCurrent else { return }
    if case .streaming(let channel) = phase { channel.beat() } else { shutDown() }
  }

  /// Ends what need not be waited for when the server stops.
  func finish() {
    switch state.withLock({ $0.phase }) {
    case .idle: shutDown()
    case .sendingHeaders where exchange == nil && !hasUnreadBytes(): shutDown()
    case .streaming(let channel): channel.close()
    default: break
    }
  }

  /// Gives up the request that is under way, and the stream of events.
  func abort() {
    let (phase, exchange) = state.withLock { ($0.phase, $0.exchange) }
    exchange?.abandon()
    if case .streaming(let channel) = phase { channel.disconnect() }
  }

  /// Ends both directions. The library then notices, and closes the socket.
  func shutDown() {
    state.withLock { state in
      // NB: A closed socket's number may belong to another connection by now.
      if case .closed = state.phase { return }
      _ = shutdown(socket, Int32(SHUT_RDWR))
    }
  }

  /// Sends bytes past the library, which cannot answer before a body is complete, and ends the
  /// direction to the client.
  func sendLast(_ bytes: [UInt8], _ handle: ConnectionHandle) {
    state.withLock { state in
      if case .closed = state.phase { return }
      if !handle.sendEncrypted(bytes) {
        _ = send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
      }
      _ = shutdown(socket, Int32(SHUT_WR))
    }
  }

  private func duration(of phase: Phase) -> Duration? {
    switch phase {
    // The library closes what is idle for that long; this is for where it does not.
    case .idle: configuration.idleTimeout + configuration.headerDeadline
    case .sendingHeaders: configuration.headerDeadline
    case .sendingBody: configuration.bodyDeadline
    case .reading: configuration.responseDeadline
    case .streaming: configuration.heartbeat
    case .handling, .closed: nil
    }
  }

  private func isClientGone() -> Bool { peek() == 0 }

  /// Whether the client ended before its request did, as seen at two looks in a row.
  ///
  /// NB: The library does not notice an end that arrives along with the bytes before it. One look may
  /// fall between its reading the last bytes and the begin of the next phase.
  private func isAtEndAgain() -> Bool {
    let isAtEnd = peek() == 0
    return state.withLock { state in
      defer { state.isAtEnd = isAtEnd }
      return isAtEnd && state.isAtEnd
    }
  }

  private func hasUnreadBytes() -> Bool { peek() > 0 }

  /// How many bytes could be read, 0 at the end, and -1 where there is nothing to read yet.
  private func peek() -> Int {
    state.withLock { state in
      if case .closed = state.phase { return 0 }
      var byte: UInt8 = 0
      return recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
    }
  }
}
