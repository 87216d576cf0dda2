/// The pages of an app: an `enum` with a case for each page and its parameters.
///
/// ```swift
/// enum ListRoute: PageRoute {
///   case lists
///   case list(UUID)
///
///   var path: RoutePath {
///     switch self {
///     case .lists: ""
///     case .list(let id): "lists/\(id)"
///     }
///   }
///   static let all: [RouteCase<ListRoute>] = [RouteCase(.lists), RouteCase(ListRoute.list)]
/// }
/// ```
///
/// The addresses of links, the patterns of a router and the deep links are derived from these two
/// declarations. ``OffshoreHTTP/Router/addPages(_:of:missing:page:)`` adds the pages.
public protocol PageRoute: Hashable, Sendable {
  /// All cases, each by its value or, if it has parameters, by its constructor.
  static var all: [RouteCase<Self>] { get }

  /// The path of the page, relative to the app's path.
  var path: RoutePath { get }

  /// The maximum size of a form of the page in bytes; ``usualFormLimit`` by default.
  ///
  /// A form with files needs more, for example 8 MiB for a photo. The server holds the whole form
  /// in memory, and refuses one that exceeds a client's share of it.
  var formLimit: Int { get }
}

extension PageRoute {
  /// The address of the page, for links and redirects.
  public var address: String { path.address }

  /// 16 KiB, which is ample for an ordinary form.
  public static var usualFormLimit: Int { 16 * 1_024 }

  /// 2 MiB, for an ``EditorPage`` whose form has rows.
  public static var editorFormLimit: Int { 2 * 1_024 * 1_024 }

  /// ``usualFormLimit``.
  public var formLimit: Int { Self.usualFormLimit }

  /// Parses the components of a path, percent-decoded.
  /// - Returns: the page, or `nil` if none has the path.
  init?(components: [String]) {
    for route in Self.all {
      guard let parsed = route.parse(components) else { continue }
      self = parsed
      return
    }
    return nil
  }
}

/// A case of a route: its pattern, and a constructor that parses the values of a path.
public struct RouteCase<Route: PageRoute>: Sendable {
  /// A route of the case, with samples for its values.
  let sample: Route
  private let make: @Sendable ([String]) -> Route?

  /// Creates a case without values.
  public init(_ route: Route) {
    sample = route
    make = { $0.isEmpty ? route : nil }
  }

  /// Creates a case with values from its constructor: `RouteCase(ListRoute.list)`.
  public init<each Value: RouteValue>(
    _ constructor: @escaping @Sendable (repeat each Value) -> Route
  ) {
    sample = constructor(repeat (each Value).sample)
    make = { texts in
      var rest = texts[...]
      func next<Next: RouteValue>(_: Next.Type) throws(NoRoute) -> Next {
        guard let value = rest.popFirst().flatMap(Next.init(routeText:)) else { throw NoRoute() }
        return value
      }
      do {
        let route = constructor(repeat try next((each Value).self))
        return rest.isEmpty ? route : nil
      } catch {
        return nil
      }
    }
  }

  /// The pattern of the paths for a router.
  var pattern: String { sample.path.pattern }

  /// Returns the route with these components as values, or `nil` if one of them cannot be parsed.
  func route(_ components: [String]) -> Route? { make(components.map(RoutePath.value)) }

  /// Returns the route of a path, or `nil` if the pattern does not match.
  func parse(_ components: [String]) -> Route? {
    let pattern = pattern.split(separator: "/")
    guard pattern.count == components.count else { return nil }
    var values: [String] = []
    for (expected, found) in zip(pattern, components) {
      if expected.first == ":" {
        values.append(found)
      } else if expected != found {
        return nil
      }
    }
    return route(values)
  }
}

private struct NoRoute: Error {}
