public import Foundation
public import Offshore
public import OffshoreCalendar
public import OffshoreLogging
public import OffshorePresentation
import OffshoreSync
package import OffshoreWire

/// The charters, the library, and the progress of checklists in this device's database.
///
/// It is a front of one repository for each of them.
public struct LocalRepository: Sendable {
  public let entities: EntityRepository
  private let charterRepository: LocalCharterRepository
  private let checklistRepository: LocalCharterChecklistRepository
  private let executionRepository: LocalChecklistExecutionRepository
  private let studyRepository: LocalStudyRepository

  /// Creates a repository.
  ///
  /// - Parameters:
  ///   - database: the database that stores everything.
  ///   - now: returns the current date.
  ///   - logger: logs the start and end of each operation, and unreadable rows.
  public init(
    database: AppDatabase, now: @escaping @Sendable () -> Date = { Date() },
    logger: AppLogger = .repository
  ) {
    let file = LoggedStore(database.store, logger: logger) { RepositoryError($0) }
    let now: @Sendable () -> Date = { now().roundedToMilliseconds }
    entities = EntityRepository(file, now: now)
    charterRepository = LocalCharterRepository(file: file)
    checklistRepository = LocalCharterChecklistRepository(file: file, now: now)
    executionRepository = LocalChecklistExecutionRepository(file: file, now: now)
    studyRepository = LocalStudyRepository(file: file, now: now)
  }
}

// MARK: - Charters

extension LocalRepository: CharterRepository {
  public func fetchAllCharters() async throws -> [CharterModel] {
    try await charterRepository.fetchAllCharters()
  }

  public func fetchCharter(id: UUID) async throws -> CharterModel? {
    try await charterRepository.fetchCharter(id: id)
  }

  public func createCharter(_ charter: CharterModel, assigning checklistIDs: [UUID]) async throws {
    try await charterRepository.createCharter(charter, assigning: checklistIDs)
  }

  public func fetchChecklistIDs(ofCharter id: UUID) async throws -> Set<UUID> {
    try await charterRepository.fetchChecklistIDs(ofCharter: id)
  }

  public func saveCharter(_ charter: CharterModel) async throws {
    try await charterRepository.saveCharter(charter)
  }

  @discardableResult
  public func changeCharter<Refusal: Error>(
    _ id: UUID, by change: @escaping @Sendable (inout CharterModel) throws(Refusal) -> Void
  ) async throws -> Result<CharterModel, Refusal> {
    try await charterRepository.changeCharter(id, by: change)
  }

  @discardableResult
  public func deleteCharter(_ id: UUID) async throws -> DeletedCharter? {
    try await charterRepository.deleteCharter(id)
  }

  public func restoreCharter(_ deleted: DeletedCharter) async throws {
    try await charterRepository.restoreCharter(deleted)
  }

  public func fetchPendingSync() async throws -> [CharterModel] {
    try await charterRepository.fetchPendingSync()
  }

  public func markChartersSynced(_ ids: [UUID]) async throws {
    try await charterRepository.markChartersSynced(ids)
  }

  public func fetchCharters(
    _ parts: [CharterListPart], on today: CalendarDay, matching text: String, limit: Int
  ) async throws -> CharterPage {
    try await charterRepository.fetchCharters(parts, on: today, matching: text, limit: limit)
  }

  public func countCharters(on today: CalendarDay) async throws -> CharterCounts {
    try await charterRepository.countCharters(on: today)
  }

  public func fetchActiveCharter() async throws -> CharterModel? {
    try await charterRepository.fetchActiveCharter()
  }

  public func setActiveCharter(_ id: UUID?) async throws {
    try await charterRepository.setActiveCharter(id)
  }

  public func deactivateCharter(_ id: UUID) async throws {
    try await charterRepository.deactivateCharter(id)
  }

  public func setArchived(_ isArchived: Bool, charterID: UUID) async throws {
    try await charterRepository.setArchived(isArchived, charterID: charterID)
  }

  public func charters() -> RepositoryValues<ReadableRows<CharterModel>> {
    charterRepository.charters()
  }

  public func charter(id: UUID) -> RepositoryValues<CharterModel?> {
    charterRepository.charter(id: id)
  }

  public func charters(
    _ filter: CharterFilter, on today: CalendarDay, matching text: String, limit: Int?
  ) -> RepositoryValues<ReadableRows<CharterModel>> {
    charterRepository.charters(filter, on: today, matching: text, limit: limit)
  }

  public func charterCounts(on today: CalendarDay) -> RepositoryValues<CharterCounts> {
    charterRepository.charterCounts(on: today)
  }

  public func activeCharter() -> RepositoryValues<CharterModel?> {
    charterRepository.activeCharter()
  }

  public func charterChanges() -> RepositoryValues<Int> {
    charterRepository.charterChanges()
  }
}

// MARK: - Library

extension LocalRepository: LibraryRepository {
  public func fetchCharterChecklists(_ charterID: UUID) async throws -> [CharterChecklist] {
    try await checklistRepository.fetchCharterChecklists(charterID)
  }

  public func hasChecklist(_ id: UUID, charterID: UUID) async throws -> Bool {
    try await checklistRepository.hasChecklist(id, charterID: charterID)
  }

  public func fetchChecklist(_ id: UUID, inCharter charterID: UUID) async throws -> Checklist? {
    try await checklistRepository.fetchChecklist(id, inCharter: charterID)
  }

