import Foundation
import OffshoreHTTP
import OffshoreWire
import Synchronization
import TestSupport
import Testing

@testable import OffshoreSync

/// Requests over real connections, to correct and to faulty servers.
@Suite(.timeLimit(.minutes(2)))
struct HTTPTransportTests {
  private static let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello".utf8)

  private func code(
    _ transport: HTTPTransport, _ path: String = "v1/push"
  ) async -> SyncEngine.Failure.Code? {
    do {
      _ = try await transport.send([1], to: path, token: "t")
      return nil
    } catch {
      return error.code
    }
  }

  @Test func `A truncated answer is an error, and later requests succeed`()
    async throws
  {
    for length in 0..<Self.answer.count {
      let server = try RawServer(Array(Self.answer.prefix(length)), then: .close)
      #expect(await code(HTTPTransport(server.url)) == .unreachable, "after \(length) bytes")
    }
    let server = try RawServer(Self.answer, then: .close)
    let transport = HTTPTransport(server.url)
    for _ in 0..<3 {
      #expect(try await transport.send([1], to: "a", token: "t") == Array("hello".utf8))
    }
  }

  @Test func `A truncated stream ends with an error`() async throws {
    let event = "event: hint\ndata: 7 board/b1\n\n"
    let stream = Array(
      ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        + "\(String(event.utf8.count, radix: 16))\r\n\(event)\r\n5\r\n").utf8)
    for length in stride(from: 0, through: stream.count, by: 3) {
      let server = try RawServer(Array(stream.prefix(length)), then: .close)
      let transport = HTTPTransport(server.url)
      await #expect(throws: SyncEngine.Failure.self, "after \(length) bytes") {
        try await transport.listen(token: "t") { _ in }
      }
    }
  }

  @Test(arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe", "HTTP/1.1 20"])
  func `A request without progress times out`(_ answer: String) async throws {
    let server = try RawServer(Array(answer.utf8), then: .hold)
    #expect(await code(HTTPTransport(server.url, idleTimeout: 0.2)) == .timedOut)
  }

  @Test func `A slow stream with heartbeats does not time out`() async throws {
    let channel = EventChannel()
    var configuration = HTTPServer.Configuration()
    configuration.port = 0
    configuration.heartbeat = .milliseconds(50)
    let server = HTTPServer(configuration, handler: { _ in .events(channel) })
    let url = try #require(URL(string: "http://127.0.0.1:\(try server.start())"))
    let transport = HTTPTransport(url, idleTimeout: 2)
    let (heard, continuation) = AsyncStream.makeStream(of: StreamEvent.self)
    let listening = _Concurrency.Task {
      try await transport.listen(token: "t") { continuation.yield($0) }
    }
    var events = heard.makeAsyncIterator()
    #expect(await events.next() == .opened)
    // Longer than the stream's idleTimeout: the time in which two other requests time out.
    let silent = try RawServer([], then: .hold)
    for _ in 0..<2 { #expect(await code(HTTPTransport(silent.url, idleTimeout: 1.2)) == .timedOut) }
    channel.send(ServerSentEvent(event: "hint", data: try Hint("7 board/b1").text))
    #expect(await events.next() == .hint(try Hint("7 board/b1")))
    listening.cancel()
    await #expect(throws: SyncEngine.Failure(.cancelled, "The request was given up.")) {
      try await listening.value
    }
    await server.stop()
  }

  @Test(arguments: ["SSH-2.0-OpenSSH\r\n", "hello\r\n\r\n", "HTTP/1.1 abc\r\n\r\n"])
  func `A server that does not speak HTTP is unreachable`(_ answer: String) async throws {
    let server = try RawServer(Array(answer.utf8), then: .close)
    #expect(await code(HTTPTransport(server.url)) == .unreachable)
  }

  @Test func `A port without a server is unreachable`() async throws {
    let server = HTTPServer { _ in .noContent }
    let port = try server.start()
    await server.stop()
    let url = try #require(URL(string: "http://127.0.0.1:\(port)"))
    #expect(await code(HTTPTransport(url)) == .unreachable)
  }

  @Test func `A redirect is not followed, and its target does not get the token`() async throws {
    let seen = Mutex<[String]>([])
    let other = HTTPServer { request in
      seen.withLock { $0.append(request.path) }
      return .noContent
    }
    let port = try other.start()
    let server = HTTPServer { _ in .redirect(to: "http://127.0.0.1:\(port)/v1/push") }
    let url = try #require(URL(string: "http://127.0.0.1:\(try server.start())"))
    #expect(await code(HTTPTransport(url)) == .server)
    #expect(seen.withLock { $0 } == [])
    for server in [server, other] { await server.stop() }
  }

  @Test func `A cancelled request ends`() async throws {
    let server = try RawServer([], then: .hold)
    let transport = HTTPTransport(server.url)
    let request = _Concurrency.Task { await code(transport) }
    request.cancel()
    #expect(await request.value == .cancelled)
  }

  @Test func `An encrypted request succeeds only with a trusted certificate`() async throws {
    let folder = try CertificateFolder()
    var configuration = HTTPServer.Configuration()
    configuration.port = 0
    configuration.tls = try HTTPServer.TLS(
      certificates: folder.text(folder.certificate), key: folder.text(folder.key))
    let server = HTTPServer(
      configuration, handler: { _ in Response(.ok, body: .bytes([1, 2, 3])) })
    let url = try #require(URL(string: "https://127.0.0.1:\(try server.start())"))
    let trusting = HTTPTransport(url, certificates: folder.certificate)
    #expect(try await trusting.send([1], to: "v1/push", token: "t") == [1, 2, 3])
    #expect(await code(HTTPTransport(url)) == .unreachable)
    let another = try CertificateFolder()
    #expect(await code(HTTPTransport(url, certificates: another.certificate)) == .unreachable)
    await server.stop()
  }
}
