public import Foundation
public import Offshore
import OffshoreSync

/// A stored state of a checklist in a charter.
struct ExecutionRow: Equatable, Sendable {
  let id: UUID
  var checklistID: UUID
  var charterID: UUID
  var itemStates: ItemStates
  /// The checked share of the current items, from 0 to 100; `nil` while the checklist is unknown.
  var progressPercentage: Double?
  var createdAt: Date
  var lastUpdated: Date
  var completedAt: Date?
  var syncStatus: SyncStatus
}

extension ExecutionRow: Record {
  static let table = Table(
    "checklistExecutionStates", ExecutionRow.init,
    Column("id", \.id).primaryKey(),
    Column("checklistID", \.checklistID),
    Column("charterID", \.charterID)
      .references("charters", column: "id", onDelete: .cascade, onUpdate: .cascade),
    Column("itemStates", \.itemStates, as: .itemStates),
    Column("progressPercentage", \.progressPercentage),
    Column("createdAt", \.createdAt, as: .text).type("DATETIME"),
    Column("lastUpdated", \.lastUpdated, as: .text).type("DATETIME"),
    Column("completedAt", \.completedAt, as: .text).type("DATETIME"),
    Column("syncStatus", \.syncStatus).default(.pending)
  ).index(\.checklistID, \.charterID, isUnique: true)
    .index(\.checklistID, name: "idx_executionStates_checklist")
    .index(\.charterID, name: "idx_executionStates_charter")
    .index(\.lastUpdated, name: "idx_executionStates_updated")
}

extension ExecutionRow: Identifiable {
  /// Creates a state without ticks.
  init(checklistID: UUID, charterID: UUID, at now: Date) {
    self.init(
      id: ChecklistExecutionState.id(charterID: charterID, checklistID: checklistID),
      checklistID: checklistID, charterID: charterID, itemStates: ItemStates(),
      progressPercentage: nil, createdAt: now, lastUpdated: now, completedAt: nil,
      syncStatus: .pending)
  }

  /// Counts the progress again.
  ///
  /// - Parameter itemIDs: the current items of the checklist, or `nil` while it is unknown.
  mutating func count(itemIDs: Set<UUID>?) {
    guard let itemIDs else {
      progressPercentage = nil
      if itemStates.entries.values.contains(where: { !$0.isChecked }) { completedAt = nil }
      return
    }
    let completion = ChecklistCompletion(itemIDs: itemIDs, checkedAt: checkedAt)
    progressPercentage = completion.fraction * 100
    completedAt = completion.completedAt
  }

  /// The dates of the checks by item; the latest update if a date is unknown.
  private var checkedAt: [UUID: Date] {
    itemStates.entries.compactMapValues { $0.isChecked ? $0.checkedAt ?? lastUpdated : nil }
  }

  /// Returns the state with the notes and conditions of its items.
  func state(with notes: [ItemNoteRow]) -> ChecklistExecutionState {
    var items: [UUID: ChecklistItemState] = [:]
    items.reserveCapacity(itemStates.entries.count)
    for (id, entry) in itemStates.entries {
      items[id] = ChecklistItemState(
        itemID: id, isChecked: entry.isChecked, checkedAt: entry.checkedAt,
        checkedBy: entry.checkedBy)
    }
    for row in notes where row.note != nil || row.issue != nil {
      items[row.itemID, default: ChecklistItemState(itemID: row.itemID)].note = row.note
      items[row.itemID]?.issue = row.issue
    }
    return ChecklistExecutionState(
      id: id, checklistID: checklistID, charterID: charterID, itemStates: items,
      createdAt: createdAt, lastUpdated: lastUpdated, completedAt: completedAt,
      syncStatus: syncStatus)
  }
}

extension ChecklistExecutionState {
  /// Returns the id of the state of a checklist in a charter, which is the same on every device.
  ///
  /// It is a version 5 UUID of the checklist's id in upper case, with the charter's id as
  /// namespace.
  public static func id(charterID: UUID, checklistID: UUID) -> UUID {
    UUID(name: checklistID.uuidString, in: charterID)
  }

  /// Reads the names of the checked items of all charters; an item has the same name on every device.
  /// - Throws: `DatabaseError`.
  package static func tickedItems(_ reader: Reader) throws -> Set<String> {
    let states = try ExecutionRow.all.readable(reader).rows
    return states.reduce(into: []) { names, state in
      for (item, entry) in state.itemStates.entries where entry.isChecked {
        names.insert("\(state.id) \(item)")
      }
    }
  }
}

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
  /// Creates an empty row. Its id is the same on every device: a version 5 UUID of the item's id,
  /// with the state's id as namespace.
  init(of itemID: UUID, in state: ExecutionRow, at now: Date) {
    self.init(
      id: UUID(name: itemID.uuidString, in: state.id), checklistID: state.checklistID,
      charterID: state.charterID, itemID: itemID, note: nil, issue: nil, lastUpdated: now)
  }
}
