public import Foundation
import Offshore
import OffshoreSync
import OffshoreWire

extension LocalRepository: ChecklistExecutionRepository {
  public func saveItemState(
    checklistID: UUID, charterID: UUID, itemID: UUID, isChecked: Bool
  ) async throws {
    try await write("saveItemState", toCharter: charterID) { [now] writer in
      let now = now()
      var row = try Self.row(checklistID, charterID, at: now, writer)
      guard row.itemStates.set(itemID, isChecked: isChecked, at: now) else { return }
      try Self.save(&row, at: now, writer)
    }
  }

  public func saveItemNote(
    checklistID: UUID, charterID: UUID, itemID: UUID, note: String?
  ) async throws {
    let text = note?.trimmedOrNil
    try await write("saveItemNote", toCharter: charterID) { [now] writer in
      let now = now()
      var state = try Self.row(checklistID, charterID, at: now, writer)
      try Self.save(&state, at: now, writer)
      try Self.changeNote(of: itemID, in: state, writer) { $0.note = text }
    }
  }

  public func saveItemIssue(
    checklistID: UUID, charterID: UUID, itemID: UUID, issue: ChecklistItemIssue?
  ) async throws {
    try await write("saveItemIssue", toCharter: charterID) { [now] writer in
      let now = now()
      var state = try Self.row(checklistID, charterID, at: now, writer)
      try Self.save(&state, at: now, writer)
      try Self.changeNote(of: itemID, in: state, writer) { $0.issue = issue }
    }
  }

  public func loadExecutionState(
    checklistID: UUID, charterID: UUID
  ) async throws -> ChecklistExecutionState? {
    let state = try await read("loadExecutionState") { [replica] reader in
      try Self.state(checklistID, charterID, reader).map { try $0.withStatus(replica, reader) }
    }
    warn(of: state?.unreadable ?? [])
    return state
  }

  public func loadAllStatesForCharter(
    _ charterID: UUID
  ) async throws -> [ChecklistExecutionState] {
    try await readList("loadAllStatesForCharter") { [replica] reader in
      try Self.states(charterID, reader).map { try $0.withStatus(replica, reader) }
    }
  }

  public func executionStates(
    checklistID: UUID, charterID: UUID
  ) -> any AsyncSequence<ChecklistExecutionState?, any Error> & Sendable {
    values("observeExecutionState", unreadable: \.unreadable) {
      try Self.state(checklistID, charterID, $0)
    }
  }

  public func executionStates(
    charterID: UUID
  ) -> any AsyncSequence<ReadableStates, any Error> & Sendable {
    values("observeStatesForCharter", unreadable: \.unreadable) { reader in
      let list = try Self.states(charterID, reader)
      var states = ReadableStates(
        states: list.rows, unreadable: list.unreadable.map { RepositoryError($0) })
      if !list.unreadable.isEmpty {
        states.unreadableChecklistIDs = try Self.begunChecklistIDs(charterID, reader)
          .subtracting(list.rows.map(\.checklistID))
      }
      return states
    }
  }
}

// MARK: - Rows

extension LocalRepository {
  static func rows(_ checklistID: UUID, _ charterID: UUID) -> Query<ExecutionRow> {
    ExecutionRow.where { $0.checklistID == checklistID && $0.charterID == charterID }
  }

  static func notes(_ checklistID: UUID, _ charterID: UUID) -> Query<ItemNoteRow> {
    ItemNoteRow.where { $0.charterID == charterID && $0.checklistID == checklistID }
  }

  static func state(
    _ checklistID: UUID, _ charterID: UUID, _ reader: Reader
  ) throws -> ChecklistExecutionState? {
    guard let row = try rows(checklistID, charterID).one(reader) else { return nil }
    let notes = try notes(checklistID, charterID).readable(reader)
    var state = row.state(with: notes.rows)
    state.unreadable = notes.unreadable.map { RepositoryError($0) }
    return state
  }

  private static func states(
    _ charterID: UUID, _ reader: Reader
  ) throws -> ReadableRows<ChecklistExecutionState> {
    let rows = try ExecutionRow.where { $0.charterID == charterID }
      .order { [$0.createdAt.ascending, $0.id.ascending] }.readable(reader)
    let notes = try ItemNoteRow.where { $0.charterID == charterID }.readable(reader)
    let notesByChecklist = Dictionary(grouping: notes.rows, by: \.checklistID)
    return ReadableRows(
      rows: rows.rows.map { $0.state(with: notesByChecklist[$0.checklistID] ?? []) },
      unreadable: rows.unreadable + notes.unreadable)
  }

  /// The checklists that have a state in a charter, whether it can be read or not.
  private static func begunChecklistIDs(_ charterID: UUID, _ reader: Reader) throws -> Set<UUID> {
    let texts = try SQL(
      "SELECT checklistID FROM checklistExecutionStates WHERE charterID = \(charterID)"
    ).all(reader, as: String.self)
    return Set(texts.compactMap { UUID(uuidString: $0) })
  }

  /// The row of a state, or a new one where there is none.
  static func row(
    _ checklistID: UUID, _ charterID: UUID, at now: Date, _ reader: Reader
  ) throws -> ExecutionRow {
    try rows(checklistID, charterID).one(reader)
      ?? ExecutionRow(checklistID: checklistID, charterID: charterID, at: now)
  }

  /// Counts the progress of a changed row anew, and writes it.
  static func save(_ row: inout ExecutionRow, at now: Date, _ writer: Writer) throws {
    row.lastUpdated = now
    row.syncStatus = .pending
    row.count(itemIDs: try itemIDs(of: row.checklistID, in: row.charterID, writer))
    try row.save(writer)
  }

  /// Changes what is noted of an item.
  ///
  /// NB: A row that has become empty stays. A deletion ends what others write later, so that clearing a
  /// note here would take a report from there along.
  static func changeNote(
    of itemID: UUID, in state: ExecutionRow, _ writer: Writer,
    _ body: (inout ItemNoteRow) -> Void
  ) throws {
    let new = ItemNoteRow(of: itemID, in: state, at: state.lastUpdated)
    let stored = try ItemNoteRow.find(new.id).one(writer)
    var row = stored ?? new
    row.lastUpdated = state.lastUpdated
    body(&row)
    guard stored != nil || row.note != nil || row.issue != nil else { return }
    try row.save(writer)
  }
}

extension ChecklistExecutionState {
  /// The state with how it stands with the server, where the device belongs to an account.
  ///
  /// NB: What is observed does without, or a tick that is confirmed would change each page once more.
  fileprivate func withStatus(_ replica: Replica, _ reader: Reader) throws -> Self {
    guard try SyncedStore.isLinked(reader) else { return self }
    var state = self
    let row = RowID(table: ExecutionRow.table.name, id: id.uuidString)
    state.syncStatus = SyncStatus(try replica.status(of: row, reader))
    return state
  }
}

extension ChecklistExecutionState? {
  /// Why notes are left out of the state; none where there is no state.
  fileprivate var unreadable: [RepositoryError] { self?.unreadable ?? [] }
}
