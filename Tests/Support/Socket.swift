import Foundation

/// A TCP socket on this machine, with the operations of a proxy and of an unusual client.
package struct Socket: Sendable {
  package let descriptor: Int32

  /// Makes a write to a closed connection fail instead of raising `SIGPIPE`.
  private static let quietly = Int32(MSG_NOSIGNAL)

  /// Listens on a free port.
  /// - Parameter receiveBuffer: the bytes that the system receives on each connection before they
  ///   are read, or `nil` for its default.
  package static func listening(
    receiveBuffer: Int32? = nil
  ) throws -> (socket: Socket, port: UInt16) {
    let socket = try Socket()
    if var receiveBuffer { socket.set(SO_RCVBUF, &receiveBuffer) }
    var address = address(loopback, 0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    try withUnsafeMutablePointer(to: &address) { pointer in
      try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        guard bind(socket.descriptor, address, length) == 0, listen(socket.descriptor, 64) == 0,
          getsockname(socket.descriptor, address, &length) == 0
        else { throw POSIXError(.EADDRINUSE) }
      }
    }
    return (socket, UInt16(bigEndian: address.sin_port))
  }

  /// The address `127.0.0.1`. The others of `127.0.0.0/8` are of this machine, too.
  package static let loopback: UInt32 = 0x7F00_0001

  /// Connects to a port of this machine; `nil` if the connection is refused.
  /// - Parameters:
  ///   - port: the port at `127.0.0.1`.
  ///   - host: the address to connect from.
  ///   - receiveBuffer: the bytes that the system receives before they are read, or `nil` for its
  ///     default.
  ///   - timeout: the seconds after which a read or a write without progress fails, or `nil` to wait
  ///     for as long as it takes.
  package init?(
    to port: UInt16, from host: UInt32 = loopback, receiveBuffer: Int32? = nil, timeout: Int? = nil
  ) {
    guard let socket = try? Socket() else { return nil }
    descriptor = socket.descriptor
    if var receiveBuffer { set(SO_RCVBUF, &receiveBuffer) }
    if let timeout {
      var time = timeval(tv_sec: timeout, tv_usec: 0)
      set(SO_RCVTIMEO, &time)
      set(SO_SNDTIMEO, &time)
    }
    let isBound = host == Self.loopback || use(Self.address(host, 0), bind)
    guard isBound, use(Self.address(Self.loopback, port), connect) else {
      close()
      return nil
    }
  }

  /// Waits for a connection. Returns `nil` when the socket is shut down.
  package func accept() -> Socket? {
    let found = Glibc.accept(descriptor, nil, nil)
    guard found >= 0 else { return nil }
    // Child processes do not inherit the descriptor.
    _ = fcntl(found, F_SETFD, FD_CLOEXEC)
    return Socket(descriptor: found)
  }

  /// Waits for bytes. Returns an empty array at the end of the stream.
  /// - Parameter count: the maximum number of bytes.
  package func read(upTo count: Int = 16_384) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: count)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    return count > 0 ? Array(buffer[..<count]) : []
  }

  /// Writes all bytes.
  /// - Returns: false if the connection has ended.
  package func write(_ bytes: some Collection<UInt8>) -> Bool {
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        send(descriptor, $0.baseAddress, $0.count, Self.quietly)
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Shuts the socket down: reads and writes in other threads end.
  package func shut() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  package func close() { Glibc.close(descriptor) }

  private init() throws {
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    descriptor = socket(AF_INET, type, 0)
    guard descriptor >= 0 else { throw POSIXError(.EMFILE) }
  }

  private init(descriptor: Int32) { self.descriptor = descriptor }

  private func set<Value: BitwiseCopyable>(_ option: Int32, _ value: inout Value) {
    setsockopt(descriptor, SOL_SOCKET, option, &value, socklen_t(MemoryLayout<Value>.size))
  }

  private func use(
    _ address: sockaddr_in, _ body: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Bool {
    withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }

  private static func address(_ host: UInt32, _ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = host.bigEndian
    return address
  }
}
