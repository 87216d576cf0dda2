import Foundation
import Offshore
import OffshorePresentation

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
    _ change: DraftChange<Checklist>, blank: Checklist, inCharter charterID: UUID
  ) async throws -> Checklist {
    try await real.saveChecklist(change, blank: blank, inCharter: charterID)
  }
  func saveChecklist(_ snapshot: Checklist, inCharter charterID: UUID) async throws {
    try await real.saveChecklist(snapshot, inCharter: charterID)
  }

  func fetch<Entry: LibraryEntry>(_ type: Entry.Type, _ id: UUID) async throws -> Entry? {
    try await real.fetch(type, id)
  }
  func fetchAll<Entry: LibraryEntry>(_ type: Entry.Type) async throws -> [Entry] {
    try failOnce("list")
    return try await real.fetchAll(type)
  }
  func save<Entry: LibraryEntry>(_ entry: Entry) async throws { try await real.save(entry) }
  func save<Entry: LibraryEntry>(
    _ change: DraftChange<Entry>, blank: Entry
  ) async throws -> Entry {
    try await real.save(change, blank: blank)
  }
  func delete<Entry: LibraryEntry>(_ type: Entry.Type, _ id: UUID) async throws -> DeletedEntry? {
    try await real.delete(type, id)
  }
  func entry<Entry: LibraryEntry>(
    _ type: Entry.Type, _ id: UUID
  ) -> any AsyncSequence<Entry?, any Error> & Sendable {
    real.entry(type, id)
  }
  func entries<Entry: LibraryEntry>(
    _ type: Entry.Type
  ) -> any AsyncSequence<ReadableRows<Entry>, any Error> & Sendable {
    FetchedOnce { [self] in ReadableRows(rows: try await fetchAll(type)) }
  }
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
