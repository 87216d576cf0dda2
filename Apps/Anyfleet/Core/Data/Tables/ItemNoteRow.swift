import Foundation
public import Offshore
import OffshoreSync

/// What a crew noted of one item of a checklist in one charter.
struct ItemNoteRow: Equatable, Identifiable, Sendable {
  let id: UUID
  var checklistID: UUID
  var charterID: UUID
  var itemID: UUID
  var note: String?
  var issue: ChecklistItemIssue?
  var lastUpdated: Date
}

extension ItemNoteRow: Record {
  static let table = Table(
    "checklistItemNotes", ItemNoteRow.init,
    Column("id", \.id).primaryKey(),
    Column("checklistID", \.checklistID),
    Column("charterID", \.charterID)
      .references("charters", column: "id", onDelete: .cascade, onUpdate: .cascade),
    Column("itemID", \.itemID),
    Column("note", \.note),
    Column("issue", \.issue),
    Column("lastUpdated", \.lastUpdated, as: .text).type("DATETIME")
  ).index(\.charterID, \.checklistID, name: "idx_itemNotes_charter")
}

extension ChecklistItemIssue: ColumnValue {}

extension ItemNoteRow {
  /// A row without a note, with the id that every device gives it: a version 5 UUID of the item's
  /// id in the state's id as namespace.
  init(of itemID: UUID, in state: ExecutionRow, at now: Date) {
    self.init(
      id: UUID(name: itemID.uuidString, in: state.id), checklistID: state.checklistID,
      charterID: state.charterID, itemID: itemID, note: nil, issue: nil, lastUpdated: now)
  }
}
