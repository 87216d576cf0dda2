public import Foundation
public import Offshore
public import OffshorePresentation

/// The checklists of charters, each a snapshot. Every method throws ``RepositoryError``.
public protocol CharterChecklistRepository: Sendable {
  /// Fetches the checklists of a charter in their order. An unreadable row is left out and logged.
  func fetchCharterChecklists(_ charterID: UUID) async throws -> [CharterChecklist]

  /// Returns whether a charter has a snapshot of a checklist.
  func hasChecklist(_ id: UUID, charterID: UUID) async throws -> Bool

  /// Fetches the checklist to run in a charter: the snapshot if the charter has one, otherwise the
  /// library's checklist, or `nil` if neither exists.
  func fetchChecklist(_ id: UUID, inCharter charterID: UUID) async throws -> Checklist?

  /// Adds a snapshot of a library checklist at the end of a charter's checklists. Does nothing if
  /// the charter has one.
  ///
  /// Existing progress on the checklist counts again.
  /// - Throws: ``RepositoryError`` with `notFound` if the checklist or the charter does not exist.
  @discardableResult
  func assignChecklist(_ id: UUID, toCharter charterID: UUID) async throws -> CharterChecklist

  /// Adds snapshots of library checklists to a charter in this order, all or none; see
  /// ``assignChecklist(_:toCharter:)``.
  /// - Throws: ``RepositoryError`` with `notFound` if a checklist or the charter does not exist.
  func assignChecklists(_ ids: [UUID], toCharter charterID: UUID) async throws

  /// Removes a checklist from a charter. Its progress is retained.
  func unassignChecklist(_ id: UUID, fromCharter charterID: UUID) async throws

  /// Reorders a charter's checklists. The ones that are not listed follow in their previous order.
  func reorderChecklists(_ ids: [UUID], ofCharter charterID: UUID) async throws

  /// Stores an edited snapshot of a charter, and counts its progress again. The library's checklist
  /// does not change.
  /// - Throws: ``RepositoryError`` with `notFound` if the charter does not have the checklist.
  func saveChecklist(_ snapshot: Checklist, inCharter charterID: UUID) async throws

  /// Merges a form into the currently stored snapshot of a charter, and stores the result. If the
  /// charter does not have the checklist, a new form adds it at the end.
  /// - Throws: ``RepositoryError`` with `notFound` if the charter does not exist; `DraftError`.
  func saveChecklist(
    _ change: DraftChange<Checklist>, blank: Checklist, inCharter charterID: UUID
  ) async throws -> Checklist

  /// Observes the result of ``fetchCharterChecklists(_:)``, with the errors of unreadable rows.
  func charterChecklists(_ charterID: UUID) -> RepositoryValues<ReadableRows<CharterChecklist>>

  /// Observes the result of ``fetchChecklist(_:inCharter:)``.
  func checklist(_ id: UUID, inCharter charterID: UUID) -> RepositoryValues<Checklist?>
}
