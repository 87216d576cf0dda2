import Foundation
import OffshoreServer
import OffshoreWire
import Testing

@testable import offshore

/// Many devices that listen to one server and receive nothing.
struct IdleStreamTests {
  private let folder: ToolFolder

  init() throws { folder = try ToolFolder() }

  /// The number of streams that one account opens, which is the most it may.
  private static let perAccount = HintHub.streamsPerAccount

  @Test(.timeLimit(.minutes(10)))
  func `Streams that are idle take little memory, and others are answered meanwhile`() async throws
  {
    let isSoak = ProcessInfo.processInfo.environment["OFFSHORE_SOAK"] != nil
    let count = isSoak ? 10_000 : 500
    let tokens = try await makeTokens((count + Self.perAccount - 1) / Self.perAccount)
    _ = Descriptors.raiseLimit(to: count + 512)
    let (server, address) = try await folder.serve()
    let port = try #require(UInt16(address.split(separator: ":").last ?? ""))
    let before = try Self.residentBytes(server.identifier)
    let streams = try await Self.open(count, tokens, port)
    #expect(streams.count == count)

    let metrics = try await Client(address: address).send("GET", "/metrics")
    #expect(metrics.text.contains("offshore_event_streams \(count)\n"))
    let after = try Self.residentBytes(server.identifier)
    print("\(count) idle streams: \(before >> 20) MiB before, \(after >> 20) MiB with them")
    #expect(after - before < count * (15 << 10) + (8 << 20))
    #expect(after < 150 << 20)
    let start = ContinuousClock.now
    #expect(try await Client(address: address).send("GET", "/healthz").text == "ok")
    #expect(start.duration(to: .now) < .seconds(5))
    server.signal(SIGTERM)
    #expect(await server.status() == 0)
    for stream in streams { close(stream) }
  }

  /// Makes accounts with a token each, before the server has the file.
  private func makeTokens(_ count: Int) async throws -> [String] {
    let log = try SQLiteStorage(folder.data, epoch: 7)
    let tokens = try await log.write { transaction in
      try (0..<count).map { number in
        let (id, secret) = (AccountID(UUID()), Secret.random())
        let rules = AccountRules(personalKinds: try ToolFolder.manifest().personalKinds)
        try rules.signUp(
          AccountName("person-\(number)"), .none, as: id, at: 0,
          in: &transaction)
        _ = try rules.addToken(
          secret, for: id, label: "", at: SystemClock.now(), in: &transaction)
        return secret.text
      }
    }
    await log.close()
    return tokens
  }

  /// Opens streams, each answered before the next, from as many addresses as a server asks for.
  private static func open(_ count: Int, _ tokens: [String], _ port: UInt16) async throws -> [Int32]
  {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(
          with: Result {
            try (0..<count).map { number in
              try open(tokens[number / perAccount], port, from: UInt8(1 + number / 500))
            }
          })
      }
    }
  }

  private static func open(_ token: String, _ port: UInt16, from host: UInt8) throws -> Int32 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var timeout = timeval(tv_sec: 30, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    let isConnected =
      use(descriptor, 0x7F00_0100 | UInt32(host), 0, bind)
      && use(descriptor, 0x7F00_0001, port, connect)
    let request = Array(
      "GET /v1/events HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(token)\r\n\r\n".utf8)
    guard isConnected, send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) > 0 else {
      throw ToolError("No connection \(errno).")
    }
    var answer = [UInt8](repeating: 0, count: 2_048)
    let received = recv(descriptor, &answer, answer.count, 0)
    guard received > 0, String(decoding: answer, as: UTF8.self).hasPrefix("HTTP/1.1 200 ") else {
      throw ToolError(
        "No stream: \(String(decoding: answer.prefix(max(0, received)), as: UTF8.self))")
    }
    return descriptor
  }

  private static func use(
    _ descriptor: Int32, _ host: UInt32, _ port: UInt16,
    _ body: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Bool {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = host.bigEndian
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }

  /// The memory of a process that is not swapped out, by proc(5).
  private static func residentBytes(_ process: Int32) throws -> Int {
    let text = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    let line = text.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) << 10
  }
}
