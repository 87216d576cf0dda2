import Foundation
import Offshore
import OffshoreCalendar
import OffshorePresentation
import Synchronization

@testable import Anyfleet

/// A repository whose first list of each kind fails, and which works from then on.
final class FlakyRepository: CharterRepository, LibraryRepository {
  let real: LocalRepository
  /// Whether parts of lists, counts, and choices fail the first time as well.
  let failsParts: Bool
  private let failed = Mutex<Set<String>>([])

  init(_ real: LocalRepository, failsParts: Bool = false) {
    self.real = real
    self.failsParts = failsParts
  }

  func failOnce(_ name: String) throws {
    if failed.withLock({ $0.insert(name).inserted }) { throw RepositoryError.databaseUnavailable }
  }

  func fetchAllCharters() async throws -> [CharterModel] {
    try failOnce("charters")
    return try await real.fetchAllCharters()
  }

  func fetchCharter(id: UUID) async throws -> CharterModel? {
    if failsParts { try failOnce("charter \(id)") }
    return try await real.fetchCharter(id: id)
  }
  func createCharter(_ charter: CharterModel, assigning checklistIDs: [UUID]) async throws {
    try await real.createCharter(charter, assigning: checklistIDs)
  }
  func saveCharter(_ charter: CharterModel) async throws { try await real.saveCharter(charter) }
  func changeCharter<Refusal: Error>(
    _ id: UUID, by change: @escaping @Sendable (inout CharterModel) throws(Refusal) -> Void
  ) async throws -> Result<CharterModel, Refusal> {
    try await real.changeCharter(id, by: change)
  }
  func deleteCharter(_ id: UUID) async throws -> DeletedCharter? {
    try await real.deleteCharter(id)
  }
  func fetchPendingSync() async throws -> [CharterModel] { try await real.fetchPendingSync() }
  func markChartersSynced(_ ids: [UUID]) async throws { try await real.markChartersSynced(ids) }
}

/// The operations that fail the first time if parts fail.
extension FlakyRepository {
  fileprivate func failPartOnce(_ name: String) throws { if failsParts { try failOnce(name) } }

  /// An empty sequence if parts fail, so that nothing is read again without a request.
  func charterChanges() -> RepositoryValues<Int> {
    failsParts ? AsyncThrowingStream { $0.finish() } : SingleValueSequence { 0 }
  }

  func fetchCharters(
    _ parts: [CharterListPart], on today: CalendarDay, matching text: String, limit: Int
  ) async throws -> CharterPage {
    for part in parts { try failPartOnce("list \(part)") }
    return try await real.fetchCharters(parts, on: today, matching: text, limit: limit)
  }

  func countCharters(on today: CalendarDay) async throws -> CharterCounts {
    try failPartOnce("counts")
    return try await real.countCharters(on: today)
  }

  func fetchActiveCharter() async throws -> CharterModel? {
    try failPartOnce("active")
    return try await real.fetchActiveCharter()
  }

  func fetchCharterChecklists(_ charterID: UUID) async throws -> [CharterChecklist] {
    try failPartOnce("charterChecklists")
    return try await real.fetchCharterChecklists(charterID)
  }
}

extension FlakyRepository: UnfinishedChecklistRepository {
  func checklistToContinue() -> RepositoryValues<ChecklistToContinue?> {
    SingleValueSequence { [self] in
      try failPartOnce("toContinue")
      for try await found in real.checklistToContinue() { return found }
      return nil
    }
  }
}

/// The operations that never fail.
extension FlakyRepository {
  func fetchChecklistIDs(ofCharter id: UUID) async throws -> Set<UUID> {
    try await real.fetchChecklistIDs(ofCharter: id)
  }
  func restoreCharter(_ deleted: DeletedCharter) async throws {
    try await real.restoreCharter(deleted)
  }
  func setActiveCharter(_ id: UUID?) async throws { try await real.setActiveCharter(id) }
  func deactivateCharter(_ id: UUID) async throws {
    try await real.deactivateCharter(id)
  }
  func setArchived(_ isArchived: Bool, charterID: UUID) async throws {
    try await real.setArchived(isArchived, charterID: charterID)
  }

