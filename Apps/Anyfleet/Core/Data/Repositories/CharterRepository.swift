public import Foundation
public import Offshore
public import OffshoreCalendar

/// The observed result of a read: the current one, and one after each change.
public typealias RepositoryValues<Value> = any AsyncSequence<Value, any Error> & Sendable

/// The stored charters. Every method throws ``RepositoryError``.
public protocol CharterRepository: Sendable {
  /// Fetches all charters by start date and then by id. An unreadable row is left out and logged.
  func fetchAllCharters() async throws -> [CharterModel]

  /// Fetches a charter, or `nil` if it does not exist.
  func fetchCharter(id: UUID) async throws -> CharterModel?

  /// Stores a new charter with snapshots of library checklists in this order.
  /// - Throws: ``RepositoryError``: `refused` if a charter with the id exists, `notFound` if a
  ///   checklist does not exist. Nothing is stored then.
  func createCharter(_ charter: CharterModel, assigning checklistIDs: [UUID]) async throws

  /// Fetches the ids of a charter's checklists, readable or not; an empty set if the charter does
  /// not exist.
  func fetchChecklistIDs(ofCharter id: UUID) async throws -> Set<UUID>

  /// Stores a new or changed charter. An archived charter becomes inactive.
  func saveCharter(_ charter: CharterModel) async throws

  /// Changes a stored charter. Reading and writing are one transaction.
  ///
  /// - Parameter change: changes the charter, except its id. If it throws, nothing is stored.
  /// - Returns: the stored charter, or the error of `change`.
  /// - Throws: ``RepositoryError`` with `notFound` if the charter does not exist.
  @discardableResult
  func changeCharter<Refusal: Error>(
    _ id: UUID, by change: @escaping @Sendable (inout CharterModel) throws(Refusal) -> Void
  ) async throws -> Result<CharterModel, Refusal>

  /// Deletes a charter with all rows that belong to it.
  ///
  /// - Returns: the deleted rows for ``restoreCharter(_:)``, or `nil` if the charter does not
  ///   exist.
  @discardableResult
  func deleteCharter(_ id: UUID) async throws -> DeletedCharter?

  /// Restores a deleted charter with its checklists, progress and notes in one transaction. It
  /// becomes active again if it was, unless another charter is active now. Rows that exist already
  /// are not changed.
  func restoreCharter(_ deleted: DeletedCharter) async throws

  /// Fetches the charters that are not synced yet.
  func fetchPendingSync() async throws -> [CharterModel]

  /// Marks charters as synced.
  func markChartersSynced(_ ids: [UUID]) async throws

  // MARK: Lists

  /// Fetches the first charters of consecutive lists, all from one snapshot of the database.
  ///
  /// - Parameters:
  ///   - parts: the lists, each from its start or after a charter.
  ///   - today: the day that separates past charters from current ones.
  ///   - text: a search for words in name, boat, location and region, ignoring case and accents. A
  ///     charter matches if it contains all words. Without words, all charters match.
  ///   - limit: the maximum number of charters.
  func fetchCharters(
    _ parts: [CharterListPart], on today: CalendarDay, matching text: String, limit: Int
  ) async throws -> CharterPage

  /// Counts the charters of each filter, unreadable ones included.
  func countCharters(on today: CalendarDay) async throws -> CharterCounts

  // MARK: Choices

  /// Fetches the active charter, or `nil`. A deleted or archived charter is not active.
  func fetchActiveCharter() async throws -> CharterModel?

  /// Makes a charter the active one, or none. An archived charter is moved out of the archive.
  /// - Throws: ``RepositoryError`` with `notFound` if the charter does not exist.
  func setActiveCharter(_ id: UUID?) async throws

  /// Makes a charter inactive if it is the active one.
  func deactivateCharter(_ id: UUID) async throws

  /// Moves a charter into the archive, which makes it inactive, or out of it.
  /// - Throws: ``RepositoryError`` with `notFound` if the charter does not exist.
  func setArchived(_ isArchived: Bool, charterID: UUID) async throws

  // MARK: Observation

  /// Observes the result of ``fetchAllCharters()``, with the errors of unreadable rows.
  func charters() -> RepositoryValues<ReadableRows<CharterModel>>

  /// Observes the result of ``fetchCharter(id:)``.
  func charter(id: UUID) -> RepositoryValues<CharterModel?>

  /// Observes the first charters of a filter; see ``fetchCharters(_:on:matching:limit:)``.
  ///
  /// - Parameter limit: the maximum number of charters, or `nil` for all.
  func charters(
    _ filter: CharterFilter, on today: CalendarDay, matching text: String, limit: Int?
  ) -> RepositoryValues<ReadableRows<CharterModel>>

  /// Observes the result of ``countCharters(on:)``.
  func charterCounts(on today: CalendarDay) -> RepositoryValues<CharterCounts>

  /// Observes the result of ``fetchActiveCharter()``.
  func activeCharter() -> RepositoryValues<CharterModel?>

  /// Observes changes of charters, as increasing numbers: one at once, and one after each change.
  /// Pages of a list that were read before may then be out of date.
  func charterChanges() -> RepositoryValues<Int>
}

extension CharterRepository {
  /// Stores a new charter without checklists.
  /// - Throws: ``RepositoryError`` with `refused` if a charter with the id exists.
  public func createCharter(_ charter: CharterModel) async throws {
    try await createCharter(charter, assigning: [])
  }

  /// Fetches a page of a filter's list; see ``fetchCharters(_:on:matching:limit:)``.
  ///
  /// - Parameter last: the charter after which the page starts, as it was read; `nil` for the first
  ///   page. Charters that are added or deleted meanwhile do not shift the page.
  public func fetchCharters(
    _ filter: CharterFilter, on today: CalendarDay, matching text: String = "",
    after last: CharterModel? = nil, limit: Int = CharterPage.defaultSize
  ) async throws -> CharterPage {
    try await fetchCharters(
      [.list(filter, after: last)], on: today, matching: text, limit: limit)
  }

  /// Observes all charters of a filter.
  public func charters(
    _ filter: CharterFilter, on today: CalendarDay
  ) -> RepositoryValues<ReadableRows<CharterModel>> {
    charters(filter, on: today, matching: "", limit: nil)
  }
}

/// A deleted charter with all rows that belonged to it, to be restored.
public struct DeletedCharter: Equatable, Sendable {
  /// The charter's id.
  package let id: UUID
  /// Whether it was the active charter.
  package let wasActive: Bool
  let rows: RemovedRows
}
