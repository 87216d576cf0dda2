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
    case .checklistList, .library: Address.library
    case .checklistDetail(let id): "\(Address.library)/checklists/\(id.uuidString)"
    case .createChecklist: "\(Address.library)/checklists/new"
    case .editChecklist(let id): "\(Address.library)/checklists/\(id.uuidString)/edit"
    case .executeChecklist(let charterID, let checklistID):
      Address.checklist(checklistID, in: charterID)
    case .guideDetail(let id): "\(Address.library)/guides/\(id.uuidString)"
    case .deckDetail(let id): "\(Address.library)/decks/\(id.uuidString)"
    case .profile: SystemRoute.profile.address
    case .settings: SystemRoute.settings.address
    case .about: SystemRoute.about.address
    }
  }
}
