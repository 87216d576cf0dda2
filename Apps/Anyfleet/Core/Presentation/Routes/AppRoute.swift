public import Foundation
public import OffshorePresentation

/// The screens of the app, each with what it is about.
public enum AppRoute: Hashable, Sendable {
  case createCharter
  case charterDetail(UUID)
  case editCharter(UUID)
  case checklistList
  case newEntry(EntityKind<Library>)
  case entry(EntityKind<Library>, UUID)
  case editEntry(EntityKind<Library>, UUID)
  case executeChecklist(charterID: UUID, checklistID: UUID)
  case library
  case profile
  case settings
  case about
}

extension AppRoute: Route {
  public var tab: AppTab {
    switch self {
    case .createCharter, .charterDetail, .editCharter, .executeChecklist: .charters
    case .checklistList, .newEntry, .entry, .editEntry, .library: .library
    case .profile, .settings, .about: .profile
    }
  }

  public var parents: [AppRoute] {
    switch self {
    case .editCharter(let id): [.charterDetail(id)]
    case .executeChecklist(let charterID, _): [.charterDetail(charterID)]
    case .newEntry(let kind), .entry(let kind, _):
      kind == EntityKind(Checklist.self) ? [.checklistList] : []
    case .editEntry(let kind, let id): AppRoute.entry(kind, id).parents + [.entry(kind, id)]
    case .createCharter, .charterDetail, .checklistList, .library, .profile, .settings, .about: []
    }
  }
}
