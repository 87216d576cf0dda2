import Foundation

/// A listening TCP socket and its port.
struct ListeningSocket {
  let descriptor: Int32
  let port: UInt16

  /// Binds a socket to an address and listens.
  ///
  /// - Throws: ``HTTPServerError`` if the address or the port cannot be used.
  init(address: String, port: UInt16) throws {
    var storage = sockaddr_storage()
    let length = try Self.fill(&storage, address: address, port: port)
    let descriptor = socket(Int32(storage.ss_family), Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { throw Self.failure(errno, address, port) }
    do {
      // Otherwise a server that restarts waits until the system forgets the connections of the last
      // one.
      var yes: Int32 = 1
      setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      let result = withUnsafePointer(to: &storage) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
      }
      guard result == 0, listen(descriptor, 1_024) == 0 else {
        throw Self.failure(errno, address, port)
      }
      self.port = try Self.boundPort(descriptor)
      self.descriptor = descriptor
    } catch {
      close(descriptor)
      throw error
    }
  }

  private static func fill(
    _ storage: inout sockaddr_storage, address: String, port: UInt16
  ) throws -> socklen_t {
    try withUnsafeMutableBytes(of: &storage) { bytes in
      if let base = bytes.baseAddress {
        let four = base.assumingMemoryBound(to: sockaddr_in.self)
        if inet_pton(AF_INET, address, &four.pointee.sin_addr) == 1 {
          four.pointee.sin_family = sa_family_t(AF_INET)
          four.pointee.sin_port = port.bigEndian
          return socklen_t(MemoryLayout<sockaddr_in>.size)
        }
        let six = base.assumingMemoryBound(to: sockaddr_in6.self)
        if inet_pton(AF_INET6, address, &six.pointee.sin6_addr) == 1 {
          six.pointee.sin6_family = sa_family_t(AF_INET6)
          six.pointee.sin6_port = port.bigEndian
          return socklen_t(MemoryLayout<sockaddr_in6>.size)
        }
      }
      throw HTTPServerError(
        .addressInvalid,
        "\(address) is no numeric address. Use 127.0.0.1 for this machine alone.")
    }
  }

  private static func boundPort(_ descriptor: Int32) throws -> UInt16 {
    var storage = sockaddr_in6()
    var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
    let result = withUnsafeMutablePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        getsockname(descriptor, $0, &length)
      }
    }
    guard result == 0 else { throw failure(errno, "The address", 0) }
    // The port has the same offset in both families.
    return UInt16(bigEndian: storage.sin6_port)
  }

  private static func failure(_ code: Int32, _ address: String, _ port: UInt16) -> HTTPServerError {
    switch code {
    case EADDRINUSE:
      HTTPServerError(
        .addressInUse,
        "Another program listens at port \(port). Stop it, choose another port, or choose 0 for any."
      )
    case EACCES, EPERM:
      HTTPServerError(
        .notPermitted, "This user may not listen at port \(port). Choose one of 1024 or above.")
    case EADDRNOTAVAIL, EAFNOSUPPORT:
      HTTPServerError(
        .addressInvalid,
        "\(address) is no address of this machine. Use 127.0.0.1 for this machine alone.")
    default:
      HTTPServerError(
        .system, "The system let the server not listen at \(address), port \(port) (errno \(code))."
      )
    }
  }
}
