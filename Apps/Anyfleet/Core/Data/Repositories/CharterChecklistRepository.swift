public import Foundation
public import Offshore

/// Stores which checklists a charter has, each as a snapshot. Every call throws ``RepositoryError``.
public protocol CharterChecklistRepository: Sendable {
  /// The checklists of a charter in their order. A row that cannot be read is left out and logged.
  func fetchCharterChecklists(_ charterID: UUID) async throws -> [CharterChecklist]

  /// Whether a charter has a checklist, as a snapshot of its own.
  func hasChecklist(_ id: UUID, charterID: UUID) async throws -> Bool

  /// The checklist to run in a charter: its snapshot where it is assigned, else the library's, or
  /// `nil` where there is neither.
  func fetchChecklist(_ id: UUID, inCharter charterID: UUID) async throws -> Checklist?

  /// Gives a charter a checklist of the library, as it is now, at the end. One that the charter has
  /// stays as it is.
  ///
  /// Progress from before counts again.
  /// - Throws: ``RepositoryError``: `notFound` where there is no such checklist or no such charter.
  @discardableResult
  func assignChecklist(_ id: UUID, toCharter charterID: UUID) async throws -> CharterChecklist

  /// Gives a charter checklists of the library in this order, all or none; see
  /// ``assignChecklist(_:toCharter:)``.
  /// - Throws: ``RepositoryError``: `notFound` where one of them or the charter is not there.
  func assignChecklists(_ ids: [UUID], toCharter charterID: UUID) async throws

  /// Takes a checklist from a charter, and keeps the progress on it.
  func unassignChecklist(_ id: UUID, fromCharter charterID: UUID) async throws

  /// Puts a charter's checklists into an order. Those that are not named come after in their order.
  func reorderChecklists(_ ids: [UUID], ofCharter charterID: UUID) async throws

  /// Stores a charter's snapshot as it was changed on board, and leaves the library's template alone.
  /// Progress is counted anew.
  /// - Throws: ``RepositoryError``: `notFound` where the charter does not have the checklist.
  func saveChecklist(_ snapshot: Checklist, inCharter charterID: UUID) async throws

  /// Stores a charter's snapshot that was made from a version of it, unless something else is stored
  /// by now; see ``LibraryRepository/saveChecklist(_:over:)``. Where nothing is stored and no version
  /// is named, the charter gets it at the end.
  /// - Throws: ``RepositoryError``: `conflict` where another version is stored, `notFound` where the
  ///   version was taken away or there is no such charter.
  @discardableResult
  func saveChecklist(
    _ snapshot: Checklist, inCharter charterID: UUID, over version: Date?
  ) async throws -> Checklist

  /// What ``fetchCharterChecklists(_:)`` returns, at once and again after each change, and why rows
  /// are left out.
  func charterChecklists(
    _ charterID: UUID
  ) -> any AsyncSequence<ReadableRows<CharterChecklist>, any Error> & Sendable

  /// What ``fetchChecklist(_:inCharter:)`` returns, at once and again after each change.
  func checklist(
    _ id: UUID, inCharter charterID: UUID
  ) -> any AsyncSequence<Checklist?, any Error> & Sendable
}

extension CharterChecklistRepository {
  /// The checklists at once, for repositories that cannot be observed.
  public func charterChecklists(
    _ charterID: UUID
  ) -> any AsyncSequence<ReadableRows<CharterChecklist>, any Error> & Sendable {
    FetchedOnce { ReadableRows(rows: try await fetchCharterChecklists(charterID)) }
  }

  /// The checklist at once, for repositories that cannot be observed.
  public func checklist(
    _ id: UUID, inCharter charterID: UUID
  ) -> any AsyncSequence<Checklist?, any Error> & Sendable {
    FetchedOnce { try await fetchChecklist(id, inCharter: charterID) }
  }
}
