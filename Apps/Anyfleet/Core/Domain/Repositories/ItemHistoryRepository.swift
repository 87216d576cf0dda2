public import Foundation

/// Knows what was decided where several changed an item at the same time. Every call throws
/// ``RepositoryError``.
public protocol ItemHistoryRepository: Sendable {
  /// The items of a checklist in a charter of which something was decided, at once and again after each
  /// change.
  func decidedItems(
    checklistID: UUID, charterID: UUID
  ) -> any AsyncSequence<Set<UUID>, any Error> & Sendable

  /// What was decided of an item, the newest first, at once and again after each change.
  func decisions(
    itemID: UUID, checklistID: UUID, charterID: UUID
  ) -> any AsyncSequence<[ItemDecision], any Error> & Sendable

  /// Says again what did not stay, in place of what is said now.
  /// - Throws: ``RepositoryError``: `notFound` where there is no such decision, or no such charter;
  ///   `forbidden`.
  func useLost(
    _ decision: ItemDecision.ID, itemID: UUID, checklistID: UUID, charterID: UUID
  ) async throws
}