  func fetchChecklist(_ id: UUID, inCharter charterID: UUID) async throws -> Checklist? {
    try await real.fetchChecklist(id, inCharter: charterID)
  }
  func assignChecklist(_ id: UUID, toCharter charterID: UUID) async throws -> CharterChecklist {
    try await real.assignChecklist(id, toCharter: charterID)
  }
  func hasChecklist(_ id: UUID, charterID: UUID) async throws -> Bool {
    try await real.hasChecklist(id, charterID: charterID)
  }
  func assignChecklists(_ ids: [UUID], toCharter charterID: UUID) async throws {
    try await real.assignChecklists(ids, toCharter: charterID)
  }
  func unassignChecklist(_ id: UUID, fromCharter charterID: UUID) async throws {
    try await real.unassignChecklist(id, fromCharter: charterID)
  }
  func reorderChecklists(_ ids: [UUID], ofCharter charterID: UUID) async throws {
    try await real.reorderChecklists(ids, ofCharter: charterID)
  }
  func saveChecklist(
    _ change: DraftChange<Checklist>, blank: Checklist, inCharter charterID: UUID
  ) async throws -> Checklist {
    try await real.saveChecklist(change, blank: blank, inCharter: charterID)
  }
  func saveChecklist(_ snapshot: Checklist, inCharter charterID: UUID) async throws {
    try await real.saveChecklist(snapshot, inCharter: charterID)
  }

  var entities: EntityRepository { real.entities }
  func recordAnswer(
    _ answer: StudyAnswer, cardID: UUID, deckID: UUID
  ) async throws -> CardProgress {
    try await real.recordAnswer(answer, cardID: cardID, deckID: deckID)
  }
  func studyProgress(ofDeck id: UUID) -> RepositoryValues<ReadableRows<CardProgress>> {
    real.studyProgress(ofDeck: id)
  }
}

/// A sequence of one value, which is fetched on demand.
struct SingleValueSequence<Value: Sendable>: AsyncSequence, Sendable {
  typealias Failure = any Error

  struct Iterator: AsyncIteratorProtocol {
    var fetch: (@Sendable () async throws -> Value)?

    mutating func next() async throws -> Value? {
      defer { fetch = nil }
      return try await fetch?()
    }
  }

  private let fetch: @Sendable () async throws -> Value

  init(_ fetch: @escaping @Sendable () async throws -> Value) { self.fetch = fetch }

  func makeAsyncIterator() -> Iterator { Iterator(fetch: fetch) }
}

/// The current values, each once.
extension FlakyRepository {
  func charters() -> RepositoryValues<ReadableRows<CharterModel>> {
    SingleValueSequence { [self] in ReadableRows(rows: try await fetchAllCharters()) }
  }

  func charter(id: UUID) -> RepositoryValues<CharterModel?> {
    SingleValueSequence { [self] in try await fetchCharter(id: id) }
  }

  func charters(
    _ filter: CharterFilter, on today: CalendarDay, matching text: String, limit: Int?
  ) -> RepositoryValues<ReadableRows<CharterModel>> {
    SingleValueSequence { [self] in
      let page = try await fetchCharters(
        filter, on: today, matching: text, after: nil, limit: limit ?? .max)
      return ReadableRows(
        rows: page.charters, unreadable: page.unreadable.compactMap { $0.cause as? DatabaseError })
    }
  }

  func charterCounts(on today: CalendarDay) -> RepositoryValues<CharterCounts> {
    SingleValueSequence { [self] in try await countCharters(on: today) }
  }

  func activeCharter() -> RepositoryValues<CharterModel?> {
    SingleValueSequence { [self] in try await fetchActiveCharter() }
  }

  func charterChecklists(_ charterID: UUID) -> RepositoryValues<ReadableRows<CharterChecklist>> {
    SingleValueSequence { [self] in ReadableRows(rows: try await fetchCharterChecklists(charterID))
    }
  }

  func checklist(_ id: UUID, inCharter charterID: UUID) -> RepositoryValues<Checklist?> {
    SingleValueSequence { [self] in try await fetchChecklist(id, inCharter: charterID) }
  }
}
