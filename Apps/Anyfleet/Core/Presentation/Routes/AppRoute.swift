public import Foundation
public import OffshorePresentation

/// The screens of the app, each with what it is about.
public enum AppRoute: Hashable, Sendable {
  case createCharter
  case charterDetail(UUID)
  case editCharter(UUID)
  case checklistList
  case checklistDetail(UUID)
  case createChecklist
  case editChecklist(UUID)
  case executeChecklist(charterID: UUID, checklistID: UUID)
  case library
  case guideDetail(UUID)
  case deckDetail(UUID)
  case profile
  case settings
  case about
}

extension AppRoute: Route {
  public var tab: AppTab {
    switch self {
    case .createCharter, .charterDetail, .editCharter, .executeChecklist: .charters
    case .checklistList, .checklistDetail, .createChecklist, .editChecklist, .library,
      .guideDetail, .deckDetail:
      .library
    case .profile, .settings, .about: .profile
    }
  }

  public var parents: [AppRoute] {
    switch self {
    case .editCharter(let id): [.charterDetail(id)]
    case .executeChecklist(let charterID, _): [.charterDetail(charterID)]
    case .checklistDetail, .createChecklist: [.checklistList]
    case .editChecklist(let id): [.checklistList, .checklistDetail(id)]
    case .createCharter, .charterDetail, .checklistList, .library, .guideDetail, .deckDetail,
      .profile, .settings, .about:
      []
    }
  }
}
