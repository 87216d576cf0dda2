import OffshoreHTTP
import Testing

struct RouterMountTests {
  private var router: Router {
    var app = Router()
    app.get("") { .text("home of \($0.base)") }
    app.get("lists/:list") { request in
      .text("\(try request.parameter("list", as: String.self)) at \(request.path)")
    }
    app.post("lists", bodyLimit: 4) { _ in .redirect(to: "/lists/7?new=true") }
    app.get("away") { _ in .redirect(to: "https://example.org/") }
    var router = Router()
    router.get("") { _ in .text("the device") }
    router.mount(app, at: "/packing-list")
    return router
  }

  @Test func `Handlers of a mounted router see paths below its mount`() async {
    for (target, text) in [
      ("/", "the device"), ("/packing-list", "home of /packing-list"),
      ("/packing-list/", "home of /packing-list"), ("/packing-list/lists/7", "7 at /lists/7"),
      ("/p%61cking-list/lists/a%20b", "a b at /lists/a%20b"),
    ] {
      #expect(await router.respond(to: Request(.get, target)).text == text, "\(target)")
    }
    #expect(await router.respond(to: Request(.get, "/lists/7")).status == .notFound)
    #expect(await router.respond(to: Request(.get, "/packing-list/none")).status == .notFound)
  }

  @Test func `Redirects stay below the path, except those to other hosts`() async {
    let posted = await router.respond(to: Request(.post, "/packing-list/lists"))
    #expect(posted.headers["Location"] == "/packing-list/lists/7?new=true")
    let away = await router.respond(to: Request(.get, "/packing-list/away"))
    #expect(away.headers["Location"] == "https://example.org/")
  }

  @Test func `Body limits apply, and a router can be mounted in a mounted one`() async {
    let large = Request(.post, "/packing-list/lists", body: Array("a=bcd".utf8))
    #expect(await router.respond(to: large).status == .contentTooLarge)
    var outer = Router()
    outer.mount(router, at: "devices/one")
    let nested = await outer.respond(to: Request(.post, "/devices/one/packing-list/lists"))
    #expect(nested.headers["Location"] == "/devices/one/packing-list/lists/7?new=true")
    let home = await outer.respond(to: Request(.get, "/devices/one/packing-list"))
    #expect(home.text == "home of /devices/one/packing-list")
  }
}
