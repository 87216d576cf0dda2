import Foundation
import OffshoreHTTP
import Testing

@testable import OffshorePages

enum SampleRoute: PageRoute {
  case home
  case list(UUID)
  case item(Int, in: UUID)
  case tag(String)

  var path: RoutePath {
    switch self {
    case .home: ""
    case .list(let id): "lists/\(id)"
    case .item(let number, let list): "lists/\(list)/items/\(number)"
    case .tag(let name): "tags/\(name)"
    }
  }

  static let all: [RouteCase<SampleRoute>] = [
    RouteCase(.home), RouteCase(SampleRoute.list),
    RouteCase { (list: UUID, number: Int) in .item(number, in: list) }, RouteCase(SampleRoute.tag),
  ]
}

struct PageRouteTests {
  private let id = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))

  private var routes: [SampleRoute] {
    [.home, .list(id), .item(-3, in: id)]
      + ["a b/ü?%", ":0", ".", "..", "...", "~", "~.", "a~", "%2e", "#"].map { SampleRoute.tag($0) }
  }

  @Test func `A printed path is parsed as the same route`() throws {
    for route in routes {
      let components = try #require(Request(.get, route.address).components)
      #expect(SampleRoute(components: components) == route, "\(route.address)")
    }
    #expect(SampleRoute.home.address == "/")
    #expect(SampleRoute.tag("a b/ü?%").address == "/tags/a%20b%2F%C3%BC%3F%25")
  }

  @Test func `A value is no component that browsers remove from a path`() {
    let removed: Set = [".", "..", "%2e", "%2e%2e", ".%2e", "%2e."]
    for route in routes {
      let components = route.address.lowercased().split(separator: "/").map(String.init)
      #expect(removed.isDisjoint(with: components), "\(route.address)")
    }
    #expect(SampleRoute.tag("..").address == "/tags/~..")
  }

  @Test func `Patterns have parameters for the values`() {
    #expect(SampleRoute.all.map(\.pattern) == ["", "lists/:0", "lists/:0/items/:1", "tags/:0"])
  }

  @Test func `Paths that lead to no page are refused`() {
    for path in [["lists"], ["lists", "7"], ["lists", id.uuidString, "items", "x"], ["x"]] {
      #expect(SampleRoute(components: path) == nil, "\(path)")
    }
  }
}
