import Foundation

/// Saving what was made from a version, unless that was changed meanwhile. All throw
/// ``RepositoryError``: `conflict` where another version is stored, `notFound` where it was deleted.
extension LibraryStore {
  /// Stores a checklist that was made from a version of it, `nil` where it is new.
  func saveChecklist(_ checklist: Checklist, over version: Date?) async throws -> Checklist {
    let saved = try await repository.saveChecklist(checklist, over: version)
    await catchUp(liveChecklists)
    return saved
  }

  /// A charter's snapshot of a checklist, or `nil` where it has none.
  func fetchChecklist(_ id: UUID, ofCharter charterID: UUID) async throws -> Checklist? {
    guard try await repository.hasChecklist(id, charterID: charterID) else { return nil }
    return try await repository.fetchChecklist(id, inCharter: charterID)
  }

  /// Stores a charter's snapshot that was made from a version of it; the library's template stays.
  func saveChecklist(
    _ snapshot: Checklist, inCharter charterID: UUID, over version: Date?
  ) async throws -> Checklist {
    try await repository.saveChecklist(snapshot, inCharter: charterID, over: version)
  }

  /// Stores a guide that was made from a version of it, `nil` where it is new.
  func saveGuide(_ guide: PracticeGuide, over version: Date?) async throws -> PracticeGuide {
    let saved = try await repository.saveGuide(guide, over: version)
    await catchUp(liveGuides)
    return saved
  }

  /// Stores a deck that was made from a version of it, `nil` where it is new.
  func saveDeck(_ deck: FlashcardDeck, over version: Date?) async throws -> FlashcardDeck {
    let saved = try await repository.saveDeck(deck, over: version)
    await catchUp(liveDecks)
    return saved
  }
}
