public import Foundation
import OffshorePresentation

extension CharterStore {
  /// Stores a new charter; texts that are blank are stored as none.
  ///
  /// Asked for the same charter under the same id again, it stores nothing and returns the one that
  /// is there, so that a form sent twice makes one charter.
  ///
  /// - Parameters:
  ///   - checklistIDs: the checklists of the library that it gets, in this order.
  ///   - id: the charter's id; a new one unless stated.
  /// - Returns: the charter as it is stored.
  /// - Throws: ``CharterExists`` where there is another charter of that id; ``RepositoryError``.
  @discardableResult
  public func createCharter(
    name: String, boatName: String?, location: String?, startDate: Date, endDate: Date,
    region: String? = nil, guests: Int = CharterModel.defaultGuests, crew: [CrewMember] = [],
    budget: CharterBudget? = nil, checklistIDs: [UUID] = [], id: UUID? = nil
  ) async throws -> CharterModel {
    let charter = CharterModel(
      id: id ?? makeCharterID(), name: name.trimmed, boatName: boatName?.trimmedOrNil,
      location: location?.trimmedOrNil, startDate: startDate, endDate: endDate, createdAt: now(),
      checkInChecklistID: nil, region: region?.trimmedOrNil, guests: guests, crew: crew,
      budget: budget)
    do {
      try await repository.createCharter(charter, assigning: checklistIDs)
      return charter
    } catch {
      guard let existing = try await repository.fetchCharter(id: charter.id) else { throw error }
      guard CharterFormState(existing) == CharterFormState(charter) else {
        throw CharterExists(charter: existing)
      }
      return existing
    }
  }

  /// Stores a changed charter in place of the one that is there.
  /// - Throws: ``RepositoryError``: `notFound` where there is no such charter, or not any more.
  public func updateCharter(_ charter: CharterModel) async throws {
    try await repository.changeCharter(charter.id) { $0 = charter }
  }

  /// Changes a charter by what a form says other than when it was opened; what others changed
  /// meanwhile stays.
  ///
  /// - Returns: the charter as it is stored.
  /// - Throws: ``RepositoryError``: `conflict` where others changed the same, `notFound` where there is
  ///   no such charter, or not any more.
  func updateCharter(
    _ id: UUID, with form: CharterFormState, since original: CharterFormState
  ) async throws -> CharterModel {
    try await repository.changeCharter(id) { charter in
      let now = CharterFormState(charter)
      guard let merged = form.merged(since: original, into: now) else {
        throw RepositoryError.conflict()
      }
      charter.take(merged)
    }
  }

  /// Says whether a charter's boat is taken over by a checklist. Another one that was chosen stays
  /// where this one is to be none.
  /// - Throws: ``RepositoryError``: `notFound` where there is no such charter, or not any more.
  public func setCheckIn(_ isOn: Bool, checklistID: UUID, charterID id: UUID) async throws {
    try await repository.changeCharter(id) { charter in
      if isOn {
        charter.checkInChecklistID = checklistID
      } else if charter.checkInChecklistID == checklistID {
        charter.checkInChecklistID = nil
      }
    }
  }

  /// Makes a charter the one that the user sails now, in place of another, or none.
  /// - Throws: ``RepositoryError``: `notFound` where there is no such charter.
  public func setActive(_ id: UUID?) async throws {
    try await repository.setActiveCharter(id)
  }

  /// Leaves the user without an active charter where it is this one; another one stays active.
  /// - Throws: ``RepositoryError``.
  public func endActivity(of id: UUID) async throws {
    try await repository.endActivity(ofCharter: id)
  }

  /// Puts a charter into the archive or takes it out.
  /// - Throws: ``RepositoryError``: `notFound` where there is no such charter.
  public func setArchived(_ isArchived: Bool, charterID id: UUID) async throws {
    try await repository.setArchived(isArchived, charterID: id)
  }

  // MARK: - Removing

  /// Removes a charter with all that belongs to it alone; ``restoreCharter(_:)`` puts it back.
  ///
  /// One that is not there is removed already.
  ///
  /// - Throws: ``RepositoryError``.
  public func deleteCharter(_ id: UUID) async throws {
    // One that cannot be read is removed all the same.
    let name = try? await repository.fetchCharter(id: id)?.name
    guard let deleted = try await repository.deleteCharter(id) else { return }
    removals.add(RemovedCharter(name: name, deleted: deleted))
  }

  /// Puts back a charter that was removed lately, with all that belonged to it; does nothing where
  /// it is there.
  /// - Throws: ``RepositoryError``: `notFound` where nothing is known of it any more.
  public func restoreCharter(_ id: UUID) async throws {
    let isRestored = try await removals.restore(id) { [repository] in
      try await repository.restoreCharter($0.deleted)
    }
    if !isRestored { _ = try await storedCharter(id) }
  }
}
