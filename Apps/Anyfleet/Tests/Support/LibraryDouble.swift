import Foundation
import Offshore
import Synchronization

@testable import Anyfleet

/// A library whose operations a test lets fail or holds up, and otherwise a real one.
final class LibraryDouble: LibraryRepository {
  /// What can be let fail.
  enum Operation: Hashable { case list, fetch, save, delete, restore, answer, progress }

  let real: LocalRepository
  private let failing = Mutex<Set<Operation>>([])
  private let saveHook = Mutex<@Sendable () async -> Void>({})

  init(_ real: LocalRepository) { self.real = real }

  /// Lets some operations fail from now on, and all others work.
  func fail(_ operations: Operation...) { failing.withLock { $0 = Set(operations) } }

  /// Runs before each save.
  func beforeSave(_ hook: @escaping @Sendable () async -> Void) { saveHook.withLock { $0 = hook } }

  private func isFailing(_ operation: Operation) -> Bool {
    failing.withLock { $0.contains(operation) }
  }

  private func check(_ operation: Operation) throws {
    if isFailing(operation) { throw RepositoryError.databaseUnavailable }
  }

  private func list<Row: Sendable>(
    _ operation: Operation, _ rows: any AsyncSequence<ReadableRows<Row>, any Error> & Sendable
  ) -> any AsyncSequence<ReadableRows<Row>, any Error> & Sendable {
    guard isFailing(operation) else { return rows }
    return FetchedOnce { throw RepositoryError.databaseUnavailable }
  }

  // MARK: - Checklists

  func fetchChecklist(_ id: UUID) async throws -> Checklist? {
    try check(.fetch)
    return try await real.fetchChecklist(id)
  }
  func fetchUserChecklists() async throws -> [Checklist] { try await real.fetchUserChecklists() }
  func saveChecklist(_ checklist: Checklist) async throws {
    await saveHook.withLock { $0 }()
    try check(.save)
    try await real.saveChecklist(checklist)
  }
  func deleteChecklist(_ id: UUID) async throws -> DeletedEntry? {
    try check(.delete)
    return try await real.deleteChecklist(id)
  }
  func checklists() -> any AsyncSequence<ReadableRows<Checklist>, any Error> & Sendable {
    list(.list, real.checklists())
  }

  func restoreEntry(_ deleted: DeletedEntry) async throws {
    try check(.restore)
    try await real.restoreEntry(deleted)
  }

  // MARK: - Guides

  func fetchGuide(_ id: UUID) async throws -> PracticeGuide? {
    try check(.fetch)
    return try await real.fetchGuide(id)
  }
  func fetchUserGuides() async throws -> [PracticeGuide] { try await real.fetchUserGuides() }
  func saveGuide(_ guide: PracticeGuide) async throws {
    await saveHook.withLock { $0 }()
    try check(.save)
    try await real.saveGuide(guide)
  }
  func deleteGuide(_ id: UUID) async throws -> DeletedEntry? {
    try check(.delete)
    return try await real.deleteGuide(id)
  }
  func guides() -> any AsyncSequence<ReadableRows<PracticeGuide>, any Error> & Sendable {
    list(.list, real.guides())
  }

  // MARK: - Decks

  func fetchDeck(_ id: UUID) async throws -> FlashcardDeck? {
    try check(.fetch)
    return try await real.fetchDeck(id)
  }
  func fetchUserDecks() async throws -> [FlashcardDeck] { try await real.fetchUserDecks() }
  func saveDeck(_ deck: FlashcardDeck) async throws {
    await saveHook.withLock { $0 }()
    try check(.save)
    try await real.saveDeck(deck)
  }
  func deleteDeck(_ id: UUID) async throws -> DeletedEntry? {
    try check(.delete)
    return try await real.deleteDeck(id)
  }
  func decks() -> any AsyncSequence<ReadableRows<FlashcardDeck>, any Error> & Sendable {
    list(.list, real.decks())
  }
  func fetchDueCards(ofDeck id: UUID) async throws -> [Flashcard] {
    try await real.fetchDueCards(ofDeck: id)
  }
  func recordAnswer(
    _ answer: StudyAnswer, cardID: UUID, deckID: UUID
  ) async throws -> CardProgress {
    await saveHook.withLock { $0 }()
    try check(.answer)
    return try await real.recordAnswer(answer, cardID: cardID, deckID: deckID)
  }
  func studyProgress(
    ofDeck id: UUID
  ) -> any AsyncSequence<ReadableRows<CardProgress>, any Error> & Sendable {
    list(.progress, real.studyProgress(ofDeck: id))
  }
}

// MARK: - Checklists of charters

extension LibraryDouble {
  func fetchCharterChecklists(_ charterID: UUID) async throws -> [CharterChecklist] {
    try await real.fetchCharterChecklists(charterID)
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
    await saveHook.withLock { $0 }()
    try check(.save)
    return try await real.saveChecklist(snapshot, inCharter: charterID, over: version)
  }
  func saveChecklist(_ snapshot: Checklist, inCharter charterID: UUID) async throws {
    try await real.saveChecklist(snapshot, inCharter: charterID)
  }
}

// MARK: - Saving over a version

extension LibraryDouble {
  func saveChecklist(_ checklist: Checklist, over version: Date?) async throws -> Checklist {
    try await saving()
    return try await real.saveChecklist(checklist, over: version)
  }
  func saveGuide(_ guide: PracticeGuide, over version: Date?) async throws -> PracticeGuide {
    try await saving()
    return try await real.saveGuide(guide, over: version)
  }
  func saveDeck(_ deck: FlashcardDeck, over version: Date?) async throws -> FlashcardDeck {
    try await saving()
    return try await real.saveDeck(deck, over: version)
  }

  private func saving() async throws {
    await saveHook.withLock { $0 }()
    try check(.save)
  }
}
