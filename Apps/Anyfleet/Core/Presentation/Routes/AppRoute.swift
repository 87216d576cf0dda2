package import Foundation
package import OffshorePresentation

/// The navigation of the app: the selected tab, and the stack of screens of each tab.
package typealias AppCoordinator = Coordinator<AppTab, AppRoute>

extension Coordinator where Tab == AppTab, Destination == AppRoute {
  /// The scheme of links into the app: `anyfleet://charter?id=UUID`.
  package nonisolated static var scheme: String { "anyfleet" }

  /// Creates a coordinator with the tab `home` selected.
  package convenience init() { self.init(selecting: .home, scheme: Self.scheme) }
}

/// The tabs of the app.
package enum AppTab: String, CaseIterable, Sendable {
  case home, charters, library, profile
}

extension AppTab: LinkDestination {
  /// Parses `/home`, `/charters`, `/library` and `/profile`. A link without a path leads to `home`.
  package init?(_ link: DeepLink) {
    switch link.path.count {
    case 0: self = .home
    case 1: self.init(rawValue: link.path[0])
    default: return nil
    }
  }

  package var link: DeepLink { DeepLink([rawValue]) }
}

/// The screens of the app, each with its parameters.
package enum AppRoute: Hashable, Sendable {
  case createCharter
  case charterDetail(UUID)
  case editCharter(UUID)
  case checklistList
  case newEntry(EntityKind<Library>)
  case entry(EntityKind<Library>, UUID)
  case editEntry(EntityKind<Library>, UUID)
  case executeChecklist(charterID: UUID, checklistID: UUID)
  /// The screen that joins a charter by the code of an invitation.
  case join(code: String)
  case library
  case profile
  case settings
  case about
}

extension AppRoute: Route {
  package var tab: AppTab {
    switch self {
    case .createCharter, .charterDetail, .editCharter, .executeChecklist, .join: .charters
    case .checklistList, .newEntry, .entry, .editEntry, .library: .library
    case .profile, .settings, .about: .profile
    }
  }

  package var parents: [AppRoute] {
    switch self {
    case .editCharter(let id): [.charterDetail(id)]
    case .executeChecklist(let charterID, _): [.charterDetail(charterID)]
    case .newEntry(let kind), .entry(let kind, _):
      kind == EntityKind(Checklist.self) ? [.checklistList] : []
    case .editEntry(let kind, let id): AppRoute.entry(kind, id).parents + [.entry(kind, id)]
    case .createCharter, .charterDetail, .join: []
    case .checklistList, .library, .profile, .settings, .about: []
    }
  }

  // MARK: - Links

  /// The link to the screen, such as `anyfleet://charter?id=UUID`.
  package var link: DeepLink {
    switch self {
    case .createCharter: DeepLink(["charter", "new"])
    case .charterDetail(let id): Self.link("charter", id: id)
    case .editCharter(let id): Self.link("charter", "edit", id: id)
    case .checklistList: DeepLink(["checklists"])
    case .newEntry(let kind): DeepLink([kind.type.name, "new"])
    case .entry(let kind, let id): Self.link(kind.type.name, id: id)
    case .editEntry(let kind, let id): Self.link(kind.type.name, "edit", id: id)
    case .executeChecklist(let charterID, let checklistID):
      DeepLink(
        ["execute"],
        query: ["charter": charterID.uuidString, "checklist": checklistID.uuidString])
    case .join(let code): DeepLink(["join"], query: ["code": code])
    case .library: DeepLink(["library"])
    case .profile: DeepLink(["profile"])
    case .settings: DeepLink(["settings"])
    case .about: DeepLink(["about"])
    }
  }

  private static func link(_ path: String..., id: UUID) -> DeepLink {
    DeepLink(path, query: ["id": id.uuidString])
  }

  /// Parses a link. Other values of its query are ignored.
  package init?(_ link: DeepLink) {
    func id(_ name: String) -> UUID? { link.query[name].flatMap(UUID.init(uuidString:)) }
    let kinds = EntityKind<Library>.allCases
    var routes: [AppRoute] = [
      .createCharter, .checklistList, .library, .profile, .settings, .about,
    ]
    routes += kinds.map { .newEntry($0) }
    if let id = id("id") {
      routes += [.charterDetail(id), .editCharter(id)]
      routes += kinds.flatMap { [.entry($0, id), .editEntry($0, id)] }
    }
    if let charterID = id("charter"), let checklistID = id("checklist") {
      routes.append(.executeChecklist(charterID: charterID, checklistID: checklistID))
    }
    if let code = link.query["code"], !code.isEmpty { routes.append(.join(code: code)) }
    guard let route = routes.first(where: { $0.link.path == link.path }) else { return nil }
    self = route
  }
}
