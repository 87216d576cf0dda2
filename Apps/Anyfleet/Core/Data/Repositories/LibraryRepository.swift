public import Foundation
public import Offshore

/// Stores a skipper's library. Every call throws ``RepositoryError``.
public protocol LibraryRepository: CharterChecklistRepository, GuideRepository, DeckRepository {
  /// Fetches a checklist, or `nil` if there is none of that id.
  func fetchChecklist(_ id: UUID) async throws -> Checklist?

  /// Fetches all checklists by their titles. A row that cannot be read is left out and logged.
  func fetchUserChecklists() async throws -> [Checklist]

  /// Stores a checklist, new or changed. Progress on it is counted anew in every charter that has no
  /// snapshot of it.
  func saveChecklist(_ checklist: Checklist) async throws

  /// Stores a checklist that was made from a version of it, unless something else is stored by now.
  ///
  /// A checklist that is stored already, for example because a form was sent twice, succeeds and
  /// changes nothing. The creator and the time of creation stay.
  ///
  /// - Parameter version: the ``Checklist/updatedAt`` of the version that was edited; `nil` if the
  ///   checklist is new.
  /// - Returns: the checklist as it is stored. Its `updatedAt` is later than the version's.
  /// - Throws: ``RepositoryError``: `conflict` if another version is stored, `notFound` if the
  ///   version was deleted.
  @discardableResult
  func saveChecklist(_ checklist: Checklist, over version: Date?) async throws -> Checklist

  /// Deletes a checklist. Progress on it and snapshots of it stay until their charter is deleted.
  /// - Returns: the deleted rows for ``restoreEntry(_:)``, or `nil` if there is no such checklist.
  @discardableResult
  func deleteChecklist(_ id: UUID) async throws -> DeletedEntry?

  /// Restores a deleted entry as it was, and a deck with the progress of all users. Rows that exist by
  /// now stay.
  func restoreEntry(_ deleted: DeletedEntry) async throws

  /// Observes the result of ``fetchUserChecklists()``: now and after each change, with the errors of
  /// rows that are left out.
  func checklists() -> any AsyncSequence<ReadableRows<Checklist>, any Error> & Sendable
}

extension LibraryRepository {
  /// Returns the current checklists once, for repositories that cannot be observed.
  public func checklists() -> any AsyncSequence<ReadableRows<Checklist>, any Error> & Sendable {
    FetchedOnce { ReadableRows(rows: try await fetchUserChecklists()) }
  }
}
