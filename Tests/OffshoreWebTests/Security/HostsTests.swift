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
