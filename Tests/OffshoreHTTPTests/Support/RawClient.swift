import Foundation

/// A socket that sends arbitrary bytes and reads the answer.
struct RawClient: ~Copyable {
  enum Failure: Error { case cannotConnect, silence }

  fileprivate let descriptor: Int32
  private var buffer: [UInt8] = []

  /// Connects to this machine; a read without data for a minute fails the test.
  init(port: UInt16, isVersionSix: Bool = false) throws {
    descriptor = socket(isVersionSix ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var timeout = timeval(tv_sec: 60, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, size)
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, size)
    let isConnected = isVersionSix ? connectSix(port) : connectFour(port)
    guard isConnected else { throw Failure.cannotConnect }
  }

  private func connectFour(_ port: UInt16) -> Bool {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return connect(&address)
  }

  private func connectSix(_ port: UInt16) -> Bool {
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_port = port.bigEndian
    address.sin6_addr = in6addr_loopback
    return connect(&address)
  }

  private func connect<Address>(_ address: inout Address) -> Bool {
    withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Foundation.connect(descriptor, $0, socklen_t(MemoryLayout<Address>.size)) == 0
      }
    }
  }

  deinit { close(descriptor) }

  /// Sends all bytes, and returns whether the server received them.
  @discardableResult func send(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  @discardableResult func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  /// Closes the direction to the server.
  func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Closes at once, so that the server gets a reset.
  func reset() {
    var linger = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
  }

  /// Reads until the server closes.
  mutating func readToEnd() throws -> [UInt8] {
    while try receive() {}
    defer { buffer = [] }
    return buffer
  }

  /// Reads up to and including the text; the bytes after it remain for the next read.
  mutating func read(through text: String) throws -> String {
    let mark = Array(text.utf8)
    while true {
      if let range = buffer.firstRange(of: mark) {
        defer { buffer.removeSubrange(..<range.upperBound) }
        return String(decoding: buffer[..<range.upperBound], as: UTF8.self)
      }
      guard try receive() else { throw Failure.silence }
    }
  }

  mutating func read(count: Int) throws -> [UInt8] {
    while buffer.count < count { guard try receive() else { throw Failure.silence } }
    defer { buffer.removeFirst(count) }
    return Array(buffer.prefix(count))
  }

  /// Reads more bytes; returns `false` at the end or after a reset.
  private mutating func receive() throws -> Bool {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &bytes, bytes.count, 0)
    if count < 0, errno == EAGAIN { throw Failure.silence }
    if count > 0 { buffer += bytes.prefix(count) }
    return count > 0
  }
}

/// Runs blocking code on a thread that no task needs.
func onThread<Result: Sendable>(
  _ body: @escaping @Sendable () throws -> Result
) async throws -> Result {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Swift.Result(catching: body)) }
  }
}

extension RawClient {
  /// Blocks until the server closes its direction, or until the time is over.
  func waitForEnd(atMost duration: Duration) {
    let end: Int16 = 0x2000  // POLLRDHUP, which is not imported.
    var descriptors = pollfd(fd: descriptor, events: end, revents: 0)
    poll(&descriptors, 1, Int32(duration / .milliseconds(1)))
  }
}
