/// A screen of an app with what it is about: an `enum` with a case for each.
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

  /// The tab on whose stack a link puts it.
  var tab: Tab { get }

  /// The screens that a link puts under it, the lowest first; none unless stated.
  var parents: [Self] { get }
}

extension Route {
  public var parents: [Self] { [] }
}
