import Foundation
import Offshore

@testable import Anyfleet

/// What never fails.
extension FailingFirst {
  func restoreCharter(_ deleted: DeletedCharter) async throws {
    try await real.restoreCharter(deleted)
  }
  func setActiveCharter(_ id: UUID?) async throws { try await real.setActiveCharter(id) }
  func endActivity(ofCharter id: UUID) async throws {
    try await real.endActivity(ofCharter: id)
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
    _ snapshot: Checklist, inCharter charterID: UUID, over version: Date?
  ) async throws -> Checklist {
    try await real.saveChecklist(snapshot, inCharter: charterID, over: version)
  }
  func saveChecklist(_ snapshot: Checklist, inCharter charterID: UUID) async throws {
    try await real.saveChecklist(snapshot, inCharter: charterID)
  }

  func saveChecklist(_ checklist: Checklist, over version: Date?) async throws -> Checklist {
    try await real.saveChecklist(checklist, over: version)
  }
  func saveGuide(_ guide: PracticeGuide, over version: Date?) async throws -> PracticeGuide {
    try await real.saveGuide(guide, over: version)
  }
  func saveDeck(_ deck: FlashcardDeck, over version: Date?) async throws -> FlashcardDeck {
    try await real.saveDeck(deck, over: version)
  }

  func fetchGuide(_ id: UUID) async throws -> PracticeGuide? { try await real.fetchGuide(id) }
  func fetchUserGuides() async throws -> [PracticeGuide] { try await real.fetchUserGuides() }
  func saveGuide(_ guide: PracticeGuide) async throws { try await real.saveGuide(guide) }
  func deleteGuide(_ id: UUID) async throws -> DeletedEntry? { try await real.deleteGuide(id) }

  func fetchDeck(_ id: UUID) async throws -> FlashcardDeck? { try await real.fetchDeck(id) }
  func fetchUserDecks() async throws -> [FlashcardDeck] { try await real.fetchUserDecks() }
  func saveDeck(_ deck: FlashcardDeck) async throws { try await real.saveDeck(deck) }
  func deleteDeck(_ id: UUID) async throws -> DeletedEntry? { try await real.deleteDeck(id) }
  func restoreEntry(_ deleted: DeletedEntry) async throws { try await real.restoreEntry(deleted) }
  func fetchDueCards(ofDeck id: UUID) async throws -> [Flashcard] {
    try await real.fetchDueCards(ofDeck: id)
  }
  func recordAnswer(
    _ answer: StudyAnswer, cardID: UUID, deckID: UUID
  ) async throws -> CardProgress {
    try await real.recordAnswer(answer, cardID: cardID, deckID: deckID)
  }
  func studyProgress(
    ofDeck id: UUID
  ) -> any AsyncSequence<ReadableRows<CardProgress>, any Error> & Sendable {
    real.studyProgress(ofDeck: id)
  }
}
