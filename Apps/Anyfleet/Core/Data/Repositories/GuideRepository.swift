public import Foundation
public import Offshore

/// Stores practice guides. Every call throws ``RepositoryError``.
public protocol GuideRepository: Sendable {
  /// One guide, or `nil` where there is none of that id.
  func fetchGuide(_ id: UUID) async throws -> PracticeGuide?

  /// All guides, by their titles. A row that cannot be read is left out and logged.
  func fetchUserGuides() async throws -> [PracticeGuide]

  /// Stores a guide, new or changed.
  func saveGuide(_ guide: PracticeGuide) async throws

  /// Stores a guide that was made from a version of it, unless something else is stored by now; see
  /// ``LibraryRepository/saveChecklist(_:over:)``.
  @discardableResult
  func saveGuide(_ guide: PracticeGuide, over version: Date?) async throws -> PracticeGuide

  /// Removes a guide.
  /// - Returns: what it takes to put it back; `nil` where there is no such guide, or not any more.
  @discardableResult
  func deleteGuide(_ id: UUID) async throws -> DeletedEntry?

  /// What ``fetchUserGuides()`` returns, at once and again after each change, and why rows are left
  /// out.
  func guides() -> any AsyncSequence<ReadableRows<PracticeGuide>, any Error> & Sendable
}

extension GuideRepository {
  /// The guides at once, for repositories that cannot be observed.
  public func guides() -> any AsyncSequence<ReadableRows<PracticeGuide>, any Error> & Sendable {
    FetchedOnce { ReadableRows(rows: try await fetchUserGuides()) }
  }
}
