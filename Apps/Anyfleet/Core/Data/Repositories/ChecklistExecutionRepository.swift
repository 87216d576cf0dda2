public import Foundation
import Offshore
import OffshoreSync
import OffshoreWire

/// The stored progress of checklists in charters. Every method throws ``RepositoryError``.
public protocol ChecklistExecutionRepository: Sendable {
  /// Stores an edit of an item in one transaction, so that concurrent edits are all stored.
  ///
  /// A tick that is stored already retains the date of its check.
  /// - Parameter assigning: whether an edit that adds to the item also assigns the checklist to the
  ///   charter, if the library has the checklist and the charter does not; see
  ///   ``CharterChecklistRepository/assignChecklist(_:toCharter:)``.
  /// - Throws: ``RepositoryError`` with `notFound` if the charter does not exist.
  func save(
    _ edit: ItemEdit, checklistID: UUID, charterID: UUID, assigning: Bool
  ) async throws

  /// Fetches the state of a checklist in a charter, or `nil` if no item was ever edited.
  /// - Throws: ``RepositoryError`` with `serializationFailed` if the state is damaged.
  func loadExecutionState(
    checklistID: UUID, charterID: UUID
  ) async throws -> ChecklistExecutionState?

  /// Fetches the states of all checklists in a charter. An unreadable row is left out and logged.
  func loadAllStatesForCharter(_ charterID: UUID) async throws -> [ChecklistExecutionState]

  /// Deletes all ticks, notes and conditions of a checklist in a charter.
  ///
  /// - Returns: the deleted rows for ``restoreExecutionState(_:)``, or `nil` if there were none.
  @discardableResult
  func clearExecutionState(checklistID: UUID, charterID: UUID) async throws -> ClearedExecution?

  /// Restores deleted ticks, notes and conditions. Items that were edited since are not changed.
  /// - Throws: ``RepositoryError`` with `notFound` if the charter was deleted.
  func restoreExecutionState(_ cleared: ClearedExecution) async throws

  /// Observes the ticks, notes and conditions of a checklist's items in a charter.
  func progress(
    checklistID: UUID, charterID: UUID
  ) -> any AsyncSequence<ItemProgress, any Error> & Sendable

  /// Observes the states of all checklists in a charter, with the errors of unreadable rows.
  func executionStates(charterID: UUID) -> any AsyncSequence<ReadableStates, any Error> & Sendable
}

extension ChecklistExecutionRepository {
  /// Checks or unchecks an item; see ``save(_:checklistID:charterID:assigning:)``.
  /// - Throws: ``RepositoryError`` with `notFound` if the charter does not exist.
  public func saveItemState(
    checklistID: UUID, charterID: UUID, itemID: UUID, isChecked: Bool
  ) async throws {
    try await save(
      .tick(itemID, isChecked), checklistID: checklistID, charterID: charterID, assigning: false)
  }

  /// Stores the note of an item. `nil` or a blank text removes it.
  /// - Throws: ``RepositoryError`` with `notFound` if the charter does not exist.
  public func saveItemNote(
    checklistID: UUID, charterID: UUID, itemID: UUID, note: String?
  ) async throws {
    try await save(
      .note(itemID, note), checklistID: checklistID, charterID: charterID, assigning: false)
  }

  /// Stores the condition of an item. `nil` removes it.
  /// - Throws: ``RepositoryError`` with `notFound` if the charter does not exist.
  public func saveItemIssue(
    checklistID: UUID, charterID: UUID, itemID: UUID, issue: ChecklistItemIssue?
  ) async throws {
    try await save(
      .issue(itemID, issue), checklistID: checklistID, charterID: charterID, assigning: false)
  }
}

/// The ticks, notes and conditions of a checklist's items in one charter.
public struct ItemProgress: Equatable, Sendable {
  /// The checks by item, including items that the checklist no longer contains.
  public var checks: [UUID: ItemCheck] = [:]
  /// The notes and conditions, by item.
  public var remarks: [UUID: ItemRemarks] = [:]
  /// The errors of unreadable notes.
  public var unreadable: [RepositoryError] = []

  /// The checked items, including items that the checklist no longer contains.
  public var checkedItems: Set<UUID> { Set(checks.keys) }

  /// Changes the remarks of an item.
  mutating func change(_ item: UUID, _ body: (inout ItemRemarks) -> Void) {
    var changed = remarks[item] ?? ItemRemarks()
    body(&changed)
    remarks[item] = changed == ItemRemarks() ? nil : changed
  }
}

/// The readable states of all checklists in one charter.
public struct ReadableStates: Equatable, Sendable {
  /// The states, in the order of their creation.
  public var states: [ChecklistExecutionState]
  /// The checklists whose states cannot be read.
  public var unreadableChecklistIDs: Set<UUID>
  /// The errors of unreadable states and notes.
  public var unreadable: [RepositoryError]

  /// Creates a list of states.
  public init(
    states: [ChecklistExecutionState] = [], unreadableChecklistIDs: Set<UUID> = [],
    unreadable: [RepositoryError] = []
  ) {
    self.states = states
    self.unreadableChecklistIDs = unreadableChecklistIDs
    self.unreadable = unreadable
  }
}

