import Foundation
import Synchronization

/// A connection from a client: its socket, its phase, and the deadline of that phase.
final class ClientConnection: Sendable {
  /// The activity of a connection.
  enum Phase: Sendable {
    case idle
    case sendingHeaders
    case sendingBody
    /// The handler is running, for which the server has no deadline.
    case handling
    case reading
    case streaming(EventChannel)
    case closed
  }

  private struct State: Sendable {
    var phase = Phase.sendingHeaders
    var deadline: ContinuousClock.Instant?
    var exchange: Exchange?
    /// Whether the last check found that the client has closed its direction.
    var isAtEnd = false
    /// The number of bytes that had arrived when the connection became idle, or `nil` if unknown.
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

  /// The current request.
  var exchange: Exchange? { state.withLock { $0.exchange } }

  /// Stores the request whose first line has arrived.
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

  /// Shuts the connection down if the client has closed it or its deadline has passed.
  ///
  /// At the deadline of a stream of events, it sends a heartbeat instead.
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

  /// Starts the header deadline of the next request at its first byte, if the system reports it.
  ///
  /// NB: The library reports only the complete request line, which a client may send byte by byte.
  private func noticeNextRequest() {
    state.withLock { state in
      guard case .idle = state.phase, let before = state.receivedBefore,
        let received = SocketStatistics.receivedBytes(socket), received > before
      else { return }
      beginHeaders(&state)
    }
  }

  /// Starts the header deadline of a later request. That of the first starts when the client
  /// connects.
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

  /// Closes an idle connection or a stream of events when the server stops. Other requests
  /// continue.
  func finish() {
    switch state.withLock({ $0.phase }) {
    case .idle: shutDown()
    case .sendingHeaders where exchange == nil && !hasUnreadBytes(): shutDown()
    case .streaming(let channel): channel.close()
    default: break
    }
  }

  /// Abandons the current request, and disconnects the stream of events.
  func abort() {
    let (phase, exchange) = state.withLock { ($0.phase, $0.exchange) }
    exchange?.abandon()
    if case .streaming(let channel) = phase { channel.disconnect() }
  }

  /// Shuts down both directions. The library detects this and closes the socket.
  func shutDown() {
    state.withLock { state in
      // NB: After the socket was closed, its number may belong to another connection.
      if case .closed = state.phase { return }
      _ = shutdown(socket, Int32(SHUT_RDWR))
    }
  }

  /// Sends a response without the library, and shuts down the direction to the client.
  ///
  /// The library cannot send a response before the body is complete.
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
    // The library closes connections after the idle timeout. This deadline is for cases it misses.
    case .idle: configuration.idleTimeout + configuration.headerDeadline
    case .sendingHeaders: configuration.headerDeadline
    case .sendingBody: configuration.bodyDeadline
    case .reading: configuration.responseDeadline
    case .streaming: configuration.heartbeat
    case .handling, .closed: nil
    }
  }

  private func isClientGone() -> Bool { peek() == 0 }

  /// Returns whether two checks in a row found that the client has closed its direction.
  ///
  /// NB: The library does not detect an end that arrives along with the bytes before it. A single
  /// check may fall between the library's read of the last bytes and the start of the next phase.
  private func isAtEndAgain() -> Bool {
    let isAtEnd = peek() == 0
    return state.withLock { state in
      defer { state.isAtEnd = isAtEnd }
      return isAtEnd && state.isAtEnd
    }
  }

  private func hasUnreadBytes() -> Bool { peek() > 0 }

  /// Returns a positive number if bytes can be read, 0 at the end, and -1 if no bytes have arrived.
  private func peek() -> Int {
    state.withLock { state in
      if case .closed = state.phase { return 0 }
      var byte: UInt8 = 0
      return recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
    }
  }
}
