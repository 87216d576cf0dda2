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
    if table == "charters" { return Address.charter(id) }
    let part = LibraryPart.allCases.first { $0.kind.tableName == table }
    return part.map { LibraryRoute.entry($0, id).address }
  }
}
