public import Foundation

extension CharterStore {
  /// Stores a new charter; texts that are blank are stored as none.
  ///
  /// Asked for the same charter under the same id again, it stores nothing and returns the one that
  /// is there, so that a form sent twice makes one charter.
  ///
  /// - Parameter id: the charter's id; a new one unless stated.
  /// - Returns: the charter as it is stored.
  /// - Throws: ``CharterExists`` where there is another charter of that id; ``RepositoryError``.
  @discardableResult
  public func createCharter(
    name: String, boatName: String?, location: String?, startDate: Date, endDate: Date,
    region: String? = nil, guests: Int = CharterModel.defaultGuests, crew: [CrewMember] = [],
    budget: CharterBudget? = nil, id: UUID? = nil
  ) async throws -> CharterModel {
    let charter = CharterModel(
      id: id ?? makeCharterID(), name: name.trimmed, boatName: boatName?.trimmedOrNil,
      location: location?.trimmedOrNil, startDate: startDate, endDate: endDate, createdAt: now(),
      checkInChecklistID: nil, region: region?.trimmedOrNil, guests: guests, crew: crew,
      budget: budget)
    do {
      try await repository.createCharter(charter)
      return charter
    } catch {
      guard let existing = try await repository.fetchCharter(id: charter.id) else { throw error }
      guard CharterFormState(existing) == CharterFormState(charter) else {
        throw CharterExists(charter: existing)
      }
      return existing
    }
  }

  /// Stores a changed charter.
  /// - Throws: ``RepositoryError``.
  public func updateCharter(_ charter: CharterModel) async throws {
    var charter = charter
    charter.syncStatus = .pending
    try await repository.saveCharter(charter)
  }

  /// Makes a charter the one that the user sails now, in place of another, or none.
  /// - Throws: ``RepositoryError``: `notFound` where there is no such charter.
  public func setActive(_ id: UUID?) async throws {
    try await repository.setActiveCharter(id)
  }

  /// Puts a charter into the archive or takes it out.
  /// - Throws: ``RepositoryError``: `notFound` where there is no such charter.
  public func setArchived(_ isArchived: Bool, charterID id: UUID) async throws {
    try await repository.setArchived(isArchived, charterID: id)
  }

  // MARK: - Removing

  /// Removes a charter with all that belongs to it alone.
  ///
  /// - Returns: what was removed, to be put back by ``restoreCharter(_:)``; `nil` where there was
  ///   nothing.
  /// - Throws: ``RepositoryError``.
  @discardableResult
  public func deleteCharter(_ id: UUID) async throws -> DeletedCharter? {
    // One that cannot be read is removed all the same.
    let name = try? await repository.fetchCharter(id: id)?.name
    guard let deleted = try await repository.deleteCharter(id) else { return nil }
    removals.add(RemovedCharter(name: name, deleted: deleted))
    return deleted
  }

  /// Puts a removed charter back with all that belonged to it.
  /// - Throws: ``RepositoryError``.
  public func restoreCharter(_ deleted: DeletedCharter) async throws {
    try await repository.restoreCharter(deleted)
    removals.forgetCharter(deleted.id)
  }

  /// A charter that was removed lately and is not back yet.
  public func removedCharter(_ id: UUID) -> RemovedCharter? { removals.charter(id) }

  /// Puts back a charter that was removed lately.
  /// - Throws: ``RepositoryError``: `notFound` where nothing is known of it any more.
  public func restoreCharter(_ id: UUID) async throws {
    guard let removed = removals.charter(id) else { throw RepositoryError.notFound }
    try await restoreCharter(removed.deleted)
  }
}
