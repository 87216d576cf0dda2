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

  @Test func `A named dock may frame the device, and its name adds no other rule`() async {
    let ancestors = ["http://127.0.0.1:8080", "http://x; script-src *", "", "a\r\nb"]
    let policy = await response(
      [.securityHeaders(frameAncestors: ancestors)], Request(.get, "/")
    ).headers["Content-Security-Policy"]
    #expect(policy?.contains("frame-ancestors http://127.0.0.1:8080;") == true)
    #expect(policy?.contains("script-src") == false)
  }

  @Test func `A dock frames the pages that it names, and nothing else`() async {
    let policy = await response(
      [.securityHeaders(frames: ["http://127.0.0.1:*", "http://x; script-src *"])],
      Request(.get, "/")
    ).headers["Content-Security-Policy"]
    #expect(policy?.contains("frame-src http://127.0.0.1:*;") == true)
    #expect(policy?.contains("script-src") == false)
  }

  @Test func `All guards together refuse in their order, and each refusal carries the headers`()
    async
  {
    let token = LaunchToken(device: "1", secret: "s")
    let guards = Middleware.deviceSecurity(token: token)
    let cases: [(Headers, Response.Status)] = [
      (["Host": "evil.example", "Cookie": "offshore-1=s"], .forbidden),
      (["Host": "localhost:8080"], .unauthorized),
      (["Host": "localhost:8080", "Cookie": "offshore-1=s"], .ok),
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
