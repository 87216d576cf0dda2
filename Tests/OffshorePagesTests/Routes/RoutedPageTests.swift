import Foundation
import Observation
import OffshoreHTTP
import OffshoreWeb
import Testing

@testable import OffshorePages

/// Pages of a small app: a list of ticks, and what a form of it asks for.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct RoutedPageTests {
  enum Colour: String, CaseIterable, RouteValue {
    case red, green
    static var sample: Colour { .red }
  }

  enum Route: PageRoute {
    case ticks
    case colour(Colour, Bool)

    var path: RoutePath {
      switch self {
      case .ticks: "ticks"
      case .colour(let colour, let isDark): "colours/\(colour)/\(isDark)"
      }
    }
    var formLimit: Int { 64 }
    static let all: [RouteCase<Route>] = [RouteCase(.ticks), RouteCase(Route.colour)]
  }

  @Observable final class Model {
    var ticks: [Int] = []
    var note = ""
    /// The number of pages that were made.
    @ObservationIgnored var pageCount = 0
  }

  struct TicksPage: RoutedPage {
    let model: Model
    let filter: String

    func page(_ tab: Tab) -> Page {
      Page("Ticks") {
        tab.region("ticks") {
          p { "\(filter): \(model.ticks.map(String.init).joined(separator: " "))" }
        }
      }
    }

    func perform(_ form: PageForm) async throws -> Outcome {
      switch form.action {
      case "tick":
        model.ticks.append(try form.value("number"))
        model.note = form.text("note")
        return .done
      case "leave": return .go(to: Route.colour(.green, true).address)
      default: throw form.unknownAction
      }
    }
  }

  struct ColourPage: RoutedPage {
    let title: String
    func page(_ tab: Tab) -> Page { Page(title) }
  }

  private let model = Model()
  private let router: Router

  init() {
    let (tabs, model) = (TabRegistry(), model)
    var router = Router()
    router.addPages(Route.self, tabs: tabs) { route, query in
      model.pageCount += 1
      return switch route {
      case .ticks: TicksPage(model: model, filter: query["filter"] ?? "all")
      case .colour(let colour, let isDark): ColourPage(title: "\(isDark) \(colour)")
      }
    }
    self.router = router
  }

  private func post(_ target: String, _ fields: Fields, tab: String? = nil) async -> Response {
    var headers: Headers = ["Content-Type": "application/x-www-form-urlencoded"]
    if let tab { headers["Offshore-Tab"] = tab }
    return await router.respond(
      to: Request(.post, target, headers: headers, body: Array(fields.encoded.utf8)))
  }

  @Test func `A route opens its page, with the fields of the address`() async {
    let page = await router.respond(to: Request(.get, "/ticks?filter=odd"))
    #expect(page.status == .ok && page.text.contains("odd: "))
    let colour = await router.respond(to: Request(.get, "/colours/green/true"))
    #expect(colour.text.contains("true green</h1>"))
  }

  @Test func `A value of another type leads to no page`() async {
    for path in ["/colours/blue/true", "/colours/red/1", "/colours/red"] {
      #expect(await router.respond(to: Request(.get, path)).status == .notFound, "\(path)")
    }
  }

  @Test func `A form is performed by its page, and leads back to it`() async {
    let done = await post(
      "/ticks?filter=odd", ["action": "tick", "number": "7", "note": "a\r\nb"])
    #expect(done.status == .seeOther && done.headers["Location"] == "/ticks?filter=odd")
    #expect(model.ticks == [7] && model.note == "a\nb")
    let gone = await post("/ticks", ["action": "leave"])
    #expect(gone.headers["Location"] == "/colours/green/true")
  }

  @Test func `A form of an open page is performed by it, and makes no other`() async throws {
    let page = await router.respond(to: Request(.get, "/ticks?filter=odd"))
    let tab = String(try #require(page.text.firstMatch(of: /data-tab="([^"]+)"/)).1)
    let done = await post("/ticks?filter=odd", ["action": "tick", "number": "7"], tab: tab)
    #expect(done.status == .noContent)
    #expect(model.ticks == [7] && model.pageCount == 1)
    _ = await post("/ticks", ["action": "tick", "number": "8"])
    #expect(model.ticks == [7, 8] && model.pageCount == 2)
  }

  @Test func `A form that no page sends is refused, and changes nothing`() async {
    for fields: Fields in [
      ["action": "tick", "number": "seven"], ["action": "tick"], ["action": "burn"], [:],
    ] {
      #expect(await post("/ticks", fields).status == .badRequest, "\(fields)")
    }
    #expect(await post("/colours/red/true", ["action": "tick"]).status == .badRequest)
    #expect(
      await post("/ticks", ["action": String(repeating: "x", count: 64)]).status
        == .contentTooLarge)
    #expect(model.ticks.isEmpty)
  }

  @Test func `Values are written as they are parsed`() {
    #expect(UUID(routeText: UUID.sample.routeText) == .sample)
    #expect(Int(routeText: (-7).routeText) == -7 && Int(routeText: "x") == nil)
    #expect(Bool(routeText: true.routeText) == true && Bool(routeText: "yes") == nil)
    #expect(Colour(routeText: Colour.green.routeText) == .green && String(routeText: "x") == "x")
    #expect([Int.sample, 0] == [0, 0] && !Bool.sample && String.sample.isEmpty)
  }
}
