import Foundation
public import Offshore
import OffshoreSync

/// The stored note and condition of one item of a checklist in one charter.
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
  /// Returns the query for the notes and conditions of a checklist's items in a charter.
  static func rows(_ checklistID: UUID, inCharter charterID: UUID) -> Query<ItemNoteRow> {
    ItemNoteRow.where { $0.charterID == charterID && $0.checklistID == checklistID }
  }

  /// Creates an empty row. Its id is the same on every device: a version 5 UUID of the item's id,
  /// with the state's id as namespace.
  init(of itemID: UUID, in state: ExecutionRow, at now: Date) {
    self.init(
      id: UUID(name: itemID.uuidString, in: state.id), checklistID: state.checklistID,
      charterID: state.charterID, itemID: itemID, note: nil, issue: nil, lastUpdated: now)
  }

  /// Changes the note and the condition of an item.
  ///
  /// NB: A row that has become empty is not deleted, because a deletion would discard later edits
  /// of the row by other devices, such as a condition.
  static func change(
    _ itemID: UUID, in state: ExecutionRow, _ writer: Writer,
    _ body: (inout ItemNoteRow) -> Void
  ) throws {
    let new = ItemNoteRow(of: itemID, in: state, at: state.lastUpdated)
    let stored = try ItemNoteRow.find(new.id).first(writer)
    var row = stored ?? new
    row.lastUpdated = state.lastUpdated
    body(&row)
    guard stored != nil || row.note != nil || row.issue != nil else { return }
    try row.save(writer)
  }
}
