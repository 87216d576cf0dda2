import OffshoreHTTP
import Testing

@testable import OffshoreWeb

struct HostsTests {
  private let router = {
    var router = Router(middleware: [.hosts(["127.0.0.1", "LocalHost", "[::1]"])])
    router.get("") { _ in .text("page") }
    return router
  }()

  @Test(arguments: [
    "127.0.0.1", "127.0.0.1:8080", "localhost:1", "LOCALHOST", "localhost.", "[::1]:80",
  ]) func `The device answers to its names on any port`(host: String) async {
    let request = Request(.get, "/", headers: ["Host": host])
    #expect(await router.respond(to: request).status == .ok)
  }

  @Test(arguments: [
    "evil.example", "127.0.0.1.evil.example", "localhost:", "localhost:x", "localhost:99999", "",
    "[::1", "::1", "localhost/", "a@localhost", "localhost:80:80", "[]", ":80", "127.0.0.2",
    "localhost:+80", "lоcalhost",
  ]) func `The device does not answer to a foreign name`(host: String) async {
    let request = Request(.get, "/", headers: ["Host": host])
    #expect(await router.respond(to: request).status == .forbidden)
  }

  @Test func `A request without a host, or with two, is not for the device`() async {
    #expect(await router.respond(to: Request(.get, "/")).status == .forbidden)
    let two = Request(.get, "/", headers: ["Host": "localhost", "host": "localhost"])
    #expect(await router.respond(to: two).status == .forbidden)
  }
}

struct HostGuardTests {
  /// Admits the head of a request to a server behind a guard, and returns the status of a refusal.
  private func refusal(of host: String?) async -> Response.Status? {
    var router = Router()
    router.post("v1/tokens") { _ in .text("signed in") }
    var head = Request(.post, "/v1/tokens")
    head.headers["Host"] = host
    switch await HostGuard(router).admit(head) {
    case .admitted: return nil
    case .refused(let response): return response.status
    }
  }

  @Test(arguments: ["127.0.0.1:8080", "localhost", "[::1]:80"])
  func `A request for this machine passes`(host: String) async {
    #expect(await refusal(of: host) == nil)
  }

  @Test(arguments: [
    nil, "evil.example", "evil.example:8080", "192.168.0.2", "127.0.0.1.evil.example",
  ])
  func `A request for a foreign host is refused before its body is received`(host: String?) async {
    #expect(await refusal(of: host) == .forbidden)
  }

  @Test func `The server behind a guard answers admitted requests, and those with refused bodies`()
    async
  {
    var router = Router()
    router.get("") { _ in .text("page") }
    let guarded = HostGuard(router)
    let request = Request(.get, "/", headers: ["Host": "localhost"])
    guard case .admitted(let admitted) = await guarded.admit(request) else {
      Issue.record("The request was refused.")
      return
    }
    #expect(await guarded.respond(to: admitted).text == "page")
    #expect(
      await guarded.refuse(admitted, HTTPError(.contentTooLarge)).status == .contentTooLarge)
  }
}
