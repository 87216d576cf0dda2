import Foundation

/// Where pages are.
enum Address {
  static let home = "/"
  /// Where it is posted which charter is sailed now.
  static let sail = "/sail"
  static let charters = "/charters"
  static let newCharter = "/charters/new"

  /// The page of a charter.
  static func charter(_ id: UUID) -> String { "\(charters)/\(id.uuidString)" }
  /// Where it is posted that the server is asked again for a charter.
  static func refreshCharter(_ id: UUID) -> String { "\(charter(id))/refresh" }

  /// The page on which a checklist is run in a charter.
  static func checklist(_ id: UUID, in charter: UUID) -> String {
    "\(self.charter(charter))/checklists/\(id.uuidString)"
  }

  /// Where the new state of an item is posted.
  static func item(_ id: UUID, of checklist: UUID, in charter: UUID) -> String {
    "\(self.checklist(checklist, in: charter))/items/\(id.uuidString)"
  }
}
