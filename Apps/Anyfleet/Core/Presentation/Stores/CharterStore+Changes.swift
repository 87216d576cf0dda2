public import Foundation
import OffshoreCalendar
public import OffshorePresentation

extension CharterStore {
  /// Stores a new charter. Blank texts are stored as `nil`.
  ///
  /// If an equal charter with the same checklists is stored under the id already, nothing is stored
  /// and that charter is returned. So submitting a form twice creates one charter.
  ///
  /// - Parameters:
  ///   - checklistIDs: the library's checklists for the charter, in this order.
  ///   - id: the id of the charter; a new one by default.
  /// - Returns: the stored charter.
  /// - Throws: `DraftError.exists` if a different charter, or one with other checklists, is stored
  ///   under the id; ``RepositoryError``.
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

  /// Replaces a stored charter.
  /// - Throws: ``RepositoryError`` with `notFound` if the charter does not exist.
  public func updateCharter(_ charter: CharterModel) async throws {
    try await repository.changeCharter(charter.id) { $0 = charter }
  }

  /// Makes a checklist the check-in checklist of a charter, or not. Setting it to `false` does not
  /// change another choice.
  /// - Throws: ``RepositoryError`` with `notFound` if the charter does not exist.
  public func setCheckIn(_ isOn: Bool, checklistID: UUID, charterID id: UUID) async throws {
    try await repository.changeCharter(id) { charter in
      if isOn {
        charter.checkInChecklistID = checklistID
      } else if charter.checkInChecklistID == checklistID {
        charter.checkInChecklistID = nil
      }
    }
  }

  /// Makes a charter the active one in place of another, or none.
  /// - Throws: ``RepositoryError`` with `notFound` if the charter does not exist.
  public func setActive(_ id: UUID?) async throws {
    try await repository.setActiveCharter(id)
  }

  /// Makes a charter inactive if it is the active one.
  /// - Throws: ``RepositoryError``.
  public func deactivate(_ id: UUID) async throws {
    try await repository.deactivateCharter(id)
  }

  /// Moves a charter into the archive or out of it.
  /// - Throws: ``RepositoryError`` with `notFound` if the charter does not exist.
  public func setArchived(_ isArchived: Bool, charterID id: UUID) async throws {
    try await repository.setArchived(isArchived, charterID: id)
  }

  // MARK: - Editing

  /// Starts to edit a charter.
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
        // The charter was deleted, so saving again would not help.
        throw AppError.content(.notFound)
      }
    }
  }

  /// Starts a form for a new charter, with a week from the next Saturday and all checklists of the
  /// library.
  /// - Parameter given: returns a form whose dates are stored unchanged if their days were not
  ///   edited.
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

  /// Deletes a charter with all rows that belong to it, readable or not.
  /// - Returns: a closure that restores the charter, or `nil` if it does not exist.
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
