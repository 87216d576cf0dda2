public import Foundation

/// Knows what was decided where several changed a charter at the same time. Every call throws
/// ``RepositoryError``.
public protocol CharterHistoryRepository: Sendable {
  /// What was decided of a charter and of its checklists, the newest first, at once and again after each
  /// change. What was decided of single items, ``ItemHistoryRepository`` knows.
  func decisions(
    charterID: UUID
  ) -> any AsyncSequence<[CharterDecision], any Error> & Sendable

  /// Has the charter be again as somebody said whose word did not stay.
  /// - Throws: ``RepositoryError``: `notFound` where there is no such decision, `conflict` where it
  ///   cannot be used any more, `forbidden`.
  func useLost(_ decision: CharterDecision.ID, charterID: UUID) async throws
}
