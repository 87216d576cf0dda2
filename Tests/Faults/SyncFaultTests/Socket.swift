import Foundation

/// A TCP socket on this machine, with the operations of a proxy.
struct Socket: Sendable {
  let descriptor: Int32

  /// Makes a write to a closed connection fail instead of raising `SIGPIPE`.
  private static let quietly = Int32(MSG_NOSIGNAL)

  /// Listens on a free port.
  static func listening() throws -> (socket: Socket, port: UInt16) {
    let socket = try Socket()
    var address = address(0)
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

  /// Connects to a port of this machine; `nil` if the connection is refused.
  init?(to port: UInt16) {
    guard let socket = try? Socket() else { return nil }
    var address = Self.address(port)
    let length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket.descriptor, $0, length)
      }
    }
    guard status == 0 else {
      socket.close()
      return nil
    }
    descriptor = socket.descriptor
  }

  /// Waits for a connection. Returns `nil` when the socket is shut down.
  func accept() -> Socket? {
    let found = Glibc.accept(descriptor, nil, nil)
    guard found >= 0 else { return nil }
    // Child processes do not inherit the descriptor.
    _ = fcntl(found, F_SETFD, FD_CLOEXEC)
    return Socket(descriptor: found)
  }

  /// Waits for bytes. Returns an empty array at the end of the stream.
  func read() -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    return count > 0 ? Array(buffer[..<count]) : []
  }

  /// Writes all bytes.
  /// - Returns: false if the connection has ended.
  func write(_ bytes: some Collection<UInt8>) -> Bool {
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
  func shut() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  func close() { Glibc.close(descriptor) }

  private init() throws {
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    descriptor = socket(AF_INET, type, 0)
    guard descriptor >= 0 else { throw POSIXError(.EMFILE) }
  }

  private init(descriptor: Int32) { self.descriptor = descriptor }

  private static func address(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }
}
