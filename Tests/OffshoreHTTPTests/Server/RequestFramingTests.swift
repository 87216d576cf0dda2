import OffshoreHTTP
import Testing

struct RequestFramingTests {
  private static func status(
    _ text: String, _ configuration: HTTPServer.Configuration = .forTests
  ) async throws -> Int? {
    try await serving(configuration) {
      .text("\($0.body.count)")
    } _: { port in
      try await RawClient.status(of: text, port: port)
    }
  }

  @Test(arguments: [
    "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "Transfer-Encoding: chunked\r\nContent-Length: 0\r\n\r\n0\r\n\r\n",
    "Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc",
    "Content-Length: 0\r\nContent-Length: 3\r\n\r\nabc",
    "Content-Length: 3, 3\r\n\r\nabc", "Content-Length: +3\r\n\r\nabc",
    "Content-Length: -1\r\n\r\n", "Content-Length: 0x3\r\n\r\nabc",
    "Content-Length:\r\n\r\n",
    "Content-Length : 3\r\n\r\nabc", "Content-Length\t: 3\r\n\r\nabc", "X-A : 1\r\n\r\n",
    "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
    "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
    "Transfer-Encoding: identity\r\n\r\n", "Transfer-Encoding: xchunked\r\n\r\n",
    "X(A): 1\r\n\r\n", "X-A: a\u{1}b\r\n\r\n", "X-A: a\u{7F}b\r\n\r\n", "Host: b\r\n\r\n",
  ]) func `Refuses ambiguous framing with 400`(headers: String)
    async throws
  {
    let status = try await Self.status("POST / HTTP/1.1\r\nHost: a\r\n\(headers)")
    #expect(status == 400)
  }

  @Test(arguments: [
    "", "Host:\r\n", "Host: a b\r\n", "Host: a/b\r\n", "Host: a@b\r\n", "Host: a,b\r\n",
  ]) func `Refuses a missing or malformed host with 400`(header: String) async throws {
    #expect(try await Self.status("GET / HTTP/1.1\r\n\(header)\r\n") == 400)
  }

  @Test(arguments: ["a", "localhost:80", "[::1]:8080", "127.0.0.1"])
  func `Accepts hosts with a port, of IPv6, and without a port`(host: String) async throws {
    let text = "GET / HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n"
    #expect(try await Self.status(text) == 200)
  }

  @Test(arguments: ["a", "*", "http://a/", "/\u{1}", "/\u{7F}", "/é", "//\u{B}"])
  func `Refuses targets that are not a path or contain unescaped bytes`(target: String)
    async throws
  {
    #expect(try await Self.status("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n") == 400)
  }

  @Test func `Answers HTTP/1.0 without a host, and closes`() async throws {
    #expect(try await Self.status("GET / HTTP/1.0\r\n\r\n") == 200)
  }

  @Test func `Refuses chunks in HTTP/1.0, which does not have them, with 400`() async throws {
    let text = "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    #expect(try await Self.status(text) == 400)
  }

  @Test(arguments: ["HTTP/2.0", "HTTP/1.2", "HTP/1.1", ""])
  func `Does not answer 200 to other versions`(version: String) async throws {
    let status = try await Self.status("GET / \(version)\r\nHost: a\r\n\r\n")
    #expect(status != 200)
  }

  @Test func `Answers 413 to a length that exceeds the range of integers`() async throws {
    let text = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999999999\r\n\r\n"
    #expect(try await Self.status(text) == 413)
  }

  @Test func `Passes no NUL to the handler`() async throws {
    let value = try await serving {
      .text($0.headers["X"] ?? "none")
    } _: { port in
      try await onThread {
        var client = try RawClient(port: port)
        client.send("GET / HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n")
        return try client.response().text
      }
    }
    #expect(value == "a")
  }

  @Test func `Answers 414 to a target and 431 to headers above their limits only`()
    async throws
  {
    var configuration = HTTPServer.Configuration.forTests
    configuration.maximumTargetLength = 100
    configuration.maximumHeaderSize = 1_000
    func answer(target: Int, header: Int) async throws -> Int? {
      let path = "/" + String(repeating: "a", count: target - 1)
      let field = "X: " + String(repeating: "b", count: header)
      return try await Self.status(
        "GET \(path) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\(field)\r\n\r\n", configuration)
    }
    #expect(try await answer(target: 100, header: 700) == 200)
    #expect(try await answer(target: 101, header: 700) == 414)
    #expect(try await answer(target: 1, header: 1_000) == 431)
  }

  @Test(arguments: [4 << 10, 16 << 10])
  func `Accepts headers up to their limit`(limit: Int) async throws {
    var configuration = HTTPServer.Configuration.forTests
    configuration.maximumHeaderSize = limit
    let head = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"
    // The memory holds each field twice: as bytes, and as an element of a list.
    let field = "Field: " + String(repeating: "b", count: 91) + "\r\n"
    let fields = String(repeating: field, count: (limit - head.utf8.count) / field.utf8.count)
    #expect(try await Self.status(head + fields + "\r\n", configuration) == 200)
  }

  @Test func `Answers 414 or 431 even if the request is larger than its memory`() async throws {
    let many = String(repeating: "a", count: 200_000)
    #expect(try await Self.status("GET /\(many) HTTP/1.1\r\nHost: a\r\n\r\n") == 414)
    #expect(try await Self.status("GET / HTTP/1.1\r\nHost: a\r\nX: \(many)\r\n\r\n") == 431)
    let fields = String(repeating: "A: b\r\n", count: 20_000)
    #expect(try await Self.status("GET / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n") == 431)
  }
}
