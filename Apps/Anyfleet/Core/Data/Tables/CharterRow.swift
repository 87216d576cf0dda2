import Foundation
public import Offshore
package import OffshoreJSON
import OffshorePresentation

/// A stored charter: without the choice of each user, and with the search text.
struct CharterRow: Equatable, Identifiable, Sendable {
  let id: UUID
  var name: String
  var boatName: String?
  var location: String?
  var startDate: Date
  var endDate: Date
  var createdAt: Date
  var checkInChecklistID: UUID?
  var region: String?
  var guests: Int
  var crew: [CrewMember]
  var budget: CharterBudget?
  var syncStatus: SyncStatus
  var isArchived: Bool
  var searchText: String
}

extension SyncStatus: ColumnValue {}

extension CharterRow: Record {
  static let table = Table(
    "charters", CharterRow.init,
    Column("id", \.id).primaryKey(),
    Column("name", \.name),
    Column("boatName", \.boatName),
    Column("location", \.location),
    Column("startDate", \.startDate),
    Column("endDate", \.endDate),
    Column("createdAt", \.createdAt),
    Column("checkInChecklistID", \.checkInChecklistID),
    Column("region", \.region),
    Column("guests", \.guests).default(6).check("guests BETWEEN 1 AND 12"),
    Column("crew", \.crew, as: .json),
    Column("budget", \.budget, as: .json),
    Column("syncStatus", \.syncStatus).default(.pending),
    Column("isArchived", \.isArchived).default(false).check("isArchived IN (0, 1)"),
    Column("searchText", \.searchText).default("")
  )
  // Each index contains all columns of a list's condition and order, so that only the rows of a
  // page are read.
  .index(\.isArchived, \.startDate, \.id, \.endDate, name: "idx_charters_start")
  .index(\.isArchived, \.endDate, \.id, \.startDate, name: "idx_charters_end")
}

extension CharterRow {
  init(_ charter: CharterModel) {
    self.init(
      id: charter.id, name: charter.name, boatName: charter.boatName, location: charter.location,
      startDate: charter.startDate, endDate: charter.endDate, createdAt: charter.createdAt,
      checkInChecklistID: charter.checkInChecklistID, region: charter.region,
      guests: charter.guests, crew: charter.crew, budget: charter.budget,
      syncStatus: charter.syncStatus, isArchived: charter.isArchived,
      searchText: charter.searchText)
  }

  /// Returns the charter, with whether it is the active one.
  func charter(activeID: UUID?) -> CharterModel {
    CharterModel(
      id: id, name: name, boatName: boatName, location: location, startDate: startDate,
      endDate: endDate, createdAt: createdAt, checkInChecklistID: checkInChecklistID,
      region: region, guests: guests, crew: crew, budget: budget, syncStatus: syncStatus,
      isArchived: isArchived, isActive: activeID == id)
  }
}

extension CharterModel {
  /// The folded text of name, boat, location and region for searching.
  var searchText: String { SearchText.joined([name, boatName, location, region]) }
}

// Pages read the crews of many charters, so they are parsed without a decoder.
extension CrewMember: ScannedJSON {
  package init(_ scanner: inout JSONScanner) throws {
    var name: String?
    var role: CrewRole?
    try scanner.object { scanner, key in
      switch key {
      case "name" where name == nil: name = try scanner.string()
      case "role" where role == nil: role = CrewRole(rawValue: try scanner.string())
      default: throw JSONScanner.Fault.unusualMembers
      }
    }
    guard let name, let role else { throw JSONScanner.Fault.unusualMembers }
    self.init(name: name, role: role)
  }
}

/// The choice of the active charter: one row per user, so at most one charter.
///
/// The charter is in another scope than the choice. It may not be on this device yet, or may be
/// deleted.
struct ActiveCharterRow: Equatable, Sendable {
  var userID: UUID
  var charterID: UUID?
}

extension ActiveCharterRow: Record {
  static let table = Table(
    "activeCharters", ActiveCharterRow.init,
    Column("userID", \.userID).primaryKey(),
    Column("charterID", \.charterID))
}

extension ActiveCharterRow: Identifiable {
  var id: UUID { userID }
}
