public import Foundation
public import Offshore
public import OffshorePresentation

/// Stores the checklists of charters, each as a snapshot. Every call throws ``RepositoryError``.
public protocol CharterChecklistRepository: Sendable {
  /// Fetches the checklists of a charter in their order. A row that cannot be read is left out and logged.
  func fetchCharterChecklists(_ charterID: UUID) async throws -> [CharterChecklist]

  /// Returns whether a charter has a checklist, as a snapshot of its own.
  func hasChecklist(_ id: UUID, charterID: UUID) async throws -> Bool

  /// Fetches the checklist to run in a charter: the snapshot if it is assigned, else the library's
  /// checklist, or `nil` if neither exists.
  func fetchChecklist(_ id: UUID, inCharter charterID: UUID) async throws -> Checklist?

  /// Adds a checklist of the library, as it is now, to the end of a charter's checklists. A checklist
  /// that the charter has already stays as it is.
  ///
  /// Progress from before counts again.
  /// - Throws: ``RepositoryError``: `notFound` if there is no such checklist or charter.
  @discardableResult
  func assignChecklist(_ id: UUID, toCharter charterID: UUID) async throws -> CharterChecklist

  /// Adds checklists of the library to a charter in this order, all or none; see
  /// ``assignChecklist(_:toCharter:)``.
  /// - Throws: ``RepositoryError``: `notFound` if one of them or the charter does not exist.
  func assignChecklists(_ ids: [UUID], toCharter charterID: UUID) async throws

  /// Removes a checklist from a charter. Progress on it stays.
  func unassignChecklist(_ id: UUID, fromCharter charterID: UUID) async throws

  /// Reorders a charter's checklists. Checklists that are not named follow in their former order.
  func reorderChecklists(_ ids: [UUID], ofCharter charterID: UUID) async throws

  /// Stores a charter's snapshot after an edit on board. The library's checklist does not change.
  /// Progress is counted anew.
  /// - Throws: ``RepositoryError``: `notFound` if the charter does not have the checklist.
  func saveChecklist(_ snapshot: Checklist, inCharter charterID: UUID) async throws

  /// Merges a form into a charter's snapshot as it is stored by now, and stores it. If the charter does not
  /// have the checklist, a new form adds it at the end.
  /// - Throws: ``RepositoryError``: `notFound` if there is no such charter; `DraftError`.
  func saveChecklist(
    _ change: DraftChange<Checklist>, blank: Checklist, inCharter charterID: UUID
  ) async throws -> Checklist

  /// Observes the result of ``fetchCharterChecklists(_:)``: now and after each change, with the errors
  /// of rows that are left out.
  func charterChecklists(
    _ charterID: UUID
  ) -> any AsyncSequence<ReadableRows<CharterChecklist>, any Error> & Sendable

  /// Observes the result of ``fetchChecklist(_:inCharter:)``: now and after each change.
  func checklist(
    _ id: UUID, inCharter charterID: UUID
  ) -> any AsyncSequence<Checklist?, any Error> & Sendable
}

extension CharterChecklistRepository {
  /// Returns the current checklists once, for repositories that cannot be observed.
  public func charterChecklists(
    _ charterID: UUID
  ) -> any AsyncSequence<ReadableRows<CharterChecklist>, any Error> & Sendable {
    FetchedOnce { ReadableRows(rows: try await fetchCharterChecklists(charterID)) }
  }

  /// Returns the current checklist once, for repositories that cannot be observed.
  public func checklist(
    _ id: UUID, inCharter charterID: UUID
  ) -> any AsyncSequence<Checklist?, any Error> & Sendable {
    FetchedOnce { try await fetchChecklist(id, inCharter: charterID) }
  }
}
