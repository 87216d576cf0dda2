package import Foundation
import Observation
package import OffshorePresentation

/// The model of the form for a new charter.
@MainActor
package final class CreateCharterViewModel: Observable {
  /// The draft of the charter. Another charter gets another draft.
  @Observed package private(set) var draft: Draft<CharterFormState>
  /// The charter that an earlier form stored under the same id, if that prevented the latest save.
  /// Saving again stores another charter.
  @Observed package private(set) var earlierCharter: CharterFormState?

  /// The form that was assigned, whose instants are preserved.
  private final class AssignedForm { var form: CharterFormState? }

  @Observed private var saving: Task<CharterFormState?, Never>?
  /// The latest saved form, and the stored values.
  @Observed private var latest: (form: CharterFormState, charter: CharterFormState)?
  private let assigned: AssignedForm
  private let makeDraft: () -> Draft<CharterFormState>

  /// Creates an empty form.
  ///
  /// - Parameters:
  ///   - store: stores the charter.
  ///   - charterID: the id that an earlier page assigned to the form, or `nil`.
  ///   - library: the library with the checklists to choose from.
  ///   - language: the language in which amounts are typed.
  ///   - saved: called when the charter is stored, for example to return to the list of charters.
  package init(
    store: CharterStore, charterID: UUID? = nil, library: LibraryStore? = nil,
    language: Language = .english,
    saved: @escaping @MainActor (CharterFormState) -> Void = { _ in }
  ) {
    let assigned = AssignedForm()
    let makeDraft = { (id: UUID?) in
      CharterDrafts(store, in: language)
        .newDraft(id, library, assignedForm: { assigned.form }, saved: saved)
    }
    self.assigned = assigned
    self.makeDraft = { makeDraft(nil) }
    draft = makeDraft(charterID)
  }

  /// The entered values. Setting them changes the texts of the values that differ. The id remains
  /// that of the draft.
  package var form: CharterFormState {
    get { draft.validated().entry.keepingInstants(of: assigned.form) }
    set {
      assigned.form = newValue
      draft.fill(with: newValue)
    }
  }

  /// Whether the charter is being stored.
  package var isSaving: Bool { saving != nil }
  /// The reason why the charter could not be stored, or `nil`.
  package var saveError: AppError? { storedIfUnchanged == nil ? draft.saveError : nil }
  /// The problems found by the latest save, and advice.
  package var validationErrors: [CharterFormValidation] {
    CharterFormValidation.issues(in: form, storedIfUnchanged == nil ? draft.problems : [:])
  }

  /// Stores the charter, unless it is stored already.
  ///
  /// A call during another one waits for it. A form that was changed after it was saved becomes
  /// another charter with its own id.
  /// - Returns: the stored values, or `nil` if the charter could not be stored.
  @discardableResult
  package func saveCharter() async -> CharterFormState? {
    if let saving { return await saving.value }
    earlierCharter = nil
    if let storedIfUnchanged { return storedIfUnchanged }
    let task = Task { await save() }
    saving = task
    return await task.value
  }

  /// The stored values, if the form has not changed since it was saved.
  private var storedIfUnchanged: CharterFormState? {
    guard let latest, latest.form == form, draft.validated().problems.isEmpty else { return nil }
    return latest.charter
  }

  private func save() async -> CharterFormState? {
    defer { saving = nil }
    let form = form
    var charter = await draft.save()
    if charter == nil, let earlier = draft.existingEntry {
      let another = makeDraft()
      another.restore(from: draft)
      draft = another
      if earlier.id == latest?.charter.id {
        charter = await draft.save()
      } else {
        // The user has to confirm that a second charter is stored besides that of another form.
        earlierCharter = earlier
      }
    }
    if let charter { latest = (form, charter) }
    return charter
  }
}
