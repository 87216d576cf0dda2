public import Foundation
public import Offshore

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

  public func saveCharter(_ charter: CharterModel) async throws {
    try await write("saveCharter", toCharter: charter.id) { writer in
      try CharterRow(charter).save(writer)
      if charter.isArchived { try Self.endActivity(of: charter.id, writer) }
    }
  }

  @discardableResult
  public func changeCharter(
    _ id: UUID, by change: @escaping @Sendable (inout CharterModel) throws -> Void
  ) async throws -> CharterModel {
    try await write("changeCharter", toCharter: id) { writer in
      guard var charter = try Self.charter(id, writer) else { throw RepositoryError.notFound }
      try change(&charter)
      charter.syncStatus = .pending
      try CharterRow(charter).save(writer)
      if charter.isArchived { try Self.endActivity(of: id, writer) }
      return charter
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

  /// The charters of a query that can be read.
  static func charters(
    _ query: Query<CharterRow>, _ reader: Reader
  ) throws -> ReadableRows<CharterModel> {
    let activeID = try activeID(reader)
    return try query.readable(reader).map { $0.charter(activeID: activeID) }
  }

  /// One charter.
  ///
  /// What is read is found by keys, so that whoever follows it is not woken by other charters.
  static func charter(_ id: UUID, _ reader: Reader) throws -> CharterModel? {
    guard let row = try CharterRow.find(id).one(reader) else { return nil }
    return row.charter(activeID: row.isArchived ? nil : try readableChoice(reader))
  }
}
