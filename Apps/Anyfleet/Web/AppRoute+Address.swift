public import Anyfleet
import Foundation
import OffshorePages

extension AppRoute {
  /// Where the screen's page is.
  public var address: String {
    switch self {
    case .createCharter: Address.newCharter
    case .charterDetail(let id): Address.charter(id)
    case .editCharter(let id): "\(Address.charter(id))/edit"
    case .checklistList, .library: LibraryRoute.library.address
    case .checklistDetail(let id): LibraryRoute.entry(.checklists, id).address
    case .createChecklist: LibraryRoute.new(.checklists).address
    case .editChecklist(let id): LibraryRoute.edit(.checklists, id).address
    case .executeChecklist(let charterID, let checklistID):
      RunRoute.run(charter: charterID, checklist: checklistID).address
    case .guideDetail(let id): LibraryRoute.entry(.guides, id).address
    case .deckDetail(let id): LibraryRoute.entry(.decks, id).address
    case .profile: SystemRoute.profile.address
    case .settings: SystemRoute.settings.address
    case .about: SystemRoute.about.address
    }
  }
}
