import Foundation
import Offshore
import OffshoreCalendar
import OffshoreSync
import OffshoreWire
import Synchronization

/// The charters in this device's database.
struct LocalCharterRepository: CharterRepository {
  let file: LoggedStore

  // MARK: - Single charters

  func fetchAllCharters() async throws -> [CharterModel] {
    try await file.readable("fetchAllCharters") {
      try CharterRow.charters(CharterRow.byStart, $0)
    }
  }

  func fetchCharter(id: UUID) async throws -> CharterModel? {
    try await file.read("fetchCharter") { try CharterRow.charter(id, $0) }
  }

  func createCharter(_ charter: CharterModel, assigning checklistIDs: [UUID]) async throws {
    try await file.write("createCharter") { writer in
      try CharterRow(charter).insert(writer)
      for id in checklistIDs {
        try CharterChecklistRow.assign(id, toCharter: charter.id, writer)
      }
    }
  }

  func fetchChecklistIDs(ofCharter id: UUID) async throws -> Set<UUID> {
    try await file.read("fetchChecklistIDs") { reader in
      let rows = CharterChecklistRow.rows(ofCharter: id)
      return Set(try rows.select { $0.checklistID }.all(reader))
    }
  }

  func saveCharter(_ charter: CharterModel) async throws {
    try await file.write("saveCharter", toCharter: charter.id) { writer in
      try CharterRow(charter).save(writer)
      if charter.isArchived { try ActiveCharterRow.deactivateForAll(charter.id, writer) }
    }
  }

  @discardableResult
  func changeCharter<Refusal: Error>(
    _ id: UUID, by change: @escaping @Sendable (inout CharterModel) throws(Refusal) -> Void
  ) async throws -> Result<CharterModel, Refusal> {
    try await file.write("changeCharter", toCharter: id) { writer in
      guard var charter = try CharterRow.charter(id, writer) else {
        throw RepositoryError.notFound
      }
      do throws(Refusal) {
        try change(&charter)
      } catch {
        return .failure(error)
      }
      charter.syncStatus = .pending
      try CharterRow(charter).save(writer)
      if charter.isArchived { try ActiveCharterRow.deactivateForAll(id, writer) }
      return .success(charter)
    }
  }

  func fetchPendingSync() async throws -> [CharterModel] {
    try await file.readable("fetchPendingSync") { reader in
      try CharterRow.charters(CharterRow.byStart.where { $0.syncStatus == .pending }, reader)
    }
  }

  func markChartersSynced(_ ids: [UUID]) async throws {
    _ = try await file.write("markChartersSynced") { writer in
      try CharterRow.where { $0.id.in(ids) }.update(writer) { [$0.syncStatus.set(.synced)] }
    }
  }

  func charters() -> RepositoryValues<ReadableRows<CharterModel>> {
    file.values("observeCharters", unreadable: \.unreadable) {
      try CharterRow.charters(CharterRow.byStart, $0)
    }
  }

  func charter(id: UUID) -> RepositoryValues<CharterModel?> {
    file.values("observeCharter") { try CharterRow.charter(id, $0) }
  }

  // MARK: - Deleting

  @discardableResult
  func deleteCharter(_ id: UUID) async throws -> DeletedCharter? {
    try await file.write("deleteCharter", toCharter: id) { writer in
      guard try CharterRow.find(id).exists(writer) else { return nil }
      let wasActive = try ActiveCharterRow.activeID(writer) == id
      try ActiveCharterRow.deactivateForAll(id, writer)
      // Foreign keys delete checklists, progress and notes with the charter.
      let rows = try writer.remove(CharterRow.find(id))
      return DeletedCharter(id: id, wasActive: wasActive, rows: rows)
    }
  }

  func restoreCharter(_ deleted: DeletedCharter) async throws {
    try await file.write("restoreCharter", toCharter: deleted.id) { writer in
      try deleted.rows.restore(writer)
      // The deletion may have been synced already, so the restored rows must be synced again.
      let id = deleted.id
      let states = ExecutionRow.where { $0.charterID == id }
      try CharterRow.find(id).update(writer) { [$0.syncStatus.set(.pending)] }
      try states.update(writer) { [$0.syncStatus.set(.pending)] }
      try ExecutionRow.countProgress(of: states, writer)
      if deleted.wasActive, try ActiveCharterRow.activeID(writer) == nil {
        try ActiveCharterRow.activate(id, writer)
      }
    }
  }

  // MARK: - Choices

  func fetchActiveCharter() async throws -> CharterModel? {
    try await file.read("fetchActiveCharter") { try ActiveCharterRow.charter($0) }
  }

  func activeCharter() -> RepositoryValues<CharterModel?> {
    file.values("observeActiveCharter") { try ActiveCharterRow.charter($0) }
  }

  func setActiveCharter(_ id: UUID?) async throws {
    try await file.write("setActiveCharter") { [store = file.store] writer in
      if let id {
        // The choice belongs to the user, but the archive is shared with the crew.
        if try CharterRow.find(id).where({ $0.isArchived }).exists(writer) {
          try store.checkMayEdit(ScopeID.charter(id), writer)
        }
        try CharterRow.setArchived(false, id, writer)
      }
      try ActiveCharterRow.activate(id, writer)
    }
  }

  func deactivateCharter(_ id: UUID) async throws {
    try await file.write("deactivateCharter") { try ActiveCharterRow.deactivate(id, $0) }
  }

  func setArchived(_ isArchived: Bool, charterID: UUID) async throws {
    try await file.write("setArchived", toCharter: charterID) { writer in
      try CharterRow.setArchived(isArchived, charterID, writer)
      if isArchived { try ActiveCharterRow.deactivateForAll(charterID, writer) }
    }
  }
}

// MARK: - Lists

extension LocalCharterRepository {
  func fetchCharters(
    _ parts: [CharterListPart], on today: CalendarDay, matching text: String, limit: Int
  ) async throws -> CharterPage {
    let page = try await file.read("fetchCharters") { reader in
      try CharterList.page(parts, on: today, matching: text, limit: limit, reader)
    }
    file.logUnreadable(page.unreadable)
    return page
  }

  func countCharters(on today: CalendarDay) async throws -> CharterCounts {
    try await file.read("countCharters") { try CharterList.counts(on: today, $0) }
  }

  func charters(
    _ filter: CharterFilter, on today: CalendarDay, matching text: String, limit: Int?
  ) -> RepositoryValues<ReadableRows<CharterModel>> {
    file.values("observeCharterList", unreadable: \.unreadable) { reader in
      let list = CharterList(
        filter, on: today, matching: text, activeID: try ActiveCharterRow.activeID(reader))
      guard let limit else { return try list.all(reader) }
      return try list.page(after: nil, limit: limit, reader).list
    }
  }

  func charterCounts(on today: CalendarDay) -> RepositoryValues<CharterCounts> {
    file.values("observeCharterCounts") { try CharterList.counts(on: today, $0) }
  }

  func charterChanges() -> RepositoryValues<Int> {
    let changes = Counter()
    return file.values("observeCharterChanges") { reader in
      // No row is fetched, but a change of one of these columns triggers the observation.
      _ = try CharterRow.all.limit(0).all(reader)
      _ = try ActiveCharterRow.activeID(reader)
      return changes.next()
    }
  }
}

/// A thread-safe counter.
private final class Counter: Sendable {
  private let latest = Mutex(0)

  func next() -> Int {
    latest.withLock { latest in
      latest += 1
      return latest
    }
  }
}
