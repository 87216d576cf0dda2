public import Foundation

/// Stores the library that a skipper keeps. Every call throws ``RepositoryError``.
public protocol LibraryRepository: CharterChecklistRepository, GuideRepository, DeckRepository {
  /// One checklist, or `nil` where there is none of that id.
  func fetchChecklist(_ id: UUID) async throws -> Checklist?

  /// All checklists, by their titles. A row that cannot be read is left out and logged.
  func fetchUserChecklists() async throws -> [Checklist]

  /// Stores a checklist, new or changed. Progress on it is counted anew in every charter that has no
  /// snapshot of it.
  func saveChecklist(_ checklist: Checklist) async throws

  /// Removes a checklist. Progress on it stays until the charter goes, and so do snapshots.
  /// - Returns: what it takes to put it back; `nil` where there is no such checklist, or not any more.
  @discardableResult
  func deleteChecklist(_ id: UUID) async throws -> DeletedEntry?

  /// Puts back what was removed, as it was, a deck with everybody's progress. What is there by now
  /// stays.
  func restoreEntry(_ deleted: DeletedEntry) async throws

  /// What ``fetchUserChecklists()`` returns, at once and again after each change, and why rows are
  /// left out.
  func checklists() -> any AsyncSequence<ReadableRows<Checklist>, any Error> & Sendable
}

extension LibraryRepository {
  /// The checklists at once, for repositories that cannot be observed.
  public func checklists() -> any AsyncSequence<ReadableRows<Checklist>, any Error> & Sendable {
    FetchedOnce { ReadableRows(rows: try await fetchUserChecklists()) }
  }
}
