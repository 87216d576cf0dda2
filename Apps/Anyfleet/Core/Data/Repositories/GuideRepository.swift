public import Foundation
public import Offshore

/// Stores practice guides. Every call throws ``RepositoryError``.
public protocol GuideRepository: Sendable {
  /// Fetches a guide, or `nil` if there is none of that id.
  func fetchGuide(_ id: UUID) async throws -> PracticeGuide?

  /// Fetches all guides by their titles. A row that cannot be read is left out and logged.
  func fetchUserGuides() async throws -> [PracticeGuide]

  /// Stores a guide, new or changed.
  func saveGuide(_ guide: PracticeGuide) async throws

  /// Stores a guide that was made from a version of it, unless something else is stored by now; see
  /// ``LibraryRepository/saveChecklist(_:over:)``.
  @discardableResult
  func saveGuide(_ guide: PracticeGuide, over version: Date?) async throws -> PracticeGuide

  /// Deletes a guide.
  /// - Returns: the deleted rows for ``LibraryRepository/restoreEntry(_:)``, or `nil` if there is no such
  ///   guide.
  @discardableResult
  func deleteGuide(_ id: UUID) async throws -> DeletedEntry?

  /// Observes the result of ``fetchUserGuides()``: now and after each change, with the errors of rows that
  /// are left out.
  func guides() -> any AsyncSequence<ReadableRows<PracticeGuide>, any Error> & Sendable
}

extension GuideRepository {
  /// Returns the current guides once, for repositories that cannot be observed.
  public func guides() -> any AsyncSequence<ReadableRows<PracticeGuide>, any Error> & Sendable {
    FetchedOnce { ReadableRows(rows: try await fetchUserGuides()) }
  }
}
