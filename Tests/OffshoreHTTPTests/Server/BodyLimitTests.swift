import OffshoreHTTP
import Synchronization
import Testing

struct BodyLimitTests {
  private static func server(handled: Counter) -> HTTPServer {
    var configuration = HTTPServer.Configuration.forTests
    configuration.bodyLimit = 10
    return HTTPServer(
      configuration, bodyLimit: { $0.path == "/large" ? 100_000 : nil },
      handler: { request in
        handled.count.withLock { $0 += 1 }
        return .text("\(request.body.count)")
      })
  }

  private final class Counter: Sendable { let count = Mutex(0) }

  private static func post(_ path: String, _ rest: String) -> String {
    "POST \(path) HTTP/1.1\r\nHost: a\r\n\(rest)"
  }

  @Test
  func `Answers 413 to an announced length before the body arrives, and calls no handler`()
    async throws
  {
    let handled = Counter()
    let status = try await serving(Self.server(handled: handled)) { port in
      try await onThread {
        var client = try RawClient(port: port)
        client.send(Self.post("/", "Content-Length: 11\r\n\r\n"))
        return try client.response().status
      }
    }
    #expect(status == .contentTooLarge)
    #expect(handled.count.withLock { $0 } == 0)
  }

  @Test func `Answers 413 to a client that sends everything before it reads`() async throws {
    let handled = Counter()
    let status = try await serving(Self.server(handled: handled)) { port in
      try await onThread {
        var client = try RawClient(port: port)
        client.send(Self.post("/", "Content-Length: 3000000\r\n\r\n"))
        client.send([UInt8](repeating: 0, count: 3_000_000))
        return try client.response().status
      }
    }
    #expect(status == .contentTooLarge)
    #expect(handled.count.withLock { $0 } == 0)
  }

  @Test func `Counts chunks, and answers 413 before the last one`() async throws {
    let handled = Counter()
    let status = try await serving(Self.server(handled: handled)) { port in
      try await onThread {
        var client = try RawClient(port: port)
        client.send(Self.post("/", "Transfer-Encoding: chunked\r\n\r\n6\r\nabcdef\r\n"))
        client.send("5\r\nabcde\r\n")
        return try client.response().status
      }
    }
    #expect(status == .contentTooLarge)
    #expect(handled.count.withLock { $0 } == 0)
  }

  @Test func `Accepts bodies up to the limit, whole and in chunks`() async throws {
    let texts = try await serving(Self.server(handled: Counter())) { port in
      try await onThread {
        var client = try RawClient(port: port)
        client.send(Self.post("/", "Content-Length: 10\r\n\r\nabcdefghij"))
        let whole = try client.response().text
        client.send(
          Self.post("/", "Transfer-Encoding: chunked\r\n\r\na\r\nabcdefghij\r\n0\r\n\r\n"))
        return [whole, try client.response().text]
      }
    }
    #expect(texts == ["10", "10"])
  }

  @Test func `Allows a route a higher limit than the server's`() async throws {
    let texts = try await serving(Self.server(handled: Counter())) { port in
      try await onThread {
        var client = try RawClient(port: port)
        client.send(Request(.post, "/large", body: [UInt8](repeating: 1, count: 100_000)))
        let fits = try client.response().text
        client.send(Request(.post, "/large", body: [UInt8](repeating: 1, count: 100_001)))
        return [fits, try client.response().status.description]
      }
    }
    #expect(texts == ["100000", "413"])
  }

  @Test func `Does not ask for a body that it would refuse`() async throws {
    let texts = try await serving(Self.server(handled: Counter())) { port in
      try await onThread {
        var client = try RawClient(port: port)
        client.send(Self.post("/", "Content-Length: 9\r\nExpect: 100-continue\r\n\r\n"))
        let invited = try client.responseHead().status.rawValue
        client.send("123456789")
        let answer = try client.response().text
        client.send(Self.post("/", "Content-Length: 11\r\nExpect: 100-continue\r\n\r\n"))
        return ["\(invited)", answer, try client.response().status.description]
      }
    }
    // 100 is not a final status, and reads as 500 here.
    #expect(texts == ["500", "9", "413"])
  }
}
