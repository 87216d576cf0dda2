public import Foundation
import OffshoreCalendar
public import OffshorePresentation

extension CharterStore {
  /// Stores a new charter; texts that are blank are stored as none.
  ///
  /// Called again for the same charter with the same checklists under the same id, it stores nothing and
  /// returns the stored charter, so that a form sent twice makes one charter.
  ///
  /// - Parameters:
  ///   - checklistIDs: the checklists of the library that it gets, in this order.
  ///   - id: the charter's id; a new one unless stated.
  /// - Returns: the charter as it is stored.
  /// - Throws: `DraftError.exists` if the charter of that id differs from this one, or has other checklists;
  ///   ``RepositoryError``.
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
      var (sent, stored) = (CharterFormState(charter), CharterFormState(existing))
      sent.checklistIDs = Set(checklistIDs)
      stored.checklistIDs = try await repository.fetchChecklistIDs(ofCharter: charter.id)
      guard sent == stored else { throw DraftError.exists }
      return existing
    }
  }

  /// Stores a changed charter in place of the one that is there.
  /// - Throws: ``RepositoryError``: `notFound` where there is no such charter, or not any more.
  public func updateCharter(_ charter: CharterModel) async throws {
    try await repository.changeCharter(charter.id) { $0 = charter }
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

  // MARK: - Editing

  /// Begins to edit a charter.
  /// - Parameter language: the language in which amounts are typed.
  public func draft(of id: UUID, in language: Language) -> Draft<CharterFormState> {
    Draft(
      CharterFormState.fields(in: language), blank: CharterFormState(id: id), isNew: false
    ) { [repository] in
      try await repository.fetchCharter(id: id).map { CharterFormState($0) }
    } store: { [repository] change, blank in
      do {
        let saved = try await repository.changeCharter(id) { charter throws(DraftError) in
          charter.take(try change.merged(into: CharterFormState(charter), blank: blank))
        }
        return CharterFormState(try saved.get())
      } catch RepositoryError.notFound {
        // The charter was deleted: saving again would not help.
        throw AppError.content(.notFound)
      }
    }
  }

  /// Begins to enter a new charter: a week from the next Saturday on, with all checklists of the library.
  /// - Parameter given: returns a form whose instants are stored if their days are not edited.
  func draft(
    new id: UUID?, _ library: LibraryStore?, in language: Language,
    given: @escaping @MainActor () -> CharterFormState? = { nil },
    saved: @escaping @MainActor (CharterFormState) -> Void
  ) -> Draft<CharterFormState> {
    let blank = CharterFormState(id: id ?? makeCharterID())
    let fields = CharterFormState.fields(
      in: language,
      of: library.map { library in
        { @MainActor in
          library.checklists.data?.map { checklist in
            DraftChoice(checklist.id.uuidString, LocalizedText(verbatim: checklist.title))
          } ?? []
        }
      })
    return Draft(fields, blank: blank, isNew: true) { [repository] in
      try await repository.fetchCharter(id: blank.id).map { CharterFormState($0) }
    } template: { [today] in
      await library?.loadIfNeeded(Checklist.self)
      var form = blank
      today.refresh()
      let saturday = today.day.next(.saturday)
      (form.startDay, form.endDay) = (saturday, saturday + 7)
      form.checklistIDs = Set(library?.checklists.data?.map(\.id) ?? [])
      return form
    } store: { change, blank in
      let form = try change.merged(into: nil, blank: blank).keepingInstants(of: given())
      guard let start = form.startDate, let end = form.endDate else {
        throw AppError.validation(.missingRequiredFields)
      }
      do {
        let charter = try await self.createCharter(
          name: form.name, boatName: form.vessel, location: form.destination, startDate: start,
          endDate: end, region: form.region, guests: form.guests, crew: form.namedCrew,
          budget: form.budget, checklistIDs: library?.inOrder(form.checklistIDs) ?? [],
          id: form.id)
        saved(CharterFormState(charter))
        return CharterFormState(charter)
      } catch RepositoryError.notFound {
        await library?.load(Checklist.self)
        throw DraftError.invalid(["checklists": .checklistGone])
      }
    }
  }

  // MARK: - Deleting

  /// Deletes a charter with all rows that belong to it alone, readable or not.
  /// - Returns: restores the charter; `nil` if there is none of that id.
  /// - Throws: ``RepositoryError``.
  @discardableResult
  public func deleteCharter(_ id: UUID) async throws -> (@MainActor () async throws -> Void)? {
    guard let deleted = try await repository.deleteCharter(id) else { return nil }
    deletedIDs.insert(id)
    return {
      try await self.repository.restoreCharter(deleted)
      self.deletedIDs.remove(id)
    }
  }
}

extension LocalizedText {
  fileprivate static let checklistGone = LocalizedText(
    en: "A checklist that you chose was deleted meanwhile. "
      + "Save again to create the charter without it.",
    ru: "Выбранный вами чек-лист тем временем удалили. "
      + "Сохраните ещё раз, и чартер появится без него.")
}
