public import Foundation
import Offshore

/// Stores the progress of checklists in charters. Every call throws ``RepositoryError``.
public protocol ChecklistExecutionRepository: Sendable {
  /// Checks an item or clears its check, in one transaction: of concurrent calls none is lost.
  ///
  /// An item that is stored so already stays, with the date of its check.
  /// - Throws: ``RepositoryError``: `notFound` if there is no such charter.
  func saveItemState(
    checklistID: UUID, charterID: UUID, itemID: UUID, isChecked: Bool
  ) async throws

  /// Stores the note of an item; `nil`, or a blank text, removes it.
  /// - Throws: ``RepositoryError``: `notFound` if there is no such charter.
  func saveItemNote(
    checklistID: UUID, charterID: UUID, itemID: UUID, note: String?
  ) async throws

  /// Stores the condition of an item; `nil` removes it.
  /// - Throws: ``RepositoryError``: `notFound` if there is no such charter.
  func saveItemIssue(
    checklistID: UUID, charterID: UUID, itemID: UUID, issue: ChecklistItemIssue?
  ) async throws

  /// Loads the state of a checklist in a charter, or `nil` if nothing was ever ticked or noted.
  /// - Throws: ``RepositoryError``: `serializationFailed` if the state is damaged.
  func loadExecutionState(
    checklistID: UUID, charterID: UUID
  ) async throws -> ChecklistExecutionState?

  /// Loads the states of all checklists in a charter. A row that cannot be read is left out and logged.
  func loadAllStatesForCharter(_ charterID: UUID) async throws -> [ChecklistExecutionState]

  /// Removes all ticks and notes of a checklist in a charter.
  ///
  /// - Returns: the removed rows for ``restoreExecutionState(_:)``, or `nil` if there were none.
  @discardableResult
  func clearExecutionState(checklistID: UUID, charterID: UUID) async throws -> ClearedExecution?

  /// Restores removed ticks and notes. Items that were ticked or noted since stay as they are.
  /// - Throws: ``RepositoryError``: `notFound` if the charter does not exist any more.
  func restoreExecutionState(_ cleared: ClearedExecution) async throws

  /// Observes the ticks and remarks of a checklist's items in a charter: now and after each change.
  func progress(
    checklistID: UUID, charterID: UUID
  ) -> any AsyncSequence<ItemProgress, any Error> & Sendable

  /// Observes the states of all checklists in a charter: now and after each change, with the errors of rows
  /// that are left out.
  func executionStates(charterID: UUID) -> any AsyncSequence<ReadableStates, any Error> & Sendable
}

/// The ticks, notes and conditions of a checklist's items in one charter.
public struct ItemProgress: Equatable, Sendable {
  /// The items that are checked, with those that the checklist lost.
  public var checkedItems: Set<UUID> = []
  /// The notes and conditions, by item.
  public var remarks: [UUID: ItemRemarks] = [:]
  /// The errors of notes that are left out.
  public var unreadable: [RepositoryError] = []

  /// Changes the remarks of an item.
  mutating func change(_ item: UUID, _ body: (inout ItemRemarks) -> Void) {
    var changed = remarks[item] ?? ItemRemarks()
    body(&changed)
    remarks[item] = changed == ItemRemarks() ? nil : changed
  }
}

/// The states of all checklists in one charter, as far as they can be read.
public struct ReadableStates: Equatable, Sendable {
  /// The states in the order in which they were begun.
  public var states: [ChecklistExecutionState]
  /// The checklists with a state that cannot be read.
  public var unreadableChecklistIDs: Set<UUID>
  /// The errors of states, and of notes on their items, that are left out.
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

/// Ticks and notes of a checklist in a charter that were removed, to be put back.
public struct ClearedExecution: Identifiable, Equatable, Sendable {
  /// Which checklist they are of, in which charter.
  public struct ID: Hashable, Sendable {
    public let charterID: UUID
    public let checklistID: UUID
  }

  public let id: ID
  let rows: RemovedRows
}
