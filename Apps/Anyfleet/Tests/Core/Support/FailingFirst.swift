import Foundation
import Synchronization

@testable import Anyfleet

/// A repository whose first list of each kind fails, and which works from then on.
final class FailingFirst: CharterRepository, LibraryRepository {
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
