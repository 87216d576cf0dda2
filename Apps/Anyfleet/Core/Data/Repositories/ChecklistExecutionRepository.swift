public import Foundation
import Offshore

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
  func progress(checklistID: UUID, charterID: UUID) -> RepositoryValues<ItemProgress>

  /// Observes the states of all checklists in a charter, with the errors of unreadable rows.
  func executionStates(charterID: UUID) -> RepositoryValues<ReadableStates>
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

/// The readable states of all checklists in one charter.
public struct ReadableStates: Equatable, Sendable {
  /// The states, in the order of their creation.
  package var states: [ChecklistExecutionState]
  /// The checklists whose states cannot be read.
  package var unreadableChecklistIDs: Set<UUID>
  /// The errors of unreadable states and notes.
  package var unreadable: [RepositoryError]

  /// Creates a list of states.
  package init(
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
    package let charterID: UUID
    package let checklistID: UUID
  }

  public let id: ID
  let rows: RemovedRows
}

/// A search for the checklist that the user is likely to continue.
///
/// Every method throws ``RepositoryError``.
package protocol UnfinishedChecklistRepository: Sendable {
  /// Observes the unfinished checklist with the latest change.
  ///
  /// It belongs to the active charter if that has one, otherwise to any charter that is not
  /// archived. Unreadable rows are skipped.
  func checklistToContinue() -> RepositoryValues<ChecklistToContinue?>
}
