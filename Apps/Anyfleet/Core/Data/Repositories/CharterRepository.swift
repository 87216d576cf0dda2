public import Foundation
public import Offshore
public import OffshoreCalendar

/// Stores charters. Every call throws ``RepositoryError``.
public protocol CharterRepository: Sendable {
  /// All charters, by their start, and those of one start by their ids. A row that cannot be read
  /// is left out and logged.
  func fetchAllCharters() async throws -> [CharterModel]

  /// One charter, or `nil` where there is none of that id.
  func fetchCharter(id: UUID) async throws -> CharterModel?

  /// Stores a new charter together with checklists of the library, as they are now, in this order.
  /// - Throws: ``RepositoryError``: `refused` if there is a charter of that id, `notFound` if there is no
  ///   such checklist; nothing is stored then.
  func createCharter(_ charter: CharterModel, assigning checklistIDs: [UUID]) async throws

  /// Stores a charter, new or changed. One that is archived by that is active no more.
  func saveCharter(_ charter: CharterModel) async throws

  /// Changes a charter that is there, in one step with reading it.
  ///
  /// - Parameter change: makes the charter what it is to be. It keeps its id. Where it throws, nothing
  ///   is stored.
  /// - Returns: the charter as it is stored.
  /// - Throws: ``RepositoryError``: `notFound` where there is no such charter, or not any more.
  @discardableResult
  func changeCharter(
    _ id: UUID, by change: @escaping @Sendable (inout CharterModel) throws -> Void
  ) async throws -> CharterModel

  /// Removes a charter with all that belongs to it alone. One that is not there is removed already.
  ///
  /// - Returns: what was removed, to be put back by ``restoreCharter(_:)``.
  @discardableResult
  func deleteCharter(_ id: UUID) async throws -> DeletedCharter?

  /// Puts all of a removed charter back in one step: its checklists, its progress, its notes, and
  /// its being active unless the user chose another one since. What is there already stays.
  func restoreCharter(_ deleted: DeletedCharter) async throws

  /// The charters that other devices do not have yet.
  func fetchPendingSync() async throws -> [CharterModel]

  /// Notes that other devices have these charters.
  func markChartersSynced(_ ids: [UUID]) async throws

  // MARK: Lists

  /// The beginning of some lists that follow each other, all as they are at one moment.
  ///
  /// - Parameters:
  ///   - parts: the lists, each from its beginning or after a charter.
  ///   - today: the day that tells what is past.
  ///   - text: words that name, boat, location and region have together, however they are written;
  ///     without any, all match.
  ///   - limit: how many charters there are at the most.
  func fetchCharters(
    _ parts: [CharterListPart], on today: CalendarDay, matching text: String, limit: Int
  ) async throws -> CharterPage

  /// How many charters each filter has, whether they can be read or not.
  func countCharters(on today: CalendarDay) async throws -> CharterCounts

  // MARK: Choices

  /// The charter that the user sails now, if any. One that is removed or archived is not active.
  func fetchActiveCharter() async throws -> CharterModel?

  /// Makes a charter the active one in place of another, or none. An archived one leaves the archive.
  /// - Throws: ``RepositoryError``: `notFound` where there is no such charter.
  func setActiveCharter(_ id: UUID?) async throws

  /// Leaves the user without an active charter where it is this one; another one stays active.
  func endActivity(ofCharter id: UUID) async throws

  /// Puts a charter into the archive, where it is active no more, or takes it out.
  /// - Throws: ``RepositoryError``: `notFound` where there is no such charter.
  func setArchived(_ isArchived: Bool, charterID: UUID) async throws

  // MARK: Observation

  /// What ``fetchAllCharters()`` returns, at once and again after each change, and why rows are left
  /// out.
  func charters() -> any AsyncSequence<ReadableRows<CharterModel>, any Error> & Sendable

  /// What ``fetchCharter(id:)`` returns, at once and again after each change.
  func charter(id: UUID) -> any AsyncSequence<CharterModel?, any Error> & Sendable

  /// The beginning of a filter's list, at once and again after each change; see
  /// ``fetchCharters(_:on:matching:limit:)``.
  ///
  /// - Parameter limit: how many charters there are at the most; all unless stated.
  func charters(
    _ filter: CharterFilter, on today: CalendarDay, matching text: String, limit: Int?
  ) -> any AsyncSequence<ReadableRows<CharterModel>, any Error> & Sendable

  /// What ``countCharters(on:)`` returns, at once and again after each change.
  func charterCounts(
    on today: CalendarDay
  ) -> any AsyncSequence<CharterCounts, any Error> & Sendable

  /// What ``fetchActiveCharter()`` returns, at once and again after each change.
  func activeCharter() -> any AsyncSequence<CharterModel?, any Error> & Sendable

  /// A larger number after each change that pages may show, and one at once: pages that were read
  /// before may be out of date then.
  func charterChanges() -> any AsyncSequence<Int, any Error> & Sendable
}

extension CharterRepository {
  /// Stores a new charter without checklists.
  /// - Throws: ``RepositoryError``: `refused` if there is one of that id.
  public func createCharter(_ charter: CharterModel) async throws {
    try await createCharter(charter, assigning: [])
  }

  /// A part of a filter's list; see ``fetchCharters(_:on:matching:limit:)``.
  ///
  /// - Parameter last: the charter that the page continues after, as it was read; none for the first
  ///   page. This holds while charters come and go.
  public func fetchCharters(
    _ filter: CharterFilter, on today: CalendarDay, matching text: String = "",
    after last: CharterModel? = nil, limit: Int = CharterPage.defaultSize
  ) async throws -> CharterPage {
    try await fetchCharters(
      [.list(filter, after: last)], on: today, matching: text, limit: limit)
  }

  /// All charters of a filter, at once and again after each change.
  public func charters(
    _ filter: CharterFilter, on today: CalendarDay
  ) -> any AsyncSequence<ReadableRows<CharterModel>, any Error> & Sendable {
    charters(filter, on: today, matching: "", limit: nil)
  }
}
