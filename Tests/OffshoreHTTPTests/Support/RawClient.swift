import Foundation
import OffshoreHTTP

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

extension RawClient {
  /// Sends a request with a length and a host.
  func send(_ request: Request) {
    let target = request.rawQuery.isEmpty ? request.path : "\(request.path)?\(request.rawQuery)"
    var head = "\(request.method) \(target) HTTP/1.1\r\nHost: localhost\r\n"
    for (name, value) in request.headers.fields { head += "\(name): \(value)\r\n" }
    if !request.body.isEmpty { head += "Content-Length: \(request.body.count)\r\n" }
    send(Array((head + "\r\n").utf8) + request.body)
  }

  /// Reads a response that states its length.
  mutating func response(isHead: Bool = false) throws -> Response {
    var response = try responseHead()
    let count = response.headers["Content-Length"].flatMap { Int($0) } ?? 0
    if !isHead { response.body = .bytes(try read(count: count)) }
    return response
  }

  /// Reads status and headers.
  mutating func responseHead() throws -> Response {
    let lines = try read(through: "\r\n\r\n").split(separator: "\r\n")
    let status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    var headers = Headers()
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      headers.add(String(parts[0]), parts[1].trimmingPrefix(" ").description)
    }
    return Response(Response.Status(rawValue: status), headers: headers)
  }

  /// Sends text and returns the status of the answer, or `nil` if the server closes without one.
  static func status(of text: String, port: UInt16) async throws -> Int? {
    try await onThread {
      var client = try RawClient(port: port)
      client.send(text)
      let answer = String(decoding: try client.readToEnd(), as: UTF8.self)
      return answer.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    }
  }
}
