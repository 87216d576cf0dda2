import Foundation
import Synchronization

/// A connection from a client: its socket, its phase, and the deadline of that phase.
///
/// “The library” in these comments is libmicrohttpd.
final class ClientConnection: Sendable {
  /// The activity of a connection.
  enum Phase: Sendable {
    case idle
    case receivingHeaders
    case receivingBody
    /// The handler is running, for which the server has no deadline.
    case handling
    case sendingResponse
    case streaming(EventChannel)
    case closed
  }

  private struct State: Sendable {
    var phase = Phase.receivingHeaders
    var deadline: ContinuousClock.Instant?
    /// The end of the phase if the client transfers no byte until then.
    var stallDeadline: ContinuousClock.Instant?
    /// The number of bytes that the client had received at the last check, or `nil` if unknown.
    var acknowledgedBytes: UInt64?
    var exchange: HTTPExchange?
    /// Whether the last check found that the client has closed its direction.
    var isAtEnd = false
    /// The number of bytes that had arrived when the connection became idle, or `nil` if unknown.
    var receivedBytesWhenIdle: UInt64?

    var nextDeadline: ContinuousClock.Instant? {
      [deadline, stallDeadline].compactMap(\.self).min()
    }
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
  var exchange: HTTPExchange? { state.withLock { $0.exchange } }

  /// Stores the request whose first line has arrived.
  func begin(_ exchange: HTTPExchange) {
    state.withLock { state in
      state.exchange = exchange
      beginHeaders(&state)
    }
  }

  func endExchange() {
    state.withLock { state in
      state.exchange = nil
      enter(.idle, &state)
      state.receivedBytesWhenIdle = SocketStatistics.receivedBytes(socket)
    }
  }

  func enter(_ phase: Phase) { state.withLock { enter(phase, &$0) } }

  private func enter(_ phase: Phase, _ state: inout State) {
    if case .closed = state.phase { return }
    state.phase = phase
    let now = ContinuousClock.now
    state.deadline = duration(of: phase).map { now + $0 }
    state.stallDeadline = nil
    switch phase {
    case .receivingBody: state.stallDeadline = now + configuration.stallTimeout
    case .sendingResponse:
      state.acknowledgedBytes = SocketStatistics.acknowledgedBytes(socket)
      if state.acknowledgedBytes != nil { state.stallDeadline = now + configuration.stallTimeout }
    default: break
    }
    state.isAtEnd = false
  }

  /// Records that a part of the body has arrived.
  func receivedPart() {
    state.withLock { state in
      guard case .receivingBody = state.phase else { return }
      state.stallDeadline = .now + configuration.stallTimeout
    }
  }

  /// Shuts the connection down if the client has closed it or its deadline has passed. If the client
  /// closes its direction while the handler runs, the handler's task is cancelled. The response is
  /// sent in any case, because the client may still read.
  ///
  /// At the deadline of a stream of events, it sends a heartbeat instead.
  func check(at now: ContinuousClock.Instant) {
    startNextHeaderDeadline()
    extendStallDeadline(at: now)
    let (phase, deadline) = state.withLock { ($0.phase, $0.nextDeadline) }
    if case .streaming(let channel) = phase { channel.check(at: now) }
    switch phase {
    case .streaming(let channel) where isClientGone():
      channel.disconnect()
      shutDown()
    case .idle where isAtEndAgain(), .receivingHeaders where isAtEndAgain(),
      .receivingBody where isAtEndAgain():
      shutDown()
    case .handling where isClientGoneAgain(): exchange?.cancel()
    default:
      if let deadline, deadline <= now { handlePassedDeadline(deadline, phase) }
    }
  }

  /// Starts the header deadline of the next request at its first byte, if the system reports it.
  ///
  /// NB: The library reports only the complete request line, which a client may send byte by byte.
  private func startNextHeaderDeadline() {
    state.withLock { state in
      guard case .idle = state.phase, let before = state.receivedBytesWhenIdle,
        let received = SocketStatistics.receivedBytes(socket), received > before
      else { return }
      beginHeaders(&state)
    }
  }

  /// Starts the header deadline of a later request. That of the first starts when the client
  /// connects.
  private func beginHeaders(_ state: inout State) {
    if case .idle = state.phase { enter(.receivingHeaders, &state) }
  }

