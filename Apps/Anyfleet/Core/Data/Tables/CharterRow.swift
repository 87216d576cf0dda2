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
    try scanner.scanObject { scanner, key in
      switch key {
      case "name" where name == nil: name = try scanner.scanString()
      case "role" where role == nil: role = CrewRole(rawValue: try scanner.scanString())
      default: throw JSONScanner.Fault.unusualMembers
      }
    }
    guard let name, let role else { throw JSONScanner.Fault.unusualMembers }
    self.init(name: name, role: role)
  }
}

// MARK: - Queries

extension CharterRow {
  /// The query for all charters by start date, and then by id.
  static var byStart: Query<CharterRow> {
    order { [$0.startDate.ascending, $0.id.ascending] }
  }

  /// Fetches the readable charters of a query.
  static func charters(
    _ query: Query<CharterRow>, _ reader: Reader
  ) throws -> ReadableRows<CharterModel> {
    let activeID = try ActiveCharterRow.activeID(reader)
    return try query.readable(reader).map { $0.charter(activeID: activeID) }
  }

  /// Fetches a charter, or `nil` if it does not exist.
  ///
  /// It uses keys only, so that an observation is not triggered by changes of other charters.
  static func charter(_ id: UUID, _ reader: Reader) throws -> CharterModel? {
    guard let row = try find(id).first(reader) else { return nil }
    return row.charter(
      activeID: row.isArchived ? nil : try ActiveCharterRow.readableChosenID(reader))
  }

  /// Moves a charter into the archive or out of it.
  /// - Throws: ``RepositoryError`` with `notFound` if the charter does not exist.
  static func setArchived(_ isArchived: Bool, _ id: UUID, _ writer: Writer) throws {
    guard try find(id).exists(writer) else { throw RepositoryError.notFound }
    try find(id).where { $0.isArchived != isArchived }
      .update(writer) { [$0.isArchived.set(isArchived), $0.syncStatus.set(.pending)] }
  }
}
