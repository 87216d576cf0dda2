import Foundation
import OffshoreCalendar
import OffshorePresentation

/// The forms in which charters are created and edited.
@MainActor
struct CharterDrafts {
  let store: CharterStore
  /// The language in which amounts are typed.
  let language: Language

  init(_ store: CharterStore, in language: Language) {
    self.store = store
    self.language = language
  }

  /// Starts to edit a charter.
  func draft(of id: UUID) -> Draft<CharterFormState> {
    Draft(
      CharterFormFields.all(in: language), blank: CharterFormState(id: id), isNew: false
    ) { [repository = store.repository] in
      try await repository.fetchCharter(id: id).map { CharterFormState($0) }
    } store: { [repository = store.repository] change, blank in
      do {
        let saved = try await repository.changeCharter(id) { charter throws(DraftError) in
          charter.apply(try change.merged(into: CharterFormState(charter), blank: blank))
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
  /// - Parameters:
  ///   - id: the id of the charter; a new one by default.
  ///   - library: the library with the checklists to choose from.
  ///   - assignedForm: returns a form whose dates are stored unchanged if their days were not
  ///     edited.
  ///   - saved: called with the stored values.
  func newDraft(
    _ id: UUID?, _ library: LibraryStore?,
    assignedForm: @escaping @MainActor () -> CharterFormState? = { nil },
    saved: @escaping @MainActor (CharterFormState) -> Void
  ) -> Draft<CharterFormState> {
    let blank = CharterFormState(id: id ?? store.makeCharterID())
    let fields = CharterFormFields.all(
      in: language,
      of: library.map { library in
        { @MainActor in
          library.checklists.data?.map { checklist in
            DraftChoice(checklist.id.uuidString, LocalizedText(verbatim: checklist.title))
          } ?? []
        }
      })
    return Draft(fields, blank: blank, isNew: true) { [repository = store.repository] in
      try await repository.fetchCharter(id: blank.id).map { CharterFormState($0) }
    } template: { [today = store.today] in
      await library?.loadIfNeeded(Checklist.self)
      var form = blank
      today.refresh()
      let saturday = today.day.next(.saturday)
      (form.startDay, form.endDay) = (saturday, saturday + 7)
      form.checklistIDs = Set(library?.checklists.data?.map(\.id) ?? [])
      return form
    } store: { change, blank in
      let form = try change.merged(into: nil, blank: blank).keepingInstants(of: assignedForm())
      guard let start = form.startDate, let end = form.endDate else {
        throw AppError.validation(.missingRequiredFields)
      }
      do {
        let charter = try await store.createCharter(
          name: form.name, boatName: form.vessel, location: form.destination, startDate: start,
          endDate: end, region: form.region, guests: form.guests, crew: form.namedCrew,
          budget: form.budget, checklistIDs: library?.inLibraryOrder(form.checklistIDs) ?? [],
          id: form.id)
        saved(CharterFormState(charter))
        return CharterFormState(charter)
      } catch RepositoryError.notFound {
        await library?.load(Checklist.self)
        throw DraftError.invalid(["checklists": .checklistGone])
      }
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
