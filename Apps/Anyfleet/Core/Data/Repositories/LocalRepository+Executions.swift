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

  @discardableResult
  public func clearExecutionState(
    checklistID: UUID, charterID: UUID
  ) async throws -> ClearedExecution? {
    try await write("clearExecutionState", toCharter: charterID) { writer in
      let rows = try writer.remove(
        Self.rows(checklistID, charterID), Self.notes(checklistID, charterID))
      guard !rows.isEmpty else { return nil }
      return ClearedExecution(
        id: .init(charterID: charterID, checklistID: checklistID), rows: rows)
    }
  }

  public func restoreExecutionState(_ cleared: ClearedExecution) async throws {
    try await write("restoreExecutionState", toCharter: cleared.id.charterID) { [now] writer in
      let states = Self.rows(cleared.id.checklistID, cleared.id.charterID)
      let newer = try states.one(writer)
      if newer != nil { try states.delete(writer) }
      try cleared.rows.restore(writer)
      try states.update(writer) { [$0.syncStatus.set(.pending)] }
      if let newer { try Self.add(newer, at: now(), writer) }
      try Self.countProgress(of: states, writer)
    }
  }

  public func progress(
    checklistID: UUID, charterID: UUID
  ) -> any AsyncSequence<ItemProgress, any Error> & Sendable {
    values("observeProgress", unreadable: \.unreadable) { reader in
      let row = try Self.rows(checklistID, charterID).one(reader)
      let notes = try Self.notes(checklistID, charterID).readable(reader)
      return ItemProgress(
        row?.itemStates, notes.rows, unreadable: notes.unreadable.map { RepositoryError($0) })
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

  /// Puts what was ticked since over the state that was put back.
  private static func add(_ newer: ExecutionRow, at now: Date, _ writer: Writer) throws {
    guard let restored = try rows(newer.checklistID, newer.charterID).one(writer) else {
      return try newer.insert(writer)
    }
    var both = restored
    both.itemStates.entries.merge(newer.itemStates.entries) { $1 }
    both.lastUpdated = now
    try restored.update(changing: both, writer)
  }
}

// MARK: - Progress

extension LocalRepository {
  /// Counts the progress of states anew, as far as they can be read.
  static func countProgress(of states: Query<ExecutionRow>, _ writer: Writer) throws {
    for state in try states.readable(writer).rows {
      var counted = state
      counted.count(itemIDs: try itemIDs(of: state.checklistID, in: state.charterID, writer))
      try state.update(changing: counted, writer)
    }
  }

  /// The current items of a checklist in a charter, or `nil` where it is unknown or damaged: a tick is
  /// kept even so.
  static func itemIDs(
    of checklistID: UUID, in charterID: UUID, _ reader: Reader
  ) throws -> Set<UUID>? {
    do {
      return try checklist(checklistID, in: charterID, reader)?.itemIDs
    } catch let error as DatabaseError where error.code == .invalidValue {
      return nil
    }
  }

  /// The checklist that a charter runs: its snapshot, or the library's where it has none.
  static func checklist(
    _ id: UUID, in charterID: UUID, _ reader: Reader
  ) throws -> Checklist? {
    if let row = try snapshot(id, in: charterID).one(reader) { return row.checklist.snapshot }
    return try Checklist.find(id).one(reader)
  }

  /// A charter's snapshot of a checklist.
  static func snapshot(_ id: UUID, in charterID: UUID) -> Query<CharterChecklistRow> {
    CharterChecklistRow.find(CharterChecklist.id(charterID: charterID, checklistID: id))
  }
}

extension ItemProgress {
  fileprivate init(
    _ states: ItemStates?, _ notes: [ItemNoteRow], unreadable: [RepositoryError]
  ) {
    self.unreadable = unreadable
    let entries = states?.entries ?? [:]
    checkedItems.reserveCapacity(entries.count)
    for (item, entry) in entries where entry.isChecked { checkedItems.insert(item) }
    for row in notes where row.note != nil || row.issue != nil {
      remarks[row.itemID] = ItemRemarks(note: row.note, issue: row.issue)
    }
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
