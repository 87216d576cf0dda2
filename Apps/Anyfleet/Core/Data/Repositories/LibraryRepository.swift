public import Foundation
public import Offshore

/// Stores the library that a skipper keeps. Every call throws ``RepositoryError``.
public protocol LibraryRepository: CharterChecklistRepository, GuideRepository, DeckRepository {
  /// One checklist, or `nil` where there is none of that id.
  func fetchChecklist(_ id: UUID) async throws -> Checklist?

  /// All checklists, by their titles. A row that cannot be read is left out and logged.
  func fetchUserChecklists() async throws -> [Checklist]

  /// Stores a checklist, new or changed. Progress on it is counted anew in every charter that has no
  /// snapshot of it.
  func saveChecklist(_ checklist: Checklist) async throws

  /// Stores a checklist that was made from a version of it, unless something else is stored by now.
  ///
  /// What is stored already, as after a form was sent twice, succeeds and changes nothing. Who made
  /// the checklist, and when, stays.
  ///
  /// - Parameter version: the ``Checklist/updatedAt`` of what it was made from; `nil` where it is new.
  /// - Returns: the checklist as it is stored. Its `updatedAt` is later than the version's.
  /// - Throws: ``RepositoryError``: `conflict` where another version is stored, `notFound` where the
  ///   version was deleted.
  @discardableResult
  func saveChecklist(_ checklist: Checklist, over version: Date?) async throws -> Checklist

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
