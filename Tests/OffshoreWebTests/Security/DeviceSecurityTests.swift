import OffshoreHTTP
import Testing

@testable import OffshoreWeb

struct SecurityHeadersTests {
  private func response(_ middleware: [Middleware], _ request: Request) async -> Response {
    var router = Router(middleware: middleware)
    router.get("") { _ in .text("page") }
    return await router.respond(to: request)
  }

  @Test func `Every response, also an error, allows only content of the device`() async {
    for path in ["/", "/unknown"] {
      let headers = await response([.securityHeaders()], Request(.get, path)).headers
      #expect(
        headers["Content-Security-Policy"]
          == """
          default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; \
          frame-src 'none'; object-src 'none'
          """)
      #expect(headers["X-Content-Type-Options"] == "nosniff")
      #expect(headers["Referrer-Policy"] == "same-origin")
    }
  }

  @Test func `A response may send the address to no page at all`() async {
    var router = Router(middleware: [.securityHeaders()])
    router.get("") { _ in Response(.ok, headers: ["Referrer-Policy": "no-referrer"]) }
    let headers = await router.respond(to: Request(.get, "/")).headers
    #expect(headers.all("Referrer-Policy") == ["no-referrer"])
  }

  @Test func `A named dock may frame the device, and its name adds no other rule`() async {
    let ancestors = ["http://127.0.0.1:8080", "http://x; script-src *", "", "a\r\nb"]
    let policy = await response(
      [.securityHeaders(framingOrigins: ancestors)], Request(.get, "/")
    ).headers["Content-Security-Policy"]
    #expect(policy?.contains("frame-ancestors http://127.0.0.1:8080;") == true)
    #expect(policy?.contains("script-src") == false)
  }

  @Test func `A dock frames the pages that it names, and nothing else`() async {
    let policy = await response(
      [.securityHeaders(framedOrigins: ["http://127.0.0.1:*", "http://x; script-src *"])],
      Request(.get, "/")
    ).headers["Content-Security-Policy"]
    #expect(policy?.contains("frame-src http://127.0.0.1:*;") == true)
    #expect(policy?.contains("script-src") == false)
  }

  @Test func `All guards together refuse in their order, and each refusal carries the headers`()
    async
  {
    let token = LaunchToken(device: "1", secret: "s", session: "c")
    let guards = Middleware.deviceSecurity(token: token)
    let cases: [(Headers, Response.Status)] = [
      (["Host": "evil.example", "Cookie": "offshore-1=c"], .forbidden),
      (["Host": "localhost:8080"], .unauthorized),
      (["Host": "localhost:8080", "Cookie": "offshore-1=c"], .ok),
    ]
    for (headers, status) in cases {
      let response = await response(guards, Request(.get, "/", headers: headers))
      #expect(response.status == status)
      #expect(response.headers["Content-Security-Policy"] != nil)
    }
  }

  @Test func `Without a token, every client that reaches the device is accepted`() async {
    let request = Request(.get, "/", headers: ["Host": "127.0.0.1"])
    #expect(await response(Middleware.deviceSecurity(token: nil), request).status == .ok)
  }
}

struct SameOriginTests {
  private let router = {
    var router = Router(middleware: [.sameOrigin])
    router.get("") { _ in .text("page") }
    router.post("") { _ in .text("done") }
    router.on(.delete, "") { _ in .text("gone") }
    return router
  }()

  private func status(_ method: Request.Method, _ headers: Headers) async -> Response.Status {
    await router.respond(to: Request(method, "/", headers: headers)).status
  }

  @Test(
    arguments: [
      ["Sec-Fetch-Site": "same-origin"], ["Sec-Fetch-Site": "none"],
      ["sec-fetch-site": "same-origin", "Origin": "https://evil.example", "Host": "a"],
      ["Host": "127.0.0.1:8080", "Origin": "http://127.0.0.1:8080"],
      ["Host": "LocalHost:8080", "Origin": "http://localhost:8080"],
      ["Host": "a.example", "Origin": "http://a.example:80"],
      ["Host": "a.example:443", "Origin": "https://a.example"],
      ["Host": "[::1]:8080", "Origin": "http://[::1]:8080"],
    ] as [Headers])
  func `A change is accepted from the page itself and from the address bar`(
    headers: Headers
  ) async {
    #expect(await status(.post, headers) == .ok)
    #expect(await status(.delete, headers) == .ok)
  }

  @Test(
    arguments: [
      [:], ["Host": "127.0.0.1:8080"], ["Sec-Fetch-Site": "cross-site"],
      ["Sec-Fetch-Site": "same-site"], ["Sec-Fetch-Site": ""], ["Sec-Fetch-Site": "Same-Origin"],
      ["Sec-Fetch-Site": "cross-site", "Host": "a", "Origin": "http://a"],
      ["Sec-Fetch-Site": "same-origin", "sec-fetch-site": "cross-site"],
      ["Sec-Fetch-Site": "same-origin, cross-site"],
      ["Host": "127.0.0.1:8080", "Origin": "null"],
      ["Host": "127.0.0.1:8080", "Origin": ""],
      ["Host": "127.0.0.1:8080", "Origin": "http://127.0.0.1:8081"],
      ["Host": "127.0.0.1:8080", "Origin": "http://127.0.0.1:8080.evil.example"],
      ["Host": "127.0.0.1:8080", "Origin": "http://evil.example"],
      ["Host": "a", "Origin": "ftp://a"], ["Host": "a", "Origin": "http://a@b"],
      ["Host": "a", "Origin": "http://b", "origin": "http://a"],
      ["Host": "a", "host": "b", "Origin": "http://a"], ["Origin": "http://a"],
      ["Host": "a:x", "Origin": "http://a:x"],
    ] as [Headers])
  func `A change is refused from another site, port or name, and without an origin`(
    headers: Headers
  ) async {
    #expect(await status(.post, headers) == .forbidden)
    #expect(await status(.delete, headers) == .forbidden)
  }

  @Test func `A read is accepted from anywhere`() async {
    #expect(await status(.get, ["Sec-Fetch-Site": "cross-site"]) == .ok)
    #expect(await status(.head, [:]) == .ok)
  }
}
