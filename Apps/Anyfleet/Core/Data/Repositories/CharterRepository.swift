public import Foundation
public import Offshore
public import OffshoreCalendar
import OffshoreSync
import OffshoreWire

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
  func endActivity(ofCharter id: UUID) async throws

  /// Moves a charter into the archive, which makes it inactive, or out of it.
  /// - Throws: ``RepositoryError`` with `notFound` if the charter does not exist.
  func setArchived(_ isArchived: Bool, charterID: UUID) async throws

  // MARK: Observation

  /// Observes the result of ``fetchAllCharters()``, with the errors of unreadable rows.
  func charters() -> any AsyncSequence<ReadableRows<CharterModel>, any Error> & Sendable

  /// Observes the result of ``fetchCharter(id:)``.
  func charter(id: UUID) -> any AsyncSequence<CharterModel?, any Error> & Sendable

  /// Observes the first charters of a filter; see ``fetchCharters(_:on:matching:limit:)``.
  ///
  /// - Parameter limit: the maximum number of charters, or `nil` for all.
  func charters(
    _ filter: CharterFilter, on today: CalendarDay, matching text: String, limit: Int?
  ) -> any AsyncSequence<ReadableRows<CharterModel>, any Error> & Sendable

  /// Observes the result of ``countCharters(on:)``.
  func charterCounts(
    on today: CalendarDay
  ) -> any AsyncSequence<CharterCounts, any Error> & Sendable

  /// Observes the result of ``fetchActiveCharter()``.
  func activeCharter() -> any AsyncSequence<CharterModel?, any Error> & Sendable

  /// Observes changes of charters, as increasing numbers: one at once, and one after each change.
  /// Pages of a list that were read before may then be out of date.
  func charterChanges() -> any AsyncSequence<Int, any Error> & Sendable
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
  ) -> any AsyncSequence<ReadableRows<CharterModel>, any Error> & Sendable {
    charters(filter, on: today, matching: "", limit: nil)
  }
}

/// A deleted charter with all rows that belonged to it, to be restored.
public struct DeletedCharter: Equatable, Sendable {
  /// The charter's id.
  public let id: UUID
  /// Whether it was the active charter.
  public let wasActive: Bool
  let rows: RemovedRows
}

extension LocalRepository: CharterRepository {
  public func fetchAllCharters() async throws -> [CharterModel] {
    try await readList("fetchAllCharters") { try Self.charters(Self.byStart, $0) }
  }

  public func fetchCharter(id: UUID) async throws -> CharterModel? {
    try await read("fetchCharter") { try Self.charter(id, $0) }
  }

  public func createCharter(
    _ charter: CharterModel, assigning checklistIDs: [UUID]
  ) async throws {
    try await write("createCharter") { writer in
      try CharterRow(charter).insert(writer)
      for id in checklistIDs { try Self.assignChecklist(id, toCharter: charter.id, writer) }
    }
  }

  public func fetchChecklistIDs(ofCharter id: UUID) async throws -> Set<UUID> {
    try await read("fetchChecklistIDs") { reader in
      Set(try Self.rows(ofCharter: id).select { $0.checklistID }.all(reader))
    }
  }

  public func saveCharter(_ charter: CharterModel) async throws {
    try await write("saveCharter", toCharter: charter.id) { writer in
      try CharterRow(charter).save(writer)
      if charter.isArchived { try Self.endActivity(of: charter.id, writer) }
    }
  }

  @discardableResult
  public func changeCharter<Refusal: Error>(
    _ id: UUID, by change: @escaping @Sendable (inout CharterModel) throws(Refusal) -> Void
  ) async throws -> Result<CharterModel, Refusal> {
    try await write("changeCharter", toCharter: id) { writer in
      guard var charter = try Self.charter(id, writer) else { throw RepositoryError.notFound }
      do throws(Refusal) {
        try change(&charter)
      } catch {
        return .failure(error)
      }
      charter.syncStatus = .pending
      try CharterRow(charter).save(writer)
      if charter.isArchived { try Self.endActivity(of: id, writer) }
      return .success(charter)
    }
  }

  public func fetchPendingSync() async throws -> [CharterModel] {
    try await readList("fetchPendingSync") { reader in
      try Self.charters(Self.byStart.where { $0.syncStatus == .pending }, reader)
    }
  }

  public func markChartersSynced(_ ids: [UUID]) async throws {
    _ = try await write("markChartersSynced") { writer in
      try CharterRow.where { $0.id.in(ids) }.update(writer) { [$0.syncStatus.set(.synced)] }
    }
  }

  public func charters() -> any AsyncSequence<ReadableRows<CharterModel>, any Error> & Sendable {
    values("observeCharters", unreadable: \.unreadable) { try Self.charters(Self.byStart, $0) }
  }

  public func charter(id: UUID) -> any AsyncSequence<CharterModel?, any Error> & Sendable {
    values("observeCharter") { try Self.charter(id, $0) }
  }
}

// MARK: - Rows

extension LocalRepository {
  private static var byStart: Query<CharterRow> {
    CharterRow.order { [$0.startDate.ascending, $0.id.ascending] }
  }

  /// Fetches the readable charters of a query.
  static func charters(
    _ query: Query<CharterRow>, _ reader: Reader
  ) throws -> ReadableRows<CharterModel> {
    let activeID = try activeID(reader)
    return try query.readable(reader).map { $0.charter(activeID: activeID) }
  }

