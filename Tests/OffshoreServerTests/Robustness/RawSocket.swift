import Foundation

/// A connection to a loopback port that sends arbitrary bytes.
struct RawSocket: ~Copyable {
  enum Failure: Error { case cannotConnect }

  private let descriptor: Int32

  /// Connects to a port. A read without data ends after a minute.
  init(port: UInt16) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var timeout = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let isConnected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isConnected else { throw Failure.cannotConnect }
  }

  deinit { close(descriptor) }

  /// Sends bytes, and reads the answer to its end. The answer to an event stream ends after its
  /// head.
  /// - Parameter isLast: Whether to close the sending side.
  func exchange(_ bytes: [UInt8], isLast: Bool) -> [UInt8] {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      rest = rest.dropFirst(count)
    }
    if isLast { shutdown(descriptor, Int32(SHUT_WR)) }
    var answer: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = recv(descriptor, &part, part.count, 0)
      // A signal, such as that of a child process of another test, ends the call without data.
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      answer += part.prefix(count)
      if Self.beginsStream(answer) { break }
    }
    return answer
  }

  /// Returns whether an answer has a complete head of an event stream.
  private static func beginsStream(_ answer: [UInt8]) -> Bool {
    guard let end = answer.firstRange(of: Array("\r\n\r\n".utf8)) else { return false }
    let head = String(decoding: answer[..<end.lowerBound], as: UTF8.self)
    return head.contains("text/event-stream")
  }
}
