public import Foundation

/// Stores how far checklists have got in charters. Every call throws ``RepositoryError``.
public protocol ChecklistExecutionRepository: Sendable {
  /// Checks an item or takes the check back, in one step: of concurrent calls none is lost.
  ///
  /// What is stored so already is left as it is, with the date of its check.
  /// - Throws: ``RepositoryError``: `notFound` where there is no such charter.
  func saveItemState(
    checklistID: UUID, charterID: UUID, itemID: UUID, isChecked: Bool
  ) async throws

  /// Keeps what somebody wrote about an item; nothing, or a blank text, removes it.
  /// - Throws: ``RepositoryError``: `notFound` where there is no such charter.
  func saveItemNote(
    checklistID: UUID, charterID: UUID, itemID: UUID, note: String?
  ) async throws

  /// Keeps what somebody found out about an item; nothing removes it.
  /// - Throws: ``RepositoryError``: `notFound` where there is no such charter.
  func saveItemIssue(
    checklistID: UUID, charterID: UUID, itemID: UUID, issue: ChecklistItemIssue?
  ) async throws

  /// The state of a checklist in a charter, or `nil` where nothing was ever ticked or noted.
  /// - Throws: ``RepositoryError``: `serializationFailed` where the state is damaged.
  func loadExecutionState(
    checklistID: UUID, charterID: UUID
  ) async throws -> ChecklistExecutionState?

  /// The states of all checklists in a charter. A row that cannot be read is left out and logged.
  func loadAllStatesForCharter(_ charterID: UUID) async throws -> [ChecklistExecutionState]

  /// Forgets all ticks and notes of a checklist in a charter.
  ///
  /// - Returns: what was removed, to be put back by ``restoreExecutionState(_:)``; `nil` where there
  ///   was nothing.
  @discardableResult
  func clearExecutionState(checklistID: UUID, charterID: UUID) async throws -> ClearedExecution?

  /// Puts removed ticks and notes back. Of items that were ticked or noted since, what is there
  /// stays.
  /// - Throws: ``RepositoryError``: `notFound` where the charter is gone.
  func restoreExecutionState(_ cleared: ClearedExecution) async throws

  /// What ``loadExecutionState(checklistID:charterID:)`` returns, at once and after each change.
  func executionStates(
    checklistID: UUID, charterID: UUID
  ) -> any AsyncSequence<ChecklistExecutionState?, any Error> & Sendable

  /// What ``loadAllStatesForCharter(_:)`` returns, at once and again after each change, and what is
  /// left out.
  func executionStates(
    charterID: UUID
  ) -> any AsyncSequence<ReadableStates, any Error> & Sendable
}

extension ChecklistExecutionRepository {
  /// The state at once, for repositories that cannot be observed.
  public func executionStates(
    checklistID: UUID, charterID: UUID
  ) -> any AsyncSequence<ChecklistExecutionState?, any Error> & Sendable {
    FetchedOnce { try await loadExecutionState(checklistID: checklistID, charterID: charterID) }
  }

  /// The states at once, for repositories that cannot be observed.
  public func executionStates(
    charterID: UUID
  ) -> any AsyncSequence<ReadableStates, any Error> & Sendable {
    FetchedOnce { ReadableStates(states: try await loadAllStatesForCharter(charterID)) }
  }
}
