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
    case .checklistList, .library: LibraryRoute.list.address
    case .newEntry(let kind): LibraryRoute.new(kind).address
    case .entry(let kind, let id): LibraryRoute.entry(kind, id).address
    case .editEntry(let kind, let id): LibraryRoute.edit(kind, id).address
    case .executeChecklist(let charterID, let checklistID):
      RunRoute.run(charter: charterID, checklist: checklistID).address
    case .profile: SystemRoute.profile.address
    case .settings: SystemRoute.settings.address
    case .about: SystemRoute.about.address
    }
  }
}
