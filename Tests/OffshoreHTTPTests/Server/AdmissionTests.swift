import OffshoreHTTP
import Synchronization
import Testing

/// Requests that are admitted or refused by their heads, at once and after a suspension.
struct AdmissionTests {
  private struct Reader: Sendable { let name: String }

  private final class Counter: Sendable { let count = Mutex(0) }

  /// Creates a router that admits requests with a name, optionally after a suspension.
  private static func router(_ handled: Counter, isSlow: Bool) -> Router {
    var router = Router(
      middleware: [
        Middleware { request, next in
          var response = try await next(request)
          response.headers["X-Route"] = request.route
          return response
        }
      ])
    router.admission = { request in
      if isSlow { try await onThread {} }
      guard let name = request.headers["Name"] else { throw HTTPError(.unauthorized, "Who?") }
      request[Reader.self] = Reader(name: name)
    }
    router.post("notes/:id", bodyLimit: 4_000_000) { request in
      handled.count.withLock { $0 += 1 }
      return .text("\(request[Reader.self]?.name ?? "nobody") \(request.body.count)")
    }
    router.get("notes/:id") { .text($0[Reader.self]?.name ?? "nobody") }
    return router
  }

  private func talk<Result: Sendable>(
    isSlow: Bool, handled: Counter = Counter(),
    _ body: @escaping @Sendable (inout RawClient) throws -> Result
  ) async throws -> Result {
    let server = HTTPServer(.forTests, router: Self.router(handled, isSlow: isSlow))
    return try await serving(server) { port in
      try await onThread {
        var client = try RawClient(port: port)
        return try body(&client)
      }
    }
  }

  private static func post(_ rest: String) -> String {
    "POST /notes/1 HTTP/1.1\r\nHost: a\r\n\(rest)"
  }

  @Test(
    .serialized,
    arguments: [false, true])
  func `Passes its result to the handler, and accepts bodies whole and in chunks`(isSlow: Bool)
    async throws
  {
    let texts = try await talk(isSlow: isSlow) { client in
      client.send(Self.post("Name: Ida\r\nContent-Length: 5\r\n\r\n"))
      client.send("abcde")
      var texts = [try client.response().text]
      client.send(
        Self.post(
          "Name: Ben\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n3\r\nabc\r\n0\r\n\r\n"))
      texts.append(try client.response().text)
      client.send(Self.post("Name: Eve\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n"))
      texts.append("\(try client.responseHead().headers.fields.count)")
      client.send("ab")
      texts.append(try client.response().text)
      client.send(Self.post("Name: Tom\r\nContent-Length: 0\r\n\r\n"))
      texts.append(try client.response().text)
      client.send(Request(.get, "/notes/2", headers: ["Name": "Ann"]))
      texts.append(try client.response().text)
      client.send(Self.post("Name: Max\r\nContent-Length: 300000\r\n\r\n"))
      client.send([UInt8](repeating: 0, count: 300_000))
      texts.append(try client.response().text)
      return texts
    }
    #expect(texts == ["Ida 5", "Ben 6", "0", "Eve 2", "Tom 0", "Ann", "Max 300000"])
  }

  @Test(
    .serialized,
    arguments: [false, true])
  func `Refuses before a large body arrives, and also if the client sends it first`(isSlow: Bool)
    async throws
  {
    let handled = Counter()
    for isEager in [false, true] {
      let response = try await talk(isSlow: isSlow, handled: handled) { client in
        client.send(Self.post("Content-Length: 3000000\r\n\r\n"))
        if isEager { client.send([UInt8](repeating: 0, count: 3_000_000)) }
        return try client.response()
      }
      #expect(response.status == .unauthorized && response.text == "Who?")
      #expect(response.headers["X-Route"] == "notes/:id")
      #expect(response.headers["Connection"] == "close")
    }
    #expect(handled.count.withLock { $0 } == 0)
  }

  @Test(
    .serialized,
    arguments: [false, true])
  func `Answers a request without a route by its head, and closes the connection`(isSlow: Bool)
    async throws
  {
    for (line, status) in [("POST /nowhere", 404), ("PUT /notes/1", 405)] {
      let response = try await talk(isSlow: isSlow) { client in
        // NB: The body never comes, and its deadline is a minute.
        client.send("\(line) HTTP/1.1\r\nHost: a\r\nName: Ida\r\nContent-Length: 1000000\r\n\r\n")
        return try client.response()
      }
      #expect(response.status.rawValue == status && response.headers["Connection"] == "close")
    }
  }

  @Test(
    .serialized,
    arguments: [false, true])
  func `Keeps the connection open if the refused body is short or empty`(isSlow: Bool)
    async throws
  {
    let handled = Counter()
    let answers = try await talk(isSlow: isSlow, handled: handled) { client in
      var answers: [String] = []
      for body in ["Content-Length: 5\r\n\r\nabcde", "Content-Length: 0\r\n\r\n", "\r\n"] {
        client.send(Self.post(body))
        answers.append(try client.response().status.description)
      }
      client.send(Self.post("Name: Ida\r\nContent-Length: 1\r\n\r\na"))
      return answers + [try client.response().text]
    }
    #expect(answers == ["401", "401", "401", "Ida 1"])
    #expect(handled.count.withLock { $0 } == 1)
  }

  @Test(.serialized, arguments: [false, true]) func `Does not ask for a body that it refuses`(
    isSlow: Bool
  ) async throws {
    let response = try await talk(isSlow: isSlow) { client in
      client.send(Self.post("Expect: 100-continue\r\nContent-Length: 5\r\n\r\n"))
      return try client.response()
    }
    #expect(response.status == .unauthorized)
  }

  @Test(
    .serialized,
    arguments: [false, true])
  func `Answers a body that is too large through the router, announced or in chunks`(isSlow: Bool)
    async throws
  {
    for rest in ["Content-Length: 4000001", "Transfer-Encoding: chunked"] {
      let response = try await talk(isSlow: isSlow) { client in
        client.send(Self.post("Name: Ida\r\n\(rest)\r\n\r\n3d0901\r\n"))
        client.send([UInt8](repeating: 0, count: 4_000_001))
        return try client.response()
      }
      #expect(response.status == .contentTooLarge)
      #expect(response.headers["X-Route"] == "notes/:id")
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `Cancels an admission when the server stops or the client disconnects`() async throws {
    let (asked, continuation) = AsyncStream.makeStream(of: Void.self)
    let (decided, decision) = AsyncStream.makeStream(of: Void.self)
    defer { decision.finish() }
    var router = Router()
    router.admission = { _ in
      continuation.yield()
      for await _ in decided {}
      try Task.checkCancellation()
    }
    router.post("/") { _ in .noContent }
    var configuration = HTTPServer.Configuration.forTests
    configuration.stopDeadline = .milliseconds(50)
    let server = HTTPServer(configuration, router: router)
    let port = try server.start()
    let client = try RawClient(port: port)
    client.send(Self.post("Content-Length: 3\r\n\r\nabc"))
    for await _ in asked { break }
    await server.stop()
  }

  @Test func `Admits a request without a socket once`() async throws {
    let router = Self.router(Counter(), isSlow: true)
    #expect(await router.respond(to: Request(.get, "/notes/2")).status == .unauthorized)
    let known = Request(.get, "/notes/2", headers: ["Name": "Ida"])
    #expect(await router.respond(to: known).text == "Ida")
  }
}
