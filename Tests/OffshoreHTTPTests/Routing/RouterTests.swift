import Foundation
import OffshoreHTTP
import Testing

struct RouterTests {
  private struct Failure: Error {}

  private static let id = "6F9619FF-8B86-D011-B42D-00CF4FC964FF"

  private static let router: Router = {
    var router = Router()
    router.get("/") { _ in .html("<p>home") }
    router.get("charters/new") { _ in .text("new") }
    router.get("charters/:id") { request in
      let id: UUID = try request.parameter("id")
      return .text(id.uuidString)
    }
    router.on(.delete, "charters/:id") { _ in .noContent }
    router.get("charters/:id/days/:day") { request in
      .text("\(request.parameters["id"] ?? "") \(try request.parameter("day", as: Int.self))")
    }
    router.get("names/:name") { .text(try $0.parameter("name")) }
    router.get("wrong/:id") { .text(try $0.parameter("identifier")) }
    router.post("form") { .text(try $0.form["name"] ?? "none") }
    router.post("small", bodyLimit: 4) { .text("\($0.body.count)") }
    router.get("fails") { _ in throw Failure() }
    router.get("refuses") { _ in throw HTTPError(.conflict, "Taken.", headers: ["Retry-After": "1"])
    }
    return router
  }()

  @Test(arguments: Transport.allCases) func `Finds the route of a path and parses its parameters`(
    transport: Transport
  ) async throws {
    for (path, text) in [
      ("/", "<p>home"), ("/charters/new", "new"), ("/charters/\(Self.id)", Self.id),
      ("/charters/\(Self.id.lowercased())/", Self.id), ("/charters/new/days/3", "new 3"),
      ("/names/a%2Fb%20%C3%A9?x=1", "a/b é"),
    ] {
      let response = try await transport.respond(Self.router, to: Request(.get, path))
      #expect(response.status == .ok)
      #expect(response.text == text)
    }
  }

  @Test(
    arguments: Transport.allCases,
    [
      "/nothing", "/charters", "/charters/5", "/charters//days/1", "/charters/x/days/x", "//",
      // Foundation would accept these ids.
      "/charters/6F9619FF-8B86-D011-B42D-00CF4FC9640X",
      "/charters/+F9619FF-8B86-D011-B42D-00CF4FC964FF",
    ])
  func `Answers 404 to an unknown path and to a parameter of the wrong form`(
    transport: Transport, path: String
  ) async throws {
    let response = try await transport.respond(Self.router, to: Request(.get, path))
    #expect(response.status == .notFound)
  }

  @Test(arguments: Transport.allCases) func `Answers 400 to a path that cannot be decoded`(
    transport: Transport
  ) async throws {
    for path in ["/%zz", "/names/%00", "/names/%FF"] {
      let response = try await transport.respond(Self.router, to: Request(.get, path))
      #expect(response.status == .badRequest)
    }
  }

  @Test(arguments: Transport.allCases)
  func `Answers 405 to another method and lists those that are allowed`(transport: Transport)
    async throws
  {
    let response = try await transport.respond(
      Self.router, to: Request(.post, "/charters/\(Self.id)"))
    #expect(response.status == .methodNotAllowed)
    #expect(response.headers["Allow"] == "DELETE, GET, HEAD")
  }

  @Test(arguments: Transport.allCases) func `Answers HEAD like GET`(transport: Transport)
    async throws
  {
    let response = try await transport.respond(Self.router, to: Request(.head, "/"))
    #expect(response.status == .ok)
    #expect(response.headers["Content-Type"] == "text/html; charset=utf-8")
    if transport == .loopback { #expect(response.headers["Content-Length"] == "7") }
  }

  @Test(arguments: Transport.allCases) func `Passes a posted form to the handler`(
    transport: Transport
  ) async throws {
    let request = Request(
      .post, "/form", headers: ["Content-Type": "application/x-www-form-urlencoded"],
      body: Array("name=S%C3%BCd+West".utf8))
    #expect(try await transport.respond(Self.router, to: request).text == "Süd West")
  }

  @Test(arguments: Transport.allCases)
  func `Refuses a body that is larger than its route allows with 413`(transport: Transport)
    async throws
  {
    let fits = Request(.post, "/small", body: [1, 2, 3, 4])
    let large = Request(.post, "/small", body: [1, 2, 3, 4, 5])
    #expect(try await transport.respond(Self.router, to: fits).text == "4")
    #expect(try await transport.respond(Self.router, to: large).status == .contentTooLarge)
  }

  @Test(arguments: Transport.allCases)
  func `Presents errors of handlers without the details of failures`(transport: Transport)
    async throws
  {
    let refused = try await transport.respond(Self.router, to: Request(.get, "/refuses"))
    #expect(refused.status == .conflict)
    #expect(refused.text == "Taken.")
    #expect(refused.headers["Retry-After"] == "1")
    let failed = try await transport.respond(Self.router, to: Request(.get, "/fails"))
    #expect(failed.status == .internalServerError)
    #expect(failed.text == "Something went wrong. Try again.")
    let wrong = try await transport.respond(Self.router, to: Request(.get, "/wrong/1"))
    #expect(wrong.status == .internalServerError)
    #expect(!wrong.text.contains("identifier"))
  }

  @Test func `Prefers a literal component and falls back to a parameter`() async {
    var router = Router()
    router.get(":kind/all") { _ in .text("all") }
    router.get("days/:id") { _ in .text("day") }
    #expect(await router.respond(to: Request(.get, "/days/all")).text == "day")
    #expect(await router.respond(to: Request(.get, "/days/1")).text == "day")
    #expect(await router.respond(to: Request(.get, "/weeks/all")).text == "all")
    #expect(await router.respond(to: Request(.get, "/weeks/1")).status == .notFound)
  }

  @Test func `Returns route and body limit before the body arrives`() async throws {
    for (path, limit) in [("small", 4), ("form", nil)] {
      guard case .admitted(let request) = await Self.router.admit(Request(.post, "/\(path)")) else {
        Issue.record("It is refused.")
        continue
      }
      #expect(request.route == path && request.bodyLimit == limit && request.isAdmitted)
    }
  }

  @Test func `Refuses a request without a route before the body arrives`() async throws {
    for (path, status) in [("/%", 400), ("/nowhere", 404), ("/refuses", 405)] {
      guard case .refused(let response) = await Self.router.admit(Request(.post, path)) else {
        Issue.record("The body of \(path) is taken.")
        continue
      }
      #expect(response.status.rawValue == status)
      #expect(response.headers["Allow"] == (status == 405 ? "GET, HEAD" : nil))
    }
  }
}
