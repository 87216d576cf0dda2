public import Foundation
public import Observation
public import OffshorePresentation

/// Entering a new charter.
@MainActor @Observable
public final class CreateCharterViewModel {
  /// What is entered.
  public var form = CharterFormState()
  /// The checklists of the library that the charter gets.
  public var checklistIDs: Set<UUID> = []
  /// The id under which the charter is stored, so that saving it once more does not store another.
  public private(set) var charterID: UUID
  /// Whether the charter is on its way to the disk.
  public var isSaving: Bool { saving != nil }
  /// Why the charter could not be saved, where it could not.
  public private(set) var saveError: AppError?
  /// What kept the form from being saved when that was last tried, and what is advised.
  public private(set) var validationErrors: [CharterFormValidation] = []
  /// The charter that this form had stored before, with other content, where that kept the form from
  /// being saved. Saving again stores one more.
  public private(set) var earlierCharter: CharterModel?
  /// Whether a chosen checklist was deleted meanwhile, which kept the form from being saved. It is
  /// chosen no more: saving again goes without it.
  public private(set) var isChecklistGone = false
  /// The charter, once it is saved.
  public private(set) var savedCharter: CharterModel?

  /// What was entered when the charter was saved.
  private var savedForm: CharterFormState?
  private var saving: Task<CharterModel?, Never>?
  private let store: CharterStore
  private let library: LibraryStore?
  private let saved: @MainActor (CharterModel) -> Void

  /// Takes what the screen needs.
  ///
  /// - Parameters:
  ///   - store: stores the charter.
  ///   - charterID: the id that the form was given before, where it was; a new one unless stated.
  ///   - library: where the charter's checklists come from; it gets none unless stated.
  ///   - saved: called when the charter is saved, to go back to the list of charters.
  public init(
    store: CharterStore, charterID: UUID? = nil, library: LibraryStore? = nil,
    saved: @escaping @MainActor (CharterModel) -> Void = { _ in }
  ) {
    self.store = store
    self.charterID = charterID ?? store.makeCharterID()
    self.library = library
    self.saved = saved
  }

  /// The share of the form's steps done as 0…1.
  public var completionProgress: Double { form.completionProgress }

  /// The steps that are still to do, for a summary.
  public var missingSteps: [CharterFormState.Step] { form.missingSteps }

  /// What could be added, and need not be.
  public var advice: [CharterFormValidation] { form.advice }

  // MARK: - Checklists

  /// The library's checklists, of which the charter gets those that are chosen.
  public var checklists: [Checklist] { library?.checklists.data ?? [] }

  /// Why checklists are not among those to choose from, where some or all are not.
  public var notices: [AppError] {
    guard let library else { return [] }
    return [library.checklists.errorValue].compactMap(\.self) + library.notices(of: Checklist.self)
  }

  /// Reads the library's checklists. Where that fails, ``notices`` say so, calling it again tries
  /// again, and the charter can be saved without them.
  public func load() async {
    guard let library, !library.checklists.isKnown else { return }
    await library.load(Checklist.self)
  }

  /// Chooses all checklists, as a form does that is opened anew.
  public func chooseAllChecklists() { checklistIDs = Set(checklists.map(\.id)) }

  // MARK: - Saving

  /// Saves the charter, unless the form does not allow it or it is saved already.
  ///
  /// A call while the charter is being saved waits for that and returns the same. Where the form was
  /// changed after it had been saved, that is a new charter, under an id of its own.
  ///
  /// - Returns: the charter, or `nil` where it could not be saved.
  @discardableResult
  public func saveCharter() async -> CharterModel? {
    if let saving { return await saving.value }
    validationErrors = CharterFormValidation.issues(in: form)
    (saveError, earlierCharter, isChecklistGone) = (nil, nil, false)
    if let savedCharter, form == savedForm { return savedCharter }
    guard !validationErrors.contains(where: \.isBlocking), let startDate = form.startDate,
      let endDate = form.endDate
    else { return nil }
    if savedCharter != nil {
      (savedCharter, savedForm) = (nil, nil)
      charterID = store.makeCharterID()
    }
    let task = Task { await save(form, from: startDate, to: endDate) }
    saving = task
    return await task.value
  }

  private func save(
    _ form: CharterFormState, from startDate: Date, to endDate: Date
  ) async -> CharterModel? {
    defer { saving = nil }
    do {
      let charter = try await store.createCharter(
        name: form.name, boatName: form.vessel, location: form.destination, startDate: startDate,
        endDate: endDate, region: form.region, guests: form.guests, crew: form.namedCrew,
        budget: form.budget, checklistIDs: library?.inOrder(checklistIDs) ?? [], id: charterID)
      (savedCharter, savedForm) = (charter, form)
      saved(charter)
      return charter
    } catch let error as CharterExists {
      // What was entered is neither dropped nor stored unasked: a retry would store it every time.
      earlierCharter = error.charter
      charterID = store.makeCharterID()
      return nil
    } catch RepositoryError.notFound {
      await library?.load(Checklist.self)
      checklistIDs.formIntersection(checklists.map(\.id))
      isChecklistGone = true
      return nil
    } catch {
      saveError = AppError(saving: error)
      return nil
    }
  }
}
