import OffshoreHTTP
import Testing

@testable import OffshoreWeb

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
