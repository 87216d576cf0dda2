/// A screen of an app with its parameters: an `enum` with a case for each screen.
///
/// ```swift
/// enum AppRoute: Route {
///   case charter(UUID)
///
///   var tab: AppTab { .charters }
///   var link: DeepLink {
///     switch self {
///     case .charter(let id): DeepLink(["charter"], query: ["id": id.uuidString])
///     }
///   }
///   init?(_ link: DeepLink) {
///     switch link.path {
///     case ["charter"]:
///       guard let id = link.query["id"].flatMap(UUID.init) else { return nil }
///       self = .charter(id)
///     default: return nil
///     }
///   }
/// }
/// ```
public protocol Route: Linked {
  associatedtype Tab: Hashable & Sendable

  /// The tab whose stack the screen is opened on.
  var tab: Tab { get }

  /// The screens that a link opens below this one, the lowest first; empty by default.
  var parents: [Self] { get }
}

extension Route {
  public var parents: [Self] { [] }
}
