public import Foundation
import Offshore
import OffshoreSync
import OffshoreWire

extension LocalRepository: ItemHistoryRepository {
  public func decidedItems(
    checklistID: UUID, charterID: UUID
  ) -> any AsyncSequence<Set<UUID>, any Error> & Sendable {
    values("observeDecidedItems") { [replica] reader in
      Set(try Self.decided(checklistID, charterID, replica, reader).map(\.itemID))
    }
  }

  public func decisions(
    itemID: UUID, checklistID: UUID, charterID: UUID
  ) -> any AsyncSequence<[ItemDecision], any Error> & Sendable {
    let here = DeviceName()
    return values("observeDecisions") { [replica] reader in
      let decided = try Self.decided(checklistID, charterID, replica, reader)
        .filter { $0.itemID == itemID }
      guard !decided.isEmpty else { return [] }
      let device = try here.device(replica, reader)
      let state = try Self.itemState(itemID, checklistID, charterID, reader)
      return decided.reversed().map { $0.decision(on: device, now: state) }
    }
  }

  public func useLost(
    _ decision: ItemDecision.ID, itemID: UUID, checklistID: UUID, charterID: UUID
  ) async throws {
    try await write("useLost", toCharter: charterID) { [replica, now] writer in
      let decided = try Self.decided(checklistID, charterID, replica, writer)
      guard let found = decided.first(where: { $0.id == decision && $0.itemID == itemID }) else {
        throw RepositoryError.notFound
      }
      // What is written as it was, bit for bit, where the row is there; else what it says.
      _ = try replica.revert(found.conflict, writer)
      try Self.say(
        found.lost, ofItem: itemID, checklistID: checklistID, charterID: charterID, at: now(),
        writer)
    }
  }
}

// MARK: - Reading

extension LocalRepository {
  /// What was decided of a checklist's items, oldest first.
  private static func decided(
    _ checklistID: UUID, _ charterID: UUID, _ replica: Replica, _ reader: Reader
  ) throws -> [DecidedItem] {
    guard try SyncedStore.isLinked(reader) else { return [] }
    let conflicts = try replica.conflicts(in: AppSchema.scope(ofCharter: charterID), reader)
    guard !conflicts.isEmpty else { return [] }
    let state = ChecklistExecutionState.id(charterID: charterID, checklistID: checklistID)
    let noted = try notedItems(conflicts, state, checklistID, charterID, reader)
    return conflicts.compactMap { conflict in
      if conflict.row == RowID(table: ExecutionRow.table.name, id: state.uuidString) {
        return DecidedItem(tick: conflict)
      }
      return noted[conflict.row].flatMap { DecidedItem(note: conflict, of: $0) }
    }
  }

  /// The items of the notes that conflicts are about. The ids of notes follow from those of items.
  private static func notedItems(
    _ conflicts: [Conflict], _ state: UUID, _ checklistID: UUID, _ charterID: UUID,
    _ reader: Reader
  ) throws -> [RowID: UUID] {
    let table = ItemNoteRow.table.name
    guard conflicts.contains(where: { $0.row.table == table }) else { return [:] }
    let items = try itemIDs(of: checklistID, in: charterID, reader) ?? []
    return Dictionary(
      items.map { item in
        (RowID(table: table, id: UUID(name: item.uuidString, in: state).uuidString), item)
      }, uniquingKeysWith: { first, _ in first })
  }

  private static func itemState(
    _ itemID: UUID, _ checklistID: UUID, _ charterID: UUID, _ reader: Reader
  ) throws -> ChecklistItemState {
    try state(checklistID, charterID, reader)?.itemStates[itemID]
      ?? ChecklistItemState(itemID: itemID)
  }

  // MARK: - Writing

  /// Has an item be as somebody said.
  private static func say(
    _ value: ItemDecision.Value, ofItem itemID: UUID, checklistID: UUID, charterID: UUID,
    at now: Date, _ writer: Writer
  ) throws {
    var row = try Self.row(checklistID, charterID, at: now, writer)
    switch value {
    case .tick(let isOn): row.itemStates.set(itemID, isChecked: isOn, at: now)
    case .cleared: row.itemStates.set(itemID, isChecked: false, at: now)
    case .note, .issue: break
    }
    try save(&row, at: now, writer)
    switch value {
    case .note(let text): try changeNote(of: itemID, in: row, writer) { $0.note = text }
    case .issue(let issue): try changeNote(of: itemID, in: row, writer) { $0.issue = issue }
    case .tick, .cleared: break
    }
  }
}
