public import Foundation
public import Offshore
public import OffshoreCalendar

/// Stores charters. Every call throws ``RepositoryError``.
public protocol CharterRepository: Sendable {
  /// Fetches all charters by their start, and those of one start by their ids. A row that cannot be
  /// read is left out and logged.
  func fetchAllCharters() async throws -> [CharterModel]

  /// Fetches a charter, or `nil` if there is none of that id.
  func fetchCharter(id: UUID) async throws -> CharterModel?

  /// Stores a new charter together with checklists of the library, as they are now, in this order.
  /// - Throws: ``RepositoryError``: `refused` if there is a charter of that id, `notFound` if there is no
  ///   such checklist; nothing is stored then.
  func createCharter(_ charter: CharterModel, assigning checklistIDs: [UUID]) async throws

  /// Stores a charter, new or changed. An archived charter is not active any more.
  func saveCharter(_ charter: CharterModel) async throws

  /// Changes a stored charter, in one transaction with reading it.
  ///
  /// - Parameter change: changes the charter, except for its id. If it throws, nothing is stored.
  /// - Returns: the charter as it is stored.
  /// - Throws: ``RepositoryError``: `notFound` if the charter does not exist, or not any more.
  @discardableResult
  func changeCharter(
    _ id: UUID, by change: @escaping @Sendable (inout CharterModel) throws -> Void
  ) async throws -> CharterModel

  /// Deletes a charter with all rows that belong to it alone.
  ///
  /// - Returns: the deleted rows for ``restoreCharter(_:)``, or `nil` if there is no such charter.
  @discardableResult
  func deleteCharter(_ id: UUID) async throws -> DeletedCharter?

  /// Restores a deleted charter in one transaction: its checklists, its progress, and its notes. It is
  /// active again unless the user chose another charter since. Rows that exist by now stay.
  func restoreCharter(_ deleted: DeletedCharter) async throws

  /// Fetches the charters that other devices do not have yet.
  func fetchPendingSync() async throws -> [CharterModel]

  /// Marks charters as known to other devices.
  func markChartersSynced(_ ids: [UUID]) async throws

  // MARK: Lists

  /// Fetches the beginning of consecutive lists, all from one snapshot of the database.
  ///
  /// - Parameters:
  ///   - parts: the lists, each from its beginning or after a charter.
  ///   - today: the day that separates past charters from current ones.
  ///   - text: words that name, boat, location and region have together, whatever their case and
  ///     accents; without words, all charters match.
  ///   - limit: the greatest number of charters.
  func fetchCharters(
    _ parts: [CharterListPart], on today: CalendarDay, matching text: String, limit: Int
  ) async throws -> CharterPage

  /// Counts the charters of each filter, unreadable ones included.
  func countCharters(on today: CalendarDay) async throws -> CharterCounts

  // MARK: Choices

  /// Fetches the charter that the user sails now, if any. A deleted or archived one is not active.
  func fetchActiveCharter() async throws -> CharterModel?

  /// Makes a charter the active one, or none. An archived charter leaves the archive.
  /// - Throws: ``RepositoryError``: `notFound` if there is no such charter.
  func setActiveCharter(_ id: UUID?) async throws

  /// Makes a charter inactive if it is the active one; another active charter stays active.
  func endActivity(ofCharter id: UUID) async throws

  /// Moves a charter into the archive, which makes it inactive, or out of it.
  /// - Throws: ``RepositoryError``: `notFound` if there is no such charter.
  func setArchived(_ isArchived: Bool, charterID: UUID) async throws

  // MARK: Observation

  /// Observes the result of ``fetchAllCharters()``: now and after each change, with the errors of rows
  /// that are left out.
  func charters() -> any AsyncSequence<ReadableRows<CharterModel>, any Error> & Sendable

  /// Observes the result of ``fetchCharter(id:)``: now and after each change.
  func charter(id: UUID) -> any AsyncSequence<CharterModel?, any Error> & Sendable

  /// Observes the beginning of a filter's list, now and after each change; see
  /// ``fetchCharters(_:on:matching:limit:)``.
  ///
  /// - Parameter limit: the greatest number of charters; all if it is `nil`.
  func charters(
    _ filter: CharterFilter, on today: CalendarDay, matching text: String, limit: Int?
  ) -> any AsyncSequence<ReadableRows<CharterModel>, any Error> & Sendable

  /// Observes the result of ``countCharters(on:)``: now and after each change.
  func charterCounts(
    on today: CalendarDay
  ) -> any AsyncSequence<CharterCounts, any Error> & Sendable

  /// Observes the result of ``fetchActiveCharter()``: now and after each change.
  func activeCharter() -> any AsyncSequence<CharterModel?, any Error> & Sendable

  /// Observes changes that pages may show, as numbers: one now, and a larger one after each change.
  /// Pages that were read before may then be out of date.
  func charterChanges() -> any AsyncSequence<Int, any Error> & Sendable
}

extension CharterRepository {
  /// Stores a new charter without checklists.
  /// - Throws: ``RepositoryError``: `refused` if there is a charter of that id.
  public func createCharter(_ charter: CharterModel) async throws {
    try await createCharter(charter, assigning: [])
  }

  /// Fetches a part of a filter's list; see ``fetchCharters(_:on:matching:limit:)``.
  ///
  /// - Parameter last: the charter after which the page continues, as it was read; `nil` for the first
  ///   page. Charters that are added or deleted meanwhile do not shift the page.
  public func fetchCharters(
    _ filter: CharterFilter, on today: CalendarDay, matching text: String = "",
    after last: CharterModel? = nil, limit: Int = CharterPage.defaultSize
  ) async throws -> CharterPage {
    try await fetchCharters(
      [.list(filter, after: last)], on: today, matching: text, limit: limit)
  }

  /// Observes all charters of a filter, now and after each change.
  public func charters(
    _ filter: CharterFilter, on today: CalendarDay
  ) -> any AsyncSequence<ReadableRows<CharterModel>, any Error> & Sendable {
    charters(filter, on: today, matching: "", limit: nil)
  }
}
