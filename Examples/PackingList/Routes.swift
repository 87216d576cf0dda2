import Foundation
import OffshorePages

/// The pages of the app.
enum PackingRoute: PageRoute {
  case lists
  case newList
  case list(UUID)
  case editList(UUID)

  var path: RoutePath {
    switch self {
    case .lists: ""
    case .newList: "lists/new"
    case .list(let id): "lists/\(id)"
    case .editList(let id): "lists/\(id)/edit"
    }
  }

  static let all: [RouteCase<PackingRoute>] = [
    RouteCase(.lists), RouteCase(.newList), RouteCase(PackingRoute.list),
    RouteCase(PackingRoute.editList),
  ]
}

extension SharedKind {
  /// Lists are shared with their things.
  static let list = SharedKind(PackingSchema.kind, in: "lists") { PackingRoute.list($0).address }
}
