public import Foundation
import Offshore
import OffshoreSync

/// A charter's checklist as it is stored: the snapshot's columns are those of the library.
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
    // The checklist itself may be unknown here, so that column refers to nothing.
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

  var checklist: CharterChecklist {
    CharterChecklist(
      charterID: charterID, position: position,
      snapshot: Checklist(
        id: checklistID, title: title, sections: sections, creatorID: creatorID,
        description: description, createdAt: createdAt, updatedAt: updatedAt))
  }
}

extension CharterChecklist: Identifiable {
  /// Derived from charter and checklist, so that all devices mean the same.
  public var id: UUID { Self.id(charterID: charterID, checklistID: checklistID) }

  /// The id that every device gives a checklist of a charter: a version 5 UUID of `snapshot.` and
  /// the checklist's id as upper-case text in the charter's id as namespace.
  public static func id(charterID: UUID, checklistID: UUID) -> UUID {
    UUID(name: "snapshot.\(checklistID.uuidString)", in: charterID)
  }
}
