import CMicroHTTPD
import Foundation

/// The daemon of libmicrohttpd (“the library” in these comments), with its threads and callbacks.
struct Daemon: @unchecked Sendable {  // The server's lock lets one caller stop it, once.
  private let pointer: OpaquePointer
  private let context: Unmanaged<ServerContext>

  /// Starts threads that accept connections from a socket, which the daemon then owns.
  /// - Returns: `nil` if the library cannot start.
  init?(_ socket: ListeningSocket, _ context: ServerContext) {
    let configuration = context.configuration
    let limits = offshore_mhd_limits(
      connections: UInt32(clamping: configuration.maximumConnections),
      connections_per_address: UInt32(clamping: configuration.maximumConnectionsPerAddress),
      idle_seconds: UInt32(clamping: max(1, configuration.idleTimeout.components.seconds)),
      threads: UInt32(clamping: max(1, configuration.threads)),
      memory_per_connection: configuration.memoryPerConnection)
    let callbacks = offshore_mhd_callbacks(
      accepts: accepts, accessed: accessed, target_received: targetReceived, completed: completed,
      connection_changed: connectionChanged)
    let flags = MHD_USE_EPOLL_INTERNAL_THREAD.rawValue | MHD_ALLOW_SUSPEND_RESUME.rawValue
    let retained = Unmanaged.passRetained(context)
    let started = Self.withTLS(configuration.tls) { tls in
      offshore_mhd_start(
        UInt32(flags | (tls.key == nil ? 0 : MHD_USE_TLS.rawValue)), socket.descriptor, limits,
        callbacks, tls, retained.toOpaque())
    }
    guard let started else {
      retained.release()
      return nil
    }
    pointer = started
    self.context = retained
  }

  /// Passes certificate and key to a closure. The library reads them only while it starts.
  private static func withTLS<Result>(
    _ tls: HTTPServer.TLS?, _ body: (offshore_mhd_tls) -> Result
  ) -> Result {
    guard let tls else { return body(offshore_mhd_tls(certificates: nil, key: nil)) }
    return tls.certificates.withCString { certificates in
      tls.key.withCString { body(offshore_mhd_tls(certificates: certificates, key: $0)) }
    }
  }

  /// Stops the threads and waits for them.
  /// - Precondition: No connection is suspended.
  func stop() {
    MHD_stop_daemon(pointer)
    context.release()
  }
}

// MARK: - Callbacks, on the daemon's threads

private func serverContext(_ pointer: UnsafeMutableRawPointer?) -> ServerContext? {
  pointer.map { Unmanaged<ServerContext>.fromOpaque($0).takeUnretainedValue() }
}

/// Returns whether a new connection is accepted. Otherwise the library closes it.
///
/// NB: The library's own function that stops listening is not used: its threads race that function
/// for the listening socket, and the second one aborts the process.
private func accepts(
  context: UnsafeMutableRawPointer?, address: UnsafePointer<sockaddr>?, length: socklen_t
) -> MHD_Result {
  serverContext(context)?.isStopping == false ? .YES : .NO
}

private func connectionChanged(
  context: UnsafeMutableRawPointer?, pointer: OpaquePointer?,
  slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, change: MHD_ConnectionNotificationCode
) {
  guard let context = serverContext(context), let pointer, let slot else { return }
  if change == .CONNECTION_NOTIFY_STARTED {
    let connection = ClientConnection(
      socket: offshore_mhd_socket(pointer),
      remoteAddress: numericAddress(offshore_mhd_address(pointer)),
      configuration: context.configuration)
    slot.pointee = Unmanaged.passRetained(connection).toOpaque()
    context.add(connection)
  } else if let stored = slot.pointee {
    slot.pointee = nil
    context.remove(Unmanaged<ClientConnection>.fromOpaque(stored).takeRetainedValue())
  }
}

/// Begins an exchange at the request line, and returns it as the context of its other callbacks.
private func targetReceived(
  context: UnsafeMutableRawPointer?, target: UnsafePointer<CChar>?, pointer: OpaquePointer?
) -> UnsafeMutableRawPointer? {
  guard let context = serverContext(context), let target,
    let stored = offshore_mhd_socket_context(pointer)
  else { return nil }
  let connection = Unmanaged<ClientConnection>.fromOpaque(stored).takeUnretainedValue()
  let exchange = HTTPExchange(
    target: String(cString: target), connection: connection, context: context)
  connection.begin(exchange)
  // The exchange is registered by now: either this check sees the abort, or the abort sees the
  // exchange.
  if context.isAborting { exchange.abandon() }
  return Unmanaged.passRetained(exchange).toOpaque()
}

private func accessed(
  context: UnsafeMutableRawPointer?, pointer: OpaquePointer?, url: UnsafePointer<CChar>?,
  method: UnsafePointer<CChar>?, version: UnsafePointer<CChar>?, part: UnsafePointer<CChar>?,
  partCount: UnsafeMutablePointer<Int>?,
  slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
  guard let pointer, let method, let version, let partCount, let stored = slot?.pointee else {
    return .NO
  }
  let exchange = Unmanaged<HTTPExchange>.fromOpaque(stored).takeUnretainedValue()
  let bytes = UnsafeRawBufferPointer(start: part, count: part == nil ? 0 : partCount.pointee)
  // Zero means that all bytes were processed.
  partCount.pointee = 0
  return exchange.access(
    ConnectionHandle(pointer: pointer), method: String(cString: method),
    version: String(cString: version), part: bytes)
}

private func completed(
  context: UnsafeMutableRawPointer?, pointer: OpaquePointer?,
  slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, reason: MHD_RequestTerminationCode
) {
  guard let slot, let stored = slot.pointee else { return }
  slot.pointee = nil
  let exchange = Unmanaged<HTTPExchange>.fromOpaque(stored).takeRetainedValue()
  exchange.end()
  exchange.connection.endExchange()
  // If the server began to stop during the exchange, it has closed only the connections that were
  // idle.
  if serverContext(context)?.isStopping == true { exchange.connection.finish() }
}

private func numericAddress(_ address: UnsafePointer<sockaddr>?) -> String {
  guard let address else { return "" }
  var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
  let isSix = address.pointee.sa_family == sa_family_t(AF_INET6)
  let length = isSix ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
  let result = getnameinfo(
    address, socklen_t(length), &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
  guard result == 0 else { return "" }
  return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
