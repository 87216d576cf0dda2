import Foundation
import Offshore
import OffshorePresentation

@testable import Anyfleet

/// The operations that never fail.
extension FailingFirst {
  func fetchChecklistIDs(ofCharter id: UUID) async throws -> Set<UUID> {
    try await real.fetchChecklistIDs(ofCharter: id)
  }
  func restoreCharter(_ deleted: DeletedCharter) async throws {
    try await real.restoreCharter(deleted)
  }
  func setActiveCharter(_ id: UUID?) async throws { try await real.setActiveCharter(id) }
  func deactivateCharter(_ id: UUID) async throws {
    try await real.deactivateCharter(id)
  }
  func setArchived(_ isArchived: Bool, charterID: UUID) async throws {
    try await real.setArchived(isArchived, charterID: charterID)
  }

  func fetchChecklist(_ id: UUID, inCharter charterID: UUID) async throws -> Checklist? {
    try await real.fetchChecklist(id, inCharter: charterID)
  }
  func assignChecklist(_ id: UUID, toCharter charterID: UUID) async throws -> CharterChecklist {
    try await real.assignChecklist(id, toCharter: charterID)
  }
  func hasChecklist(_ id: UUID, charterID: UUID) async throws -> Bool {
    try await real.hasChecklist(id, charterID: charterID)
  }
  func assignChecklists(_ ids: [UUID], toCharter charterID: UUID) async throws {
    try await real.assignChecklists(ids, toCharter: charterID)
  }
  func unassignChecklist(_ id: UUID, fromCharter charterID: UUID) async throws {
    try await real.unassignChecklist(id, fromCharter: charterID)
  }
  func reorderChecklists(_ ids: [UUID], ofCharter charterID: UUID) async throws {
    try await real.reorderChecklists(ids, ofCharter: charterID)
  }
  func saveChecklist(
    _ change: DraftChange<Checklist>, blank: Checklist, inCharter charterID: UUID
  ) async throws -> Checklist {
    try await real.saveChecklist(change, blank: blank, inCharter: charterID)
  }
  func saveChecklist(_ snapshot: Checklist, inCharter charterID: UUID) async throws {
    try await real.saveChecklist(snapshot, inCharter: charterID)
  }

  var entities: EntityRepository { real.entities }
  func recordAnswer(
    _ answer: StudyAnswer, cardID: UUID, deckID: UUID
  ) async throws -> CardProgress {
    try await real.recordAnswer(answer, cardID: cardID, deckID: deckID)
  }
  func studyProgress(ofDeck id: UUID) -> RepositoryValues<ReadableRows<CardProgress>> {
    real.studyProgress(ofDeck: id)
  }
}