  /// Fetches a charter.
  ///
  /// It uses keys only, so that an observation is not triggered by changes of other charters.
  static func charter(_ id: UUID, _ reader: Reader) throws -> CharterModel? {
    guard let row = try CharterRow.find(id).first(reader) else { return nil }
    return row.charter(activeID: row.isArchived ? nil : try readableChoice(reader))
  }
}

// MARK: - Deleting

extension LocalRepository {
  @discardableResult
  public func deleteCharter(_ id: UUID) async throws -> DeletedCharter? {
    try await write("deleteCharter", toCharter: id) { writer in
      guard try CharterRow.find(id).exists(writer) else { return nil }
      let wasActive = try Self.activeID(writer) == id
      try Self.endActivity(of: id, writer)
      // Foreign keys delete checklists, progress and notes with the charter.
      let rows = try writer.remove(CharterRow.find(id))
      return DeletedCharter(id: id, wasActive: wasActive, rows: rows)
    }
  }

  public func restoreCharter(_ deleted: DeletedCharter) async throws {
    try await write("restoreCharter", toCharter: deleted.id) { writer in
      try deleted.rows.restore(writer)
      // The deletion may have been synced already, so the restored rows must be synced again.
      let id = deleted.id
      try CharterRow.find(id).update(writer) { [$0.syncStatus.set(.pending)] }
      try ExecutionRow.where { $0.charterID == id }
        .update(writer) { [$0.syncStatus.set(.pending)] }
      try Self.countProgress(of: ExecutionRow.where { $0.charterID == id }, writer)
      if deleted.wasActive { try Self.activateUnlessAnother(id, writer) }
    }
  }
}

// MARK: - The active charter

extension LocalRepository {
  public func fetchActiveCharter() async throws -> CharterModel? {
    try await read("fetchActiveCharter") { try Self.activeCharter($0) }
  }

  public func activeCharter() -> any AsyncSequence<CharterModel?, any Error> & Sendable {
    values("observeActiveCharter") { try Self.activeCharter($0) }
  }

  public func setActiveCharter(_ id: UUID?) async throws {
    try await write("setActiveCharter") { [store] writer in
      if let id {
        // The choice belongs to the user, but the archive is shared with the crew.
        if try CharterRow.find(id).where({ $0.isArchived }).exists(writer) {
          try store.checkMayEdit(ScopeID.charter(id), writer)
        }
        try Self.setArchived(false, id, writer)
      }
      try ActiveCharterRow(userID: try SyncedStore.userID(writer), charterID: id).save(writer)
    }
  }

  public func endActivity(ofCharter id: UUID) async throws {
    _ = try await write("endActivity") { writer in
      try ActiveCharterRow.find(try SyncedStore.userID(writer)).where { $0.charterID == id }
        .update(writer) { [$0.charterID.set(nil)] }
    }
  }

  public func setArchived(_ isArchived: Bool, charterID: UUID) async throws {
    try await write("setArchived", toCharter: charterID) { writer in
      try Self.setArchived(isArchived, charterID, writer)
      if isArchived { try Self.endActivity(of: charterID, writer) }
    }
  }
}

// MARK: - Rows

extension LocalRepository {
  /// Returns the id of the active charter, or `nil`.
  ///
  /// An unreadable choice counts as `nil`, so that lists can still be shown; ``activeCharter(_:)``
  /// reports it.
  static func activeID(_ reader: Reader) throws -> UUID? {
    let text = try SQL(
      """
      SELECT charters.id FROM settings
      JOIN activeCharters ON activeCharters.userID = settings.value
      JOIN charters ON charters.id = activeCharters.charterID AND charters.isArchived = 0
      WHERE settings.name = \(SyncedStore.userIDSetting)
      """
    ).first(reader, as: String.self)
    return text.flatMap { UUID(uuidString: $0) }
  }

  /// Returns the active charter, or `nil`.
  static func activeCharter(_ reader: Reader) throws -> CharterModel? {
    guard let id = try choice(reader), let row = try CharterRow.find(id).first(reader),
      !row.isArchived
    else { return nil }
    return row.charter(activeID: id)
  }

  /// Returns the charter that this device's user chose, which may be archived or deleted.
  private static func choice(_ reader: Reader) throws -> UUID? {
    try ActiveCharterRow.find(try SyncedStore.userID(reader)).first(reader)?.charterID
  }

  /// Returns the charter that this device's user chose, or `nil` if the choice is unreadable.
  static func readableChoice(_ reader: Reader) throws -> UUID? {
    do {
      return try choice(reader)
    } catch let error as DatabaseError where error.code == .invalidValue {
      return nil
    }
  }

  /// Makes a charter active unless another one is.
  static func activateUnlessAnother(_ id: UUID, _ writer: Writer) throws {
    guard try activeID(writer) == nil else { return }
    try ActiveCharterRow(userID: try SyncedStore.userID(writer), charterID: id).save(writer)
  }

  /// Makes a charter inactive for all users.
  static func endActivity(of id: UUID, _ writer: Writer) throws {
    try ActiveCharterRow.where { $0.charterID == id }.update(writer) { [$0.charterID.set(nil)] }
  }

  private static func setArchived(_ isArchived: Bool, _ id: UUID, _ writer: Writer) throws {
    guard try CharterRow.find(id).exists(writer) else { throw RepositoryError.notFound }
    try CharterRow.find(id).where { $0.isArchived != isArchived }
      .update(writer) { [$0.isArchived.set(isArchived), $0.syncStatus.set(.pending)] }
  }
}
