public import Foundation
import Offshore

extension LocalRepository: CharterRepository {
  public func fetchAllCharters() async throws -> [CharterModel] {
    try await readList("fetchAllCharters") { try Self.byStart.readable($0) }
  }

  public func fetchCharter(id: UUID) async throws -> CharterModel? {
    try await read("fetchCharter") { try CharterModel.find(id).one($0) }
  }

  public func createCharter(_ charter: CharterModel) async throws {
    try await write("createCharter") { try charter.insert($0) }
  }

  public func saveCharter(_ charter: CharterModel) async throws {
    try await write("saveCharter") { try charter.save($0) }
  }

  public func deleteCharter(_ id: UUID) async throws {
    // Progress and notes go with it: the database cascades.
    _ = try await write("deleteCharter") { try CharterModel.find(id).delete($0) }
  }

  public func fetchPendingSync() async throws -> [CharterModel] {
    try await readList("fetchPendingSync") {
      try Self.byStart.where { $0.syncStatus == .pending }.readable($0)
    }
  }

  public func markChartersSynced(_ ids: [UUID]) async throws {
    _ = try await write("markChartersSynced") { writer in
      try CharterModel.where { $0.id.in(ids) }.update(writer) { [$0.syncStatus.set(.synced)] }
    }
  }

  public func charters() -> any AsyncSequence<ReadableRows<CharterModel>, any Error> & Sendable {
    values("observeCharters", unreadable: \.unreadable) { try Self.byStart.readable($0) }
  }

  public func charter(id: UUID) -> any AsyncSequence<CharterModel?, any Error> & Sendable {
    values("observeCharter") { try CharterModel.find(id).one($0) }
  }

  private static var byStart: Query<CharterModel> {
    CharterModel.order { [$0.startDate.ascending, $0.id.ascending] }
  }
}
