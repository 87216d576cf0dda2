import Foundation

/// Gives a charter the checklist that it runs, before anything of it is stored.
///
/// A checklist can be run that the charter does not have: by a link, or where somebody took it away
/// meanwhile. What is ticked then would show on no page of the charter.
@MainActor
final class Assignment {
  private let repository: any CharterChecklistRepository
  private let checklistID: UUID
  private let charterID: UUID

  init(
    _ repository: any CharterChecklistRepository, _ checklistID: UUID, toCharter charterID: UUID
  ) {
    self.repository = repository
    self.checklistID = checklistID
    self.charterID = charterID
  }

  /// Gives the charter the checklist, unless it has it or nobody knows it any more: ticks are kept
  /// even so.
  /// - Throws: ``RepositoryError``.
  func make() async throws {
    guard try await !repository.hasChecklist(checklistID, charterID: charterID) else { return }
    do {
      try await repository.assignChecklist(checklistID, toCharter: charterID)
    } catch RepositoryError.notFound {}
  }
}
