public import Foundation

/// Stores charters. Every call throws ``RepositoryError``.
public protocol CharterRepository: Sendable {
  /// All charters, by their start, and those of one start by their ids. A row that cannot be read
  /// is left out and logged.
  func fetchAllCharters() async throws -> [CharterModel]

  /// One charter, or `nil` where there is none of that id.
  func fetchCharter(id: UUID) async throws -> CharterModel?

  /// Stores a new charter.
  /// - Throws: ``RepositoryError``: `databaseUnavailable` where there is one of that id.
  func createCharter(_ charter: CharterModel) async throws

  /// Stores a charter, new or changed.
  func saveCharter(_ charter: CharterModel) async throws

  /// Removes a charter with all that belongs to it alone. One that is not there is removed already.
  func deleteCharter(_ id: UUID) async throws

  /// The charters that other devices do not have yet.
  func fetchPendingSync() async throws -> [CharterModel]

  /// Notes that other devices have these charters.
  func markChartersSynced(_ ids: [UUID]) async throws

  /// What ``fetchAllCharters()`` returns, at once and again after each change, and why rows are left
  /// out.
  func charters() -> any AsyncSequence<ReadableRows<CharterModel>, any Error> & Sendable

  /// What ``fetchCharter(id:)`` returns, at once and again after each change.
  func charter(id: UUID) -> any AsyncSequence<CharterModel?, any Error> & Sendable
}

extension CharterRepository {
  /// The charters at once, for repositories that cannot be observed.
  public func charters() -> any AsyncSequence<ReadableRows<CharterModel>, any Error> & Sendable {
    FetchedOnce { ReadableRows(rows: try await fetchAllCharters()) }
  }

  /// The charter at once, for repositories that cannot be observed.
  public func charter(id: UUID) -> any AsyncSequence<CharterModel?, any Error> & Sendable {
    FetchedOnce { try await fetchCharter(id: id) }
  }
}
