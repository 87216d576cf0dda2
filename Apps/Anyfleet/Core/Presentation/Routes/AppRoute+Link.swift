import Foundation
public import OffshorePresentation

/// The links that lead to screens: `anyfleet://charter?id=UUID` and so on.
extension AppRoute {
  public var link: DeepLink {
    switch self {
    case .createCharter: DeepLink(["charter", "new"])
    case .charterDetail(let id): Self.link(["charter"], id)
    case .editCharter(let id): Self.link(["charter", "edit"], id)
    case .checklistList: DeepLink(["checklists"])
    case .newEntry(let kind): DeepLink([kind.type.name, "new"])
    case .entry(let kind, let id): Self.link([kind.type.name], id)
    case .editEntry(let kind, let id): Self.link([kind.type.name, "edit"], id)
    case .executeChecklist(let charterID, let checklistID):
      DeepLink(
        ["execute"],
        query: ["charter": charterID.uuidString, "checklist": checklistID.uuidString])
    case .library: DeepLink(["library"])
    case .profile: DeepLink(["profile"])
    case .settings: DeepLink(["settings"])
    case .about: DeepLink(["about"])
    }
  }

  private static func link(_ path: [String], _ id: UUID) -> DeepLink {
    DeepLink(path, query: ["id": id.uuidString])
  }

  /// Reads a link. What its query has besides what is needed does not matter.
  public init?(_ link: DeepLink) {
    guard let route = Self.plain(link.path) ?? Self.identified(link) else { return nil }
    self = route
  }

  /// The screens that are about nothing in particular.
  private static func plain(_ path: [String]) -> AppRoute? {
    switch path {
    case ["charter", "new"]: .createCharter
    case ["checklists"]: .checklistList
    case ["library"]: .library
    case ["profile"]: .profile
    case ["settings"]: .settings
    case ["about"]: .about
    default: kind(path, action: "new").map { .newEntry($0) }
    }
  }

  /// The screens that are about something with an id.
  private static func identified(_ link: DeepLink) -> AppRoute? {
    func id(_ name: String) -> UUID? { link.query[name].flatMap(UUID.init(uuidString:)) }
    if link.path == ["execute"] {
      guard let charterID = id("charter"), let checklistID = id("checklist") else { return nil }
      return .executeChecklist(charterID: charterID, checklistID: checklistID)
    }
    guard let id = id("id") else { return nil }
    return switch link.path {
    case ["charter"]: .charterDetail(id)
    case ["charter", "edit"]: .editCharter(id)
    default:
      kind(link.path).map { .entry($0, id) }
        ?? kind(link.path, action: "edit").map { .editEntry($0, id) }
    }
  }

  /// The kind of entries that a path of its name and an action is about.
  private static func kind(_ path: [String], action: String...) -> EntityKind<Library>? {
    path.dropFirst() == action[...] ? path.first.flatMap { EntityKind(named: $0) } : nil
  }
}
