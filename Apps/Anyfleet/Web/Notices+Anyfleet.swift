import Anyfleet
import Foundation
import OffshorePages
import OffshorePresentation

extension Notices {
  /// Makes notices of the errors that occurred while a screen was read.
  init(_ errors: [AppError], _ say: Speaker, address: String) {
    self.init(LeftOutEntries.notices(of: errors), say, address: address) { $0.address }
  }
}

extension StoredPlace {
  /// The address of the page on which the entry can be deleted.
  var address: String? {
    guard let id = UUID(uuidString: row) else { return nil }
    return switch table {
    case "charters": Address.charter(id)
    case "checklists": Address.entry(id, in: .checklists)
    case "practiceGuides": Address.entry(id, in: .guides)
    case "flashcardDecks": Address.entry(id, in: .decks)
    default: nil
    }
  }
}
