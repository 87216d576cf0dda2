import Foundation
import OffshoreWire

/// A persistent connection, on a thread that waits for each answer.
final class LoadConnection: @unchecked Sendable {  // Only one thread uses it at a time.
  private let descriptor: Int32
  private var buffer = [UInt8](repeating: 0, count: 65_536)

  /// Connects to a port of this machine.
  init(to port: UInt16) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    var isOn: Int32 = 1
    setsockopt(
      descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
    try expect(status == 0, "a server at port \(port)")
  }

  deinit { close(descriptor) }

  /// Sends requests, each after the answer to the one before.
  func push(_ requests: [[UInt8]]) throws {
    for request in requests {
      let sent = send(descriptor, request, request.count, Int32(MSG_NOSIGNAL))
      try expect(sent == request.count, "a request to be sent whole")
      let answer = try PushResponse(body: try body())
      for result in answer.results {
        guard case .applied = result.outcome else {
          throw WrongResult(description: "Expected a push to be applied, not \(result.outcome).")
        }
      }
    }
  }

  /// Reads an answer with the status 200 and a length.
  private func body() throws -> [UInt8] {
    var answer: [UInt8] = []
    while true {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      try expect(count > 0, "an answer")
      answer += buffer[..<count]
      guard let head = Data(answer).range(of: Data("\r\n\r\n".utf8))?.upperBound else { continue }
      let lines = String(decoding: answer[..<head], as: UTF8.self).lowercased()
        .split(separator: "\r\n")
      try expect(lines.first?.contains(" 200 ") == true, "the status 200, not \(lines)")
      let length = lines.first { $0.hasPrefix("content-length:") }
        .flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) }
      guard answer.count >= head + (length ?? 0) else { continue }
      return Array(answer[head...])
    }
  }

  /// Sends over several connections at the same time, each on a thread, and waits for all answers.
  static func push(_ requests: [[[UInt8]]], over connections: [LoadConnection]) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (connection, requests) in zip(connections, requests) {
        group.addTask { try await onThread { try connection.push(requests) } }
      }
      try await group.waitForAll()
    }
  }

  private static func onThread(_ body: @escaping @Sendable () throws -> Void) async throws {
    try await withCheckedThrowingContinuation {
      (continuation: CheckedContinuation<Void, any Error>) in
      Thread { continuation.resume(with: Result { try body() }) }.start()
    }
  }
}
