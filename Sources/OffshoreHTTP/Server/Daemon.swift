import CMicroHTTPD
import Foundation

/// The library's daemon: its threads, and what they call.
struct Daemon: @unchecked Sendable {  // The server's lock lets one caller stop it, once.
  private let pointer: OpaquePointer
  private let context: Unmanaged<ServerContext>

  /// Starts threads that accept connections from a socket, which the daemon then owns.
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

  /// The library reads certificate and key while it starts.
  private static func withTLS<Result>(
    _ tls: HTTPServer.TLS?, _ body: (offshore_mhd_tls) -> Result
  ) -> Result {
    guard let tls else { return body(offshore_mhd_tls(certificates: nil, key: nil)) }
    return tls.certificates.withCString { certificates in
      tls.key.withCString { body(offshore_mhd_tls(certificates: certificates, key: $0)) }
    }
  }

  /// Ends the threads and waits for them; no connection may sleep.
  func stop() {
    MHD_stop_daemon(pointer)
    context.release()
  }
}

// MARK: - What the daemon calls, on its own threads

private func serverContext(_ pointer: UnsafeMutableRawPointer?) -> ServerContext? {
  pointer.map { Unmanaged<ServerContext>.fromOpaque($0).takeUnretainedValue() }
}

/// Whether a new connection is let in, which is closed otherwise.
///
/// NB: The library has a function that stops listening, but its workers race it to the listening
/// socket, and whoever comes second aborts the process.
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

/// Called with the request line; what it returns comes back as the slot of the other calls.
private func targetReceived(
  context: UnsafeMutableRawPointer?, target: UnsafePointer<CChar>?, pointer: OpaquePointer?
) -> UnsafeMutableRawPointer? {
  guard let context = serverContext(context), let target,
    let stored = offshore_mhd_socket_context(pointer)
  else { return nil }
  let connection = Unmanaged<ClientConnection>.fromOpaque(stored).takeUnretainedValue()
  let exchange = Exchange(
    target: String(cString: target), connection: connection, context: context)
  connection.begin(exchange)
  // After it can be found, so that either this line sees the end or the end sees the exchange.
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
  let exchange = Unmanaged<Exchange>.fromOpaque(stored).takeUnretainedValue()
  let bytes = UnsafeRawBufferPointer(start: part, count: part == nil ? 0 : partCount.pointee)
  // Zero says that all bytes were taken.
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
  let exchange = Unmanaged<Exchange>.fromOpaque(stored).takeRetainedValue()
  exchange.end()
  exchange.connection.endExchange()
  // A server that began to stop during the exchange has ended only the connections that were idle then.
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
