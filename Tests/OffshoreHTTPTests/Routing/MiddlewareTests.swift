import OffshoreHTTP
import Testing

struct MiddlewareTests {
  private static func tagging(_ tag: String) -> Middleware {
    Middleware { request, next in
      var request = request
      request.headers.add("Tag", tag)
      var response = try await next(request)
      response.headers.add("Seen", tag)
      return response
    }
  }

  @Test(arguments: Transport.allCases) func `Runs from the outermost inward and back out`(
    transport: Transport
  ) async throws {
    var router = Router(middleware: [Self.tagging("outer"), Self.tagging("inner")])
    router.get("/") { .text($0.headers.all("tag").joined(separator: " ")) }
    let response = try await transport.respond(router, to: Request(.get, "/"))
    #expect(response.text == "outer inner")
    #expect(response.headers.all("Seen") == ["inner", "outer"])
  }

  @Test func `Sees the responses to errors and to unknown paths`() async {
    var router = Router(middleware: [Self.tagging("a")])
    router.get("fails") { _ in throw HTTPError(.gone) }
    let gone = await router.respond(to: Request(.get, "/fails"))
    #expect(gone.status == .gone)
    #expect(gone.headers["Seen"] == "a")
    let unknown = await router.respond(to: Request(.get, "/unknown"))
    #expect(unknown.status == .notFound)
    #expect(unknown.headers["Seen"] == "a")
  }

  @Test func `May answer by itself, and its errors are presented to the outer middleware`() async {
    let refusing = Middleware { _, _ in throw HTTPError(.forbidden) }
    var router = Router(middleware: [Self.tagging("a"), refusing]) { error, request in
      .text("\(request.path) \(error)", status: .forbidden)
    }
    router.get("x") { _ in .text("never") }
    let response = await router.respond(to: Request(.get, "/x"))
    #expect(response.status == .forbidden)
    #expect(response.text == "/x 403: This is not allowed.")
    #expect(response.headers["Seen"] == "a")
  }
}
