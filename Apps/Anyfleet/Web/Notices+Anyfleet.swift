import Anyfleet
import Foundation
import OffshorePages
import OffshorePresentation

extension Notices {
  /// Creates notices for the errors of reading a screen.
  init(_ errors: [AppError], _ say: Speaker, address: String) {
    self.init(LeftOutEntries.notices(of: errors), say, address: address) { $0.address }
  }
}

extension StoredPlace {
  /// The address of the page on which the entry can be deleted.
  var address: String? {
    if table == "charters" { return UUID(uuidString: row).map { CharterRoute.detail($0).address } }
    return LibraryRoute.address(of: self)
  }
}