/// The deleted ticks, notes and conditions of a checklist in a charter, to be restored.
public struct ClearedExecution: Identifiable, Equatable, Sendable {
  /// The checklist and the charter.
  public struct ID: Hashable, Sendable {
    public let charterID: UUID
    public let checklistID: UUID
  }

  public let id: ID
  let rows: RemovedRows
}

extension LocalRepository: ChecklistExecutionRepository {
  public func save(
    _ edit: ItemEdit, checklistID: UUID, charterID: UUID, assigning: Bool
  ) async throws {
    try await write(edit.operation, toCharter: charterID) { [now] writer in
      if assigning, edit.isAddition {
        try Self.assignIfKnown(checklistID, toCharter: charterID, writer)
      }
      let now = now()
      var row = try Self.row(checklistID, charterID, at: now, writer)
      if case .tick(let item, let isChecked) = edit {
        let name = try SyncedStore.account(writer)?.name
        guard row.itemStates.set(item, isChecked: isChecked, at: now, by: name) else { return }
      }
      try Self.save(&row, at: now, writer)
      switch edit {
      case .tick: break
      case .note(let item, let note):
        try Self.changeNote(of: item, in: row, writer) { $0.note = note?.trimmedOrNil }
      case .issue(let item, let issue):
        try Self.changeNote(of: item, in: row, writer) { $0.issue = issue }
      }
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
      let newer = try states.first(writer)
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
      let row = try Self.rows(checklistID, charterID).first(reader)
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
    guard let row = try rows(checklistID, charterID).first(reader) else { return nil }
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

  /// Returns the checklists that have a state in a charter, readable or not.
  private static func begunChecklistIDs(_ charterID: UUID, _ reader: Reader) throws -> Set<UUID> {
    let texts = try SQL(
      "SELECT checklistID FROM checklistExecutionStates WHERE charterID = \(charterID)"
    ).all(reader, as: String.self)
    return Set(texts.compactMap { UUID(uuidString: $0) })
  }

  /// Returns the row of a state, or a new one if it is missing.
  static func row(
    _ checklistID: UUID, _ charterID: UUID, at now: Date, _ reader: Reader
  ) throws -> ExecutionRow {
    try rows(checklistID, charterID).first(reader)
      ?? ExecutionRow(checklistID: checklistID, charterID: charterID, at: now)
  }

  /// Counts the progress of a changed row again, and stores the row.
  static func save(_ row: inout ExecutionRow, at now: Date, _ writer: Writer) throws {
    row.lastUpdated = now
    row.syncStatus = .pending
    row.count(itemIDs: try itemIDs(of: row.checklistID, in: row.charterID, writer))
    try row.save(writer)
  }

  /// Changes the note and the condition of an item.
  ///
  /// NB: A row that has become empty is not deleted, because a deletion would discard later edits
  /// of the row by other devices, such as a condition.
  static func changeNote(
    of itemID: UUID, in state: ExecutionRow, _ writer: Writer,
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

  /// Merges the ticks made since a reset into the restored state.
  private static func add(_ newer: ExecutionRow, at now: Date, _ writer: Writer) throws {
    guard let restored = try rows(newer.checklistID, newer.charterID).first(writer) else {
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
  /// Counts the progress of states again. Unreadable states are skipped.
  static func countProgress(of states: Query<ExecutionRow>, _ writer: Writer) throws {
    for state in try states.readable(writer).rows {
      var counted = state
      counted.count(itemIDs: try itemIDs(of: state.checklistID, in: state.charterID, writer))
      try state.update(changing: counted, writer)
    }
  }

  /// Returns the current items of a checklist in a charter, or `nil` if it is missing or damaged,
  /// in which case ticks are still stored.
  static func itemIDs(
    of checklistID: UUID, in charterID: UUID, _ reader: Reader
  ) throws -> Set<UUID>? {
    do {
      return try checklist(checklistID, in: charterID, reader)?.itemIDs
    } catch let error as DatabaseError where error.code == .invalidValue {
      return nil
    }
  }

  /// Returns the checklist to run in a charter: its snapshot, or else the library's checklist.
  static func checklist(
    _ id: UUID, in charterID: UUID, _ reader: Reader
  ) throws -> Checklist? {
    if let row = try snapshot(id, in: charterID).first(reader) { return row.checklist.snapshot }
    return try Checklist.find(id).first(reader)
  }

  /// Returns the query for a charter's snapshot of a checklist.
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
    checks.reserveCapacity(entries.count)
    for (item, entry) in entries where entry.isChecked {
      checks[item] = ItemCheck(at: entry.checkedAt, by: entry.checkedBy)
    }
    for row in notes where row.note != nil || row.issue != nil {
      remarks[row.itemID] = ItemRemarks(note: row.note, issue: row.issue)
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

extension ChecklistExecutionState? {
  /// The errors of unreadable notes; empty without a state.
  fileprivate var unreadable: [RepositoryError] { self?.unreadable ?? [] }
}