  @discardableResult
  public func assignChecklist(
    _ id: UUID, toCharter charterID: UUID
  ) async throws -> CharterChecklist {
    try await checklistRepository.assignChecklist(id, toCharter: charterID)
  }

  public func assignChecklists(_ ids: [UUID], toCharter charterID: UUID) async throws {
    try await checklistRepository.assignChecklists(ids, toCharter: charterID)
  }

  public func unassignChecklist(_ id: UUID, fromCharter charterID: UUID) async throws {
    try await checklistRepository.unassignChecklist(id, fromCharter: charterID)
  }

  public func reorderChecklists(_ ids: [UUID], ofCharter charterID: UUID) async throws {
    try await checklistRepository.reorderChecklists(ids, ofCharter: charterID)
  }

  public func saveChecklist(_ snapshot: Checklist, inCharter charterID: UUID) async throws {
    try await checklistRepository.saveChecklist(snapshot, inCharter: charterID)
  }

  public func saveChecklist(
    _ change: DraftChange<Checklist>, blank: Checklist, inCharter charterID: UUID
  ) async throws -> Checklist {
    try await checklistRepository.saveChecklist(change, blank: blank, inCharter: charterID)
  }

  public func charterChecklists(
    _ charterID: UUID
  ) -> RepositoryValues<ReadableRows<CharterChecklist>> {
    checklistRepository.charterChecklists(charterID)
  }

  public func checklist(_ id: UUID, inCharter charterID: UUID) -> RepositoryValues<Checklist?> {
    checklistRepository.checklist(id, inCharter: charterID)
  }

  @discardableResult
  public func recordAnswer(
    _ answer: StudyAnswer, cardID: UUID, deckID: UUID
  ) async throws -> CardProgress {
    try await studyRepository.recordAnswer(answer, cardID: cardID, deckID: deckID)
  }

  public func studyProgress(ofDeck id: UUID) -> RepositoryValues<ReadableRows<CardProgress>> {
    studyRepository.studyProgress(ofDeck: id)
  }
}

// MARK: - Progress

extension LocalRepository: ChecklistExecutionRepository, UnfinishedChecklistRepository {
  public func save(
    _ edit: ItemEdit, checklistID: UUID, charterID: UUID, assigning: Bool
  ) async throws {
    try await executionRepository.save(
      edit, checklistID: checklistID, charterID: charterID, assigning: assigning)
  }

  public func loadExecutionState(
    checklistID: UUID, charterID: UUID
  ) async throws -> ChecklistExecutionState? {
    try await executionRepository.loadExecutionState(checklistID: checklistID, charterID: charterID)
  }

  public func loadAllStatesForCharter(_ charterID: UUID) async throws -> [ChecklistExecutionState] {
    try await executionRepository.loadAllStatesForCharter(charterID)
  }

  @discardableResult
  public func clearExecutionState(
    checklistID: UUID, charterID: UUID
  ) async throws -> ClearedExecution? {
    try await executionRepository.clearExecutionState(
      checklistID: checklistID, charterID: charterID)
  }

  public func restoreExecutionState(_ cleared: ClearedExecution) async throws {
    try await executionRepository.restoreExecutionState(cleared)
  }

  public func progress(checklistID: UUID, charterID: UUID) -> RepositoryValues<ItemProgress> {
    executionRepository.progress(checklistID: checklistID, charterID: charterID)
  }

  public func executionStates(charterID: UUID) -> RepositoryValues<ReadableStates> {
    executionRepository.executionStates(charterID: charterID)
  }

  package func checklistToContinue() -> RepositoryValues<ChecklistToContinue?> {
    executionRepository.checklistToContinue()
  }
}

// MARK: - Operations

extension LoggedStore {
  /// Runs a write of a charter's rows, and logs it.
  /// - Throws: ``RepositoryError`` with `forbidden` if the account may only read the charter.
  func write<Result: Sendable>(
    _ name: StaticString, toCharter id: UUID,
    _ body: @escaping @Sendable (Writer) throws -> Result
  ) async throws -> Result {
    try await write(name) { [store] writer in
      try store.checkMayEdit(ScopeID.charter(id), writer)
      return try body(writer)
    }
  }

  /// Observes the result of a read, and logs unreadable rows.
  /// - Parameter unreadable: returns the errors of those rows.
  func values<Value: Equatable & Sendable, Cause: Error>(
    _ name: StaticString, unreadable: @escaping @Sendable (Value) -> [Cause],
    _ body: @escaping @Sendable (Reader) throws -> Value
  ) -> LoggedValues<Value> {
    values(name, received: { logUnreadable(unreadable($0)) }, body)
  }

  /// Logs the errors of unreadable rows.
  func logUnreadable(_ errors: [some Error]) {
    for error in errors.map({ RepositoryError($0) }) {
      logger.warning("row left out", .kind(of: error), .id("row", error.rowID))
    }
  }
}

extension Date {
  /// The date rounded to the millisecond, as it is stored.
  var roundedToMilliseconds: Date {
    Date(timeIntervalSince1970: (timeIntervalSince1970 * 1000).rounded() / 1000)
  }
}

extension CharterModel {
  /// The kind of scope of a charter. The account that creates a charter owns it.
  package static let scopeKind = "charter"
}

extension ScopeID {
  /// Returns the scope of a charter, which its crew shares.
  package static func charter(_ id: UUID) throws -> ScopeID {
    try ScopeID(kind: CharterModel.scopeKind, value: id.uuidString)
  }
}
