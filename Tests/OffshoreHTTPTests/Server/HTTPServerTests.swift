import Foundation
import OffshoreHTTP
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

struct HTTPServerTests {
  @Test func `Passes the client's request to the handler`() async throws {
    let text = try await serving { request in
      .text(
        """
        \(request.method) \(request.path) \(request.query["q"] ?? "") \(request.remoteAddress) \
        \(request.headers["x-a"] ?? "") \(request.headers.all("X-B")) \
        \(String(decoding: request.body, as: UTF8.self))
        """)
    } _: { port in
      try await onThread {
        var client = try RawClient(port: port)
        client.send(
          Request(
            .put, "/a%20b?q=1+2%26", headers: ["X-A": "é", "X-B": "1", "x-b": "2"],
            body: Array("body".utf8)))
        return try client.response().text
      }
    }
    #expect(text == #"PUT /a%20b 1 2& 127.0.0.1 é ["1", "2"] body"#)
  }

  @Test
  func `Answers consecutive requests on one connection, even if they are sent at once`()
    async throws
  {
    let texts = try await serving {
      .text($0.path)
    } _: { port in
      try await onThread {
        var client = try RawClient(port: port)
        let paths = (0..<50).map { "/\($0)" }
        client.send(paths.map { "GET \($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined())
        return try paths.map { ($0, try client.response().text) }
      }
    }
    #expect(texts.allSatisfy { $0 == $1 })
    #expect(texts.count == 50)
  }

  @Test func `Answers when the handler suspends for a while on another thread`() async throws {
    let codes = try await serving { request in
      await Task.yield()
      return .text(await Counter.shared.next(request.path))
    } _: { port in
      try await withThrowingTaskGroup(of: Int.self) { group in
        for index in 0..<20 {
          group.addTask {
            try await onThread {
              var client = try RawClient(port: port)
              return try (0..<25).reduce(0) { sum, _ in
                client.send(Request(.get, "/\(index)"))
                return sum + (try client.response().text == "/\(index)" ? 1 : 0)
              }
            }
          }
        }
        return try await group.reduce(0, +)
      }
    }
    #expect(codes == 500)
  }

  @Test func `Exchanges a body of a megabyte with URLSession in both directions`() async throws {
    let body = Data((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    let (data, status) = try await serving { request in
      Response(.created, headers: ["Content-Type": "x/y"], body: .bytes(request.body.reversed()))
    } _: { port in
      var request = URLRequest(url: try #require(URL(string: "http://127.0.0.1:\(port)/")))
      request.httpMethod = "POST"
      request.httpBody = body
      let (data, response) = try await URLSession.shared.data(for: request)
      return (data, (response as? HTTPURLResponse)?.statusCode)
    }
    #expect(status == 201)
    #expect(data == Data(body.reversed()))
  }

  @Test func `Processes a large body outside of the event loop, and a small one on it`()
    async throws
  {
    var configuration = HTTPServer.Configuration.forTests
    configuration.threads = 1
    var router = Router()
    router.admission = { request in request[EventLoop.self] = .current }
    router.post("/") { .text("\($0[EventLoop.self] == .current)") }
    let server = HTTPServer(configuration, router: router)
    let texts = try await serving(server) { port in
      try await onThread {
        var client = try RawClient(port: port)
        return try [1, 64 << 10, (64 << 10) + 1, 500_000].map { count in
          client.send(Request(.post, "/", body: [UInt8](repeating: 0, count: count)))
          return try client.response().text
        }
      }
    }
    #expect(texts == ["true", "true", "false", "false"])
  }

  /// The thread that a closure runs on.
  private struct EventLoop: Equatable, Sendable {
    let thread: ObjectIdentifier

    static var current: EventLoop { EventLoop(thread: ObjectIdentifier(Thread.current)) }
  }

  @Test func `Joins the chunks of a body, and leaves the rest of the connection usable`()
    async throws
  {
    let (first, second) = try await serving {
      .text(String(decoding: $0.body, as: UTF8.self))
    } _: {
      port in
      try await onThread {
        var client = try RawClient(port: port)
        client.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
        client.send("3\r\nabc\r\n")
        client.send("2\r\nde\r\n0\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n")
        return (try client.response().text, try client.response().text)
      }
    }
    #expect(first == "abcde")
    #expect(second == "")
  }

  @Test func `Writes a header value in one line, and omits an invalid name`()
    async throws
  {
    let response = try await serving { _ in
      var response = Response.redirect(to: "/a\r\nSet-Cookie: b=1")
      response.headers.add("Bad Name", "x")
      response.headers.add("Content-Length", "1000")
      response.setCookie(Cookie("a", "ä;"))
      response.setCookie(Cookie("b", "2"))
      return response
    } _: { port in
      try await onThread {
        var client = try RawClient(port: port)
        client.send(Request(.get, "/"))
        return try client.response()
      }
    }
    #expect(response.status == .seeOther)
    #expect(response.headers["Location"] == "/a  Set-Cookie: b=1")
    #expect(response.headers["Bad Name"] == nil)
    #expect(response.headers.all("Content-Length") == ["0"])
    #expect(
      response.headers.all("Set-Cookie") == [
        "a=%C3%A4%3B; Path=/; HttpOnly; SameSite=Strict", "b=2; Path=/; HttpOnly; SameSite=Strict",
      ])
  }

  @Test func `Names the port that is in use`() async throws {
    try await serving { _ in
      .noContent
    } _: { port in
      var configuration = HTTPServer.Configuration()
      configuration.port = port
      let error = #expect(throws: HTTPServerError.self) {
        try HTTPServer(configuration) { _ in .noContent }.start()
      }
      #expect(error?.code == .addressInUse)
      #expect(error?.message.contains("port \(port)") == true)
    }
  }

  @Test func `Refuses addresses that are not numeric or not of this machine`() {
    for address in ["localhost", "", "192.0.2.1", "1.2.3.4.5"] {
      var configuration = HTTPServer.Configuration()
      configuration.address = address
      let error = #expect(throws: HTTPServerError.self) {
        try HTTPServer(configuration) { _ in .noContent }.start()
      }
      #expect(error?.code == .addressInvalid)
    }
  }

  @Test func `Starts once, and frees its port when it stops`() async throws {
    var configuration = HTTPServer.Configuration()
    // An address that no other test uses, so that none takes the port meanwhile.
    configuration.address = "127.0.0.77"
    let server = HTTPServer(configuration) { _ in .noContent }
    let port = try server.start()
    #expect(throws: HTTPServerError.self) { try server.start() }
    await server.stop()
    await server.stop()
    #expect(throws: HTTPServerError.self) { try server.start() }
    configuration.port = port
    #expect(
      try await serving(configuration) { _ in
        .noContent
      } _: {
        $0
      } == port)
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/net/if_inet6")))
  func `Listens at the loopback address of IPv6 if configured`() async throws {
    var configuration = HTTPServer.Configuration.forTests
    configuration.address = "::1"
    let text = try await serving(configuration) {
      .text($0.remoteAddress)
    } _: { port in
      try await onThread {
        var client = try RawClient(port: port, isVersionSix: true)
        client.send(Request(.get, "/"))
        return try client.response().text
      }
    }
    #expect(text == "::1")
  }
}

private actor Counter {
  static let shared = Counter()
  private var count = 0

  func next(_ text: String) -> String {
    count += 1
    return text
  }
}