  /// Extends the time of a response of which the client has received more since the last check.
  ///
  /// NB: The library reports only that it has passed bytes to the system, which may hold megabytes
  /// for a client that reads none.
  private func extendStallDeadline(at now: ContinuousClock.Instant) {
    state.withLock { state in
      guard case .sendingResponse = state.phase,
        let acknowledged = SocketStatistics.acknowledgedBytes(socket),
        acknowledged != state.acknowledgedBytes
      else { return }
      state.acknowledgedBytes = acknowledged
      state.stallDeadline = now + configuration.stallTimeout
    }
  }

  private func handlePassedDeadline(_ deadline: ContinuousClock.Instant, _ phase: Phase) {
    let isCurrent = state.withLock { state in
      guard state.nextDeadline == deadline else { return false }
      if case .streaming = phase { state.deadline = .now + configuration.heartbeat }
      return true
    }
    guard isCurrent else { return }
    if case .streaming(let channel) = phase { channel.sendHeartbeat() } else { shutDown() }
  }

  /// Closes an idle connection or a stream of events when the server stops. Other requests
  /// continue.
  func finish() {
    switch state.withLock({ $0.phase }) {
    case .idle: shutDown()
    case .receivingHeaders where exchange == nil && !hasUnreadBytes(): shutDown()
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
  func sendFinalResponse(_ bytes: [UInt8], _ handle: ConnectionHandle) {
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
    case .receivingHeaders: configuration.headerDeadline
    case .receivingBody: configuration.bodyDeadline
    case .sendingResponse: configuration.responseDeadline
    case .streaming: configuration.heartbeat
    case .handling, .closed: nil
    }
  }

  /// Returns whether the client has closed the connection or its direction, even if unread bytes
  /// precede the end.
  ///
  /// NB: While a handler runs or a stream is open, nothing reads the bytes before the end: the
  /// announcement of the end over TLS, or a next request. A client that has closed only its own
  /// direction looks like one that has disconnected. It is answered in any case, with 503 if the
  /// handler ends early because it is cancelled.
  private func isClientGone() -> Bool {
    #if os(Linux)
      state.withLock { state in
        if case .closed = state.phase { return true }
        // `POLLRDHUP`, which is not imported. `POLLERR` and `POLLHUP` are always reported.
        var descriptor = pollfd(fd: socket, events: 0x2000, revents: 0)
        return poll(&descriptor, 1, 0) > 0
      }
    #else
      peek() == 0
    #endif
  }

  private func isClientGoneAgain() -> Bool { isAgain(isClientGone()) }

  /// Returns whether two checks in a row found that the client has closed its direction, and that
  /// everything before the end was read.
  ///
  /// NB: The library does not detect an end that arrives along with the bytes before it. A single
  /// check may fall between the library's read of the last bytes and the start of the next phase.
  private func isAtEndAgain() -> Bool { isAgain(peek() == 0) }

  private func isAgain(_ isAtEnd: Bool) -> Bool {
    state.withLock { state in
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

/// The system's statistics of a socket, or `nil` if the system does not report them. Linux does
/// ([tcp(7)](https://man7.org/linux/man-pages/man7/tcp.7.html), `TCP_INFO`).
///
/// NB: The C library's `tcp_info` ends before these fields, and the kernel's own header conflicts
/// with the C library's. The kernel only appends fields, so their offsets are stable.
enum SocketStatistics {
  /// Returns the number of bytes that the other end has received since the connection began
  /// (`tcpi_bytes_acked`).
  static func acknowledgedBytes(_ socket: Int32) -> UInt64? { value(at: 120, of: socket) }

  /// Returns the number of bytes that have arrived since the connection began, read or unread
  /// (`tcpi_bytes_received`).
  static func receivedBytes(_ socket: Int32) -> UInt64? { value(at: 128, of: socket) }

  private static func value(at offset: Int, of socket: Int32) -> UInt64? {
    #if os(Linux)
      return withUnsafeTemporaryAllocation(byteCount: 256, alignment: 8) { information in
        var count = socklen_t(information.count)
        let result = getsockopt(
          socket, Int32(IPPROTO_TCP), TCP_INFO, information.baseAddress, &count)
        guard result == 0, Int(count) >= offset + 8 else { return nil }
        return information.load(fromByteOffset: offset, as: UInt64.self)
      }
    #else
      nil
    #endif
  }
}
