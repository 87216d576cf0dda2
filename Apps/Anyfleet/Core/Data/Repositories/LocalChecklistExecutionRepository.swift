import Foundation
import Offshore
import OffshoreSync
import OffshoreWire

/// The progress of checklists in this device's database.
struct LocalChecklistExecutionRepository: ChecklistExecutionRepository {
  let file: LoggedStore
  let now: @Sendable () -> Date

  private var replica: Replica { file.store.replica }

  func save(
    _ edit: ItemEdit, checklistID: UUID, charterID: UUID, assigning: Bool
  ) async throws {
    try await file.write(edit.operation, toCharter: charterID) { [now] writer in
      if assigning, edit.isAddition {
        try CharterChecklistRow.assignIfInLibrary(checklistID, toCharter: charterID, writer)
      }
      let now = now()
      var row = try ExecutionRow.row(checklistID, inCharter: charterID, at: now, writer)
      if case .tick(let item, let isChecked) = edit {
        let name = try SyncedStore.account(writer)?.name
        guard row.itemStates.set(item, isChecked: isChecked, at: now, by: name) else { return }
      }
      try row.saveChange(at: now, writer)
      switch edit {
      case .tick: break
      case .note(let item, let note):
        try ItemNoteRow.change(item, in: row, writer) { $0.note = note?.trimmedOrNil }
      case .issue(let item, let issue):
        try ItemNoteRow.change(item, in: row, writer) { $0.issue = issue }
      }
    }
  }

  func loadExecutionState(
    checklistID: UUID, charterID: UUID
  ) async throws -> ChecklistExecutionState? {
    let state = try await file.read("loadExecutionState") { [replica] reader in
      try ExecutionRow.state(checklistID, inCharter: charterID, reader)
        .map { try $0.withStatus(replica, reader) }
    }
    file.logUnreadable(state?.unreadable ?? [])
    return state
  }

  func loadAllStatesForCharter(_ charterID: UUID) async throws -> [ChecklistExecutionState] {
    try await file.readable("loadAllStatesForCharter") { [replica] reader in
      try ExecutionRow.states(inCharter: charterID, reader)
        .map { try $0.withStatus(replica, reader) }
    }
  }

  // MARK: - Resetting

  @discardableResult
  func clearExecutionState(
    checklistID: UUID, charterID: UUID
  ) async throws -> ClearedExecution? {
    try await file.write("clearExecutionState", toCharter: charterID) { writer in
      let rows = try writer.remove(
        ExecutionRow.rows(checklistID, inCharter: charterID),
        ItemNoteRow.rows(checklistID, inCharter: charterID))
      guard !rows.isEmpty else { return nil }
      return ClearedExecution(
        id: .init(charterID: charterID, checklistID: checklistID), rows: rows)
    }
  }

  func restoreExecutionState(_ cleared: ClearedExecution) async throws {
    try await file.write("restoreExecutionState", toCharter: cleared.id.charterID) {
      [now] writer in
      let states = ExecutionRow.rows(cleared.id.checklistID, inCharter: cleared.id.charterID)
      let newer = try states.first(writer)
      if newer != nil { try states.delete(writer) }
      try cleared.rows.restore(writer)
      try states.update(writer) { [$0.syncStatus.set(.pending)] }
      if let newer { try newer.mergeIntoRestored(at: now(), writer) }
      try ExecutionRow.countProgress(of: states, writer)
    }
  }

  // MARK: - Observation

  func progress(checklistID: UUID, charterID: UUID) -> RepositoryValues<ItemProgress> {
    file.values("observeProgress", unreadable: \.unreadable) { reader in
      let row = try ExecutionRow.rows(checklistID, inCharter: charterID).first(reader)
      let notes = try ItemNoteRow.rows(checklistID, inCharter: charterID).readable(reader)
      return ItemProgress(
        row?.itemStates, notes.rows, unreadable: notes.unreadable.map { RepositoryError($0) })
    }
  }

  func executionStates(charterID: UUID) -> RepositoryValues<ReadableStates> {
    file.values("observeStatesForCharter", unreadable: \.unreadable) { reader in
      let list = try ExecutionRow.states(inCharter: charterID, reader)
      var states = ReadableStates(
        states: list.rows, unreadable: list.unreadable.map { RepositoryError($0) })
      if !list.unreadable.isEmpty {
        states.unreadableChecklistIDs = try ExecutionRow.checklistIDs(inCharter: charterID, reader)
          .subtracting(list.rows.map(\.checklistID))
      }
      return states
    }
  }
}

// MARK: - The checklist to continue

extension LocalChecklistExecutionRepository: UnfinishedChecklistRepository {
  /// The number of states per read. The first one nearly always qualifies.
  private static let batchSize = 8

  func checklistToContinue() -> RepositoryValues<ChecklistToContinue?> {
    file.values("observeChecklistToContinue") { reader in
      let unfinished = ExecutionRow.where { $0.completedAt == nil }
        .order { [$0.lastUpdated.descending, $0.id.ascending] }
      if let activeID = try ActiveCharterRow.activeID(reader),
        let found = try Self.first(of: unfinished.where { $0.charterID == activeID }, reader)
      {
        return found
      }
      return try Self.first(of: unfinished, reader)
    }
  }

  /// Returns the first state whose charter and checklist can be shown.
  private static func first(
    of states: Query<ExecutionRow>, _ reader: Reader
  ) throws -> ChecklistToContinue? {
    var offset = 0
    while true {
      let batch = try states.limit(batchSize).offset(offset).readable(reader)
      for row in batch.rows {
        if let found = try checklistToContinue(row, reader) { return found }
      }
      guard batch.count == batchSize else { return nil }
      offset += batch.count
    }
  }

  /// Returns the checklist of a state, or `nil` if it or its charter cannot be shown.
  private static func checklistToContinue(
    _ row: ExecutionRow, _ reader: Reader
  ) throws -> ChecklistToContinue? {
    do {
      guard let charter = try CharterRow.charter(row.charterID, reader), !charter.isArchived,
        let checklist = try CharterChecklistRow.checklist(
          row.checklistID, inCharter: row.charterID, reader),
        !checklist.itemIDs.isEmpty
      else { return nil }
      return ChecklistToContinue(
        charter: charter, checklist: checklist, state: row.state(with: []))
    } catch let error as DatabaseError where error.code == .invalidValue {
      return nil
    }
  }
}

extension ChecklistExecutionState {
  /// Returns the state with its sync status, if the device belongs to an account.
  ///
  /// NB: Observed states have no sync status; otherwise each acknowledged tick would update all
  /// pages again.
  fileprivate func withStatus(_ replica: Replica, _ reader: Reader) throws -> Self {
    guard try SyncedStore.isLinked(reader) else { return self }
    var state = self
    let row = RowID(table: ExecutionRow.table.name, id: id.uuidString)
    state.syncStatus = SyncStatus(try replica.status(of: row, reader))
    return state
  }
}
