public import Foundation
import Offshore
import OffshoreSync

/// A stored checklist of a charter. The columns of the snapshot are those of a library checklist.
struct CharterChecklistRow: Equatable, Identifiable, Sendable {
  let id: UUID
  var charterID: UUID
  var checklistID: UUID
  var position: Int
  var title: String
  var description: String?
  var sections: [ChecklistSection]
  var creatorID: UUID
  var createdAt: Date
  var updatedAt: Date
}

extension CharterChecklistRow: Record {
  static let table = Table(
    "charterChecklists", CharterChecklistRow.init,
    Column("id", \.id).primaryKey(),
    // `checklistID` has no foreign key, because the checklist may not be on this device.
    Column("charterID", \.charterID)
      .references("charters", column: "id", onDelete: .cascade, onUpdate: .cascade),
    Column("checklistID", \.checklistID),
    Column("position", \.position),
    Column("title", \.title),
    Column("description", \.description),
    Column("sections", \.sections, as: .json),
    Column("creatorID", \.creatorID),
    Column("createdAt", \.createdAt),
    Column("updatedAt", \.updatedAt)
  ).index(\.charterID, \.position, name: "idx_charterChecklists_charter")
}

extension CharterChecklistRow {
  init(_ checklist: CharterChecklist) {
    let snapshot = checklist.snapshot
    self.init(
      id: checklist.id, charterID: checklist.charterID, checklistID: checklist.checklistID,
      position: checklist.position, title: snapshot.title, description: snapshot.description,
      sections: snapshot.sections, creatorID: snapshot.creatorID, createdAt: snapshot.createdAt,
      updatedAt: snapshot.updatedAt)
  }

  var snapshot: Checklist {
    Checklist(
      id: checklistID, title: title, sections: sections, creatorID: creatorID,
      description: description, createdAt: createdAt, updatedAt: updatedAt)
  }

  var checklist: CharterChecklist {
    CharterChecklist(charterID: charterID, position: position, snapshot: snapshot)
  }
}

extension CharterChecklist: Identifiable {
  /// The id, which is the same on every device; see ``id(charterID:checklistID:)``.
  public var id: UUID { Self.id(charterID: charterID, checklistID: checklistID) }

  /// Returns the id of a checklist in a charter, which is the same on every device.
  ///
  /// It is a version 5 UUID with the charter's id as namespace. The name is `snapshot.` followed by
  /// the checklist's id in upper case.
  public static func id(charterID: UUID, checklistID: UUID) -> UUID {
    UUID(name: "snapshot.\(checklistID.uuidString)", in: charterID)
  }
}

// MARK: - Queries

extension CharterChecklistRow {
  /// Returns the query for the checklists of a charter, in any order.
  static func rows(ofCharter id: UUID) -> Query<CharterChecklistRow> {
    CharterChecklistRow.where { $0.charterID == id }
  }

  /// Returns the query for the checklists of a charter by position, and then by id, because two
  /// devices may have assigned the same position.
  static func orderedRows(ofCharter id: UUID) -> Query<CharterChecklistRow> {
    rows(ofCharter: id).order { [$0.position.ascending, $0.id.ascending] }
  }

  /// Returns the query for a charter's snapshot of a checklist.
  static func row(_ checklistID: UUID, inCharter charterID: UUID) -> Query<CharterChecklistRow> {
    find(CharterChecklist.id(charterID: charterID, checklistID: checklistID))
  }

  /// Returns the checklist to run in a charter: its snapshot, or else the library's checklist.
  static func checklist(
    _ id: UUID, inCharter charterID: UUID, _ reader: Reader
  ) throws -> Checklist? {
    if let row = try row(id, inCharter: charterID).first(reader) { return row.snapshot }
    return try Checklist.find(id).first(reader)
  }

  /// Returns the current items of a checklist in a charter, or `nil` if it is missing or damaged,
  /// in which case ticks are still stored.
  static func itemIDs(
    of checklistID: UUID, inCharter charterID: UUID, _ reader: Reader
  ) throws -> Set<UUID>? {
    do {
      return try checklist(checklistID, inCharter: charterID, reader)?.itemIDs
    } catch let error as DatabaseError where error.code == .invalidValue {
      return nil
    }
  }
}

// MARK: - Assigning

extension CharterChecklistRow {
  /// Adds a snapshot of a library checklist to a charter, unless it has one.
  @discardableResult
  static func assign(
    _ id: UUID, toCharter charterID: UUID, _ writer: Writer
  ) throws -> CharterChecklist {
    if let assigned = try row(id, inCharter: charterID).first(writer) { return assigned.checklist }
    guard let template = try Checklist.find(id).first(writer) else {
      throw RepositoryError.notFound
    }
    let checklist = CharterChecklist(
      charterID: charterID, position: try nextPosition(inCharter: charterID, writer),
      snapshot: template)
    try CharterChecklistRow(checklist).insert(writer)
    try ExecutionRow.countProgress(of: ExecutionRow.rows(id, inCharter: charterID), writer)
    return checklist
  }

  /// Adds a snapshot of a checklist to a charter, if the library has the checklist and the charter
  /// does not.
  static func assignIfInLibrary(
    _ id: UUID, toCharter charterID: UUID, _ writer: Writer
  ) throws {
    guard try !row(id, inCharter: charterID).exists(writer), try Checklist.find(id).exists(writer)
    else { return }
    try assign(id, toCharter: charterID, writer)
  }

  /// Returns the position after all checklists of a charter.
  static func nextPosition(inCharter id: UUID, _ reader: Reader) throws -> Int {
    try rows(ofCharter: id).max(reader) { $0.position }.map { $0 + 1 } ?? 0
  }
}
