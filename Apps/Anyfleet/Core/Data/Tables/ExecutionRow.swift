public import Foundation
package import Offshore
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

  /// Reads the names of the checked items of all charters; an item has the same name on every
  /// device.
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

// MARK: - Queries

extension ExecutionRow {
  /// Returns the query for the state of a checklist in a charter.
  static func rows(_ checklistID: UUID, inCharter charterID: UUID) -> Query<ExecutionRow> {
    ExecutionRow.where { $0.checklistID == checklistID && $0.charterID == charterID }
  }

  /// Returns the row of a state, or a new one if it is missing.
  static func row(
    _ checklistID: UUID, inCharter charterID: UUID, at now: Date, _ reader: Reader
  ) throws -> ExecutionRow {
    try rows(checklistID, inCharter: charterID).first(reader)
      ?? ExecutionRow(checklistID: checklistID, charterID: charterID, at: now)
  }

  /// Returns the state of a checklist in a charter, or `nil` if no item was ever edited.
  static func state(
    _ checklistID: UUID, inCharter charterID: UUID, _ reader: Reader
  ) throws -> ChecklistExecutionState? {
    guard let row = try rows(checklistID, inCharter: charterID).first(reader) else { return nil }
    let notes = try ItemNoteRow.rows(checklistID, inCharter: charterID).readable(reader)
    var state = row.state(with: notes.rows)
    state.unreadable = notes.unreadable.map { RepositoryError($0) }
    return state
  }

  /// Returns the states of all checklists in a charter, in the order of their creation.
  static func states(
    inCharter charterID: UUID, _ reader: Reader
  ) throws -> ReadableRows<ChecklistExecutionState> {
    let rows = try ExecutionRow.where { $0.charterID == charterID }
      .order { [$0.createdAt.ascending, $0.id.ascending] }.readable(reader)
    let notes = try ItemNoteRow.where { $0.charterID == charterID }.readable(reader)
    let notesByChecklist = Dictionary(grouping: notes.rows, by: \.checklistID)
    return ReadableRows(
      rows: rows.rows.map { $0.state(with: notesByChecklist[$0.checklistID] ?? []) },
      unreadable: rows.unreadable + notes.unreadable)
  }

  /// Returns the checklists that have a state in a charter, readable or not.
  static func checklistIDs(inCharter charterID: UUID, _ reader: Reader) throws -> Set<UUID> {
    let texts = try SQL(
      "SELECT checklistID FROM checklistExecutionStates WHERE charterID = \(charterID)"
    ).all(reader, as: String.self)
    return Set(texts.compactMap { UUID(uuidString: $0) })
  }
}

// MARK: - Changing

extension ExecutionRow {
  /// Counts the progress of a changed row again, and stores the row.
  mutating func saveChange(at now: Date, _ writer: Writer) throws {
    lastUpdated = now
    syncStatus = .pending
    count(itemIDs: try CharterChecklistRow.itemIDs(of: checklistID, inCharter: charterID, writer))
    try save(writer)
  }

  /// Counts the progress of states again. Unreadable states are skipped.
  static func countProgress(of states: Query<ExecutionRow>, _ writer: Writer) throws {
    for state in try states.readable(writer).rows {
      var counted = state
      counted.count(
        itemIDs: try CharterChecklistRow.itemIDs(
          of: state.checklistID, inCharter: state.charterID, writer))
      try state.update(changing: counted, writer)
    }
  }

  /// Merges the ticks made since a reset, which this row has, into the restored state.
  func mergeIntoRestored(at now: Date, _ writer: Writer) throws {
    guard let restored = try Self.rows(checklistID, inCharter: charterID).first(writer) else {
      return try insert(writer)
    }
    var merged = restored
    merged.itemStates.entries.merge(itemStates.entries) { $1 }
    merged.lastUpdated = now
    try restored.update(changing: merged, writer)
  }
}
