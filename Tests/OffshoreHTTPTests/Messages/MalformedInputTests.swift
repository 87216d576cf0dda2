import OffshoreHTTP
import Testing

struct MalformedInputTests {
  @Test(arguments: [1, 2])
  func `Parses 20,000 malformed forms, queries, paths, and cookies without a trap`(seed: UInt64) {
    var inputs = Mutations(
      seed: seed,
      of: [
        "name=S%C3%BCd+West&berths=8&tag=a&tag=b", "/charters/6F9619FF-8B86/days/%31?q=%20&x",
        "session=abc%3D; theme=dark; a=\"b\"", "%", "%4", "&&==&", "; ;=;", "",
      ])
    for _ in 0..<10_000 {
      let bytes = inputs.next()
      let text = String(decoding: bytes, as: UTF8.self)
      var request = Request(.post, text, body: bytes)
      request.headers["Content-Type"] = "application/x-www-form-urlencoded"
      request.headers["Cookie"] = text
      let fields = (try? request.form.items) ?? []
      #expect(fields.count <= bytes.count(where: { $0 == UInt8(ascii: "&") }) + 1)
      #expect(request.cookies.count <= bytes.count(where: { $0 == UInt8(ascii: ";") }) + 1)
      #expect(request.components?.contains { $0.contains("\0") } != true)
      #expect(request.query.items.count <= fields.count + 1)
    }
  }

  @Test func `Routes 10,000 malformed paths to a status that a client can read`() async {
    var router = Router()
    router.get("a/:id/b/:day") { .text(try $0.parameter("id", as: Int.self).description) }
    router.get(":x") { .text(try $0.parameter("x")) }
    var inputs = Mutations(seed: 3, of: ["/a/12/b/3", "/%C3%A9", "/a/%31/b/x?y=z", "//", "/"])
    let expected: Set<Response.Status> = [.ok, .notFound, .badRequest]
    for _ in 0..<10_000 {
      let path = String(decoding: inputs.next(), as: UTF8.self)
      let status = await router.respond(to: Request(.get, path)).status
      #expect(expected.contains(status))
    }
  }

  @Test
  func `Survives 10,000 malformed requests from sockets, answers valid ones, and leaks nothing`()
    async throws
  {
    var configuration = HTTPServer.Configuration.forTests
    configuration.bodyLimit = 1_000
    // Deadlines are checked ten times as often.
    configuration.heartbeat = .milliseconds(500)
    let server = HTTPServer(configuration) { request in
      _ = request.components
      _ = request.cookies
      return .text("\((try? request.form.items.count) ?? 0) \(request.query.items.count)")
    }
    let port = try server.start()
    async let first: Void = Self.attack(port, seed: 4)
    async let second: Void = Self.attack(port, seed: 5)
    _ = try await (first, second)
    let status = try await RawClient.status(
      of: "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", port: port)
    #expect(status == 200)
    // The server would wait for an exchange that was not released.
    #expect(await ContinuousClock().measure { await server.stop() } < .seconds(5))
  }

  /// Sends requests, each on a new connection, and reads the answer or disconnects.
  private static func attack(_ port: UInt16, seed: UInt64) async throws {
    try await onThread {
      var inputs = Mutations(
        seed: seed,
        of: [
          "GET /a/b?c=d HTTP/1.1\r\nHost: localhost\r\nCookie: a=b; c=d\r\nX-Y: z\r\n\r\n",
          "POST /form HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\n"
            + "Content-Length: 7\r\n\r\na=b&c=d",
          "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
          "HEAD / HTTP/1.0\r\n\r\n", "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n",
        ])
      for index in 0..<5_000 {
        var client = try RawClient(port: port)
        client.send(inputs.next())
        switch index % 50 {
        case 0:
          client.finishSending()
          _ = try client.readToEnd()
        case ..<20: client.reset()
        default: client.waitForEnd(atMost: .milliseconds(1))
        }
      }
    }
  }
}
