public import Foundation
public import Observation
public import OffshorePresentation

/// Writing a checklist of the library, new or there already.
@MainActor @Observable
public final class ChecklistEditorViewModel {
  /// The id under which the checklist is stored, so that saving a form twice stores one.
  public let checklistID: UUID
  /// Whether the checklist is a new one.
  public let isNew: Bool

  /// What is entered.
  public var form = ChecklistFormState()
  /// Whether the form has what is stored, so that it can be changed.
  public private(set) var isLoaded = false
  /// Whether the checklist is on its way.
  public var isLoading: Bool { loading != nil }
  /// Why the checklist could not be loaded. Nothing can be saved then.
  public private(set) var loadError: AppError?
  /// Whether the checklist is on its way to the disk.
  public var isSaving: Bool { saving != nil }
  /// Why the checklist could not be saved, where it could not.
  public private(set) var saveError: AppError?
  /// What kept the form from being saved when that was last tried.
  public private(set) var validationErrors: [EntryProblem<ChecklistFormField>] = []
  /// The checklist, once it is saved.
  public private(set) var savedChecklist: Checklist?

  /// The checklist as it was when it was loaded or saved.
  private var base: Checklist?
  private var loading: Task<Void, Never>?
  private var saving: Task<Checklist?, Never>?
  private let store: LibraryStore
  private let creatorID: UUID
  private let now: @MainActor () -> Date

  /// Takes what the screen needs, for a checklist that is there. Nothing is read before ``load()``.
  ///
  /// - Parameters:
  ///   - store: stores the checklist.
  ///   - checklistID: the checklist.
  ///   - creatorID: the session's user.
  ///   - now: the current date.
  public convenience init(
    store: LibraryStore, checklistID: UUID, creatorID: UUID,
    now: @escaping @MainActor () -> Date = { Date() }
  ) {
    self.init(store, checklistID, creatorID, now, isNew: false)
  }

  /// Takes what the screen needs, for a new checklist, which begins with one empty item.
  ///
  /// - Parameter draftID: the id that the form was given before, where it was; a new one unless
  ///   stated.
  public convenience init(
    store: LibraryStore, draftID: UUID? = nil, creatorID: UUID,
    now: @escaping @MainActor () -> Date = { Date() }
  ) {
    self.init(store, draftID ?? store.makeEntryID(), creatorID, now, isNew: true)
    addSection()
    isLoaded = true
  }

  private init(
    _ store: LibraryStore, _ checklistID: UUID, _ creatorID: UUID,
    _ now: @escaping @MainActor () -> Date, isNew: Bool
  ) {
    self.store = store
    self.checklistID = checklistID
    self.creatorID = creatorID
    self.now = now
    self.isNew = isNew
  }

  // MARK: - Loading

  /// Fills the form with what is stored, once; what is entered then stays.
  ///
  /// Where it fails, ``loadError`` says why, and calling it again tries again. A call while another
  /// one loads waits with it.
  public func load() async {
    guard !isLoaded else { return }
    let loading = loading ?? Task { await loadOnce() }
    self.loading = loading
    await loading.value
  }

  private func loadOnce() async {
    defer { loading = nil }
    do {
      let checklist = try await store.fetchChecklist(checklistID)
      (base, form) = (checklist, ChecklistFormState(checklist))
      (isLoaded, loadError) = (true, nil)
    } catch {
      loadError = error.asAppError
    }
  }

  // MARK: - Changing

  /// Adds a section with an empty item at the end.
  public func addSection() {
    let id = store.makeEntryID()
    form.addSection(id: id)
    addItem(to: id)
  }

  /// Adds an empty item at the end of a section.
  public func addItem(to sectionID: UUID) {
    form.addItem(id: store.makeEntryID(), to: sectionID)
  }

  /// What keeps a field from being saved, where that was tried.
  public func problem(_ field: ChecklistFormField) -> LocalizedText? {
    validationErrors.first { $0.field == field }?.message
  }

  // MARK: - Saving

  /// Saves the checklist, unless the form does not allow it.
  ///
  /// A call while the checklist is being saved waits for that and returns the same.
  ///
  /// - Returns: the checklist, or `nil` where it could not be saved; the form stays as it is.
  @discardableResult
  public func save() async -> Checklist? {
    if let saving { return await saving.value }
    guard isLoaded else { return nil }
    (saveError, validationErrors) = (nil, form.problems)
    guard validationErrors.isEmpty else { return nil }
    let checklist = makeChecklist()
    let task = Task { await save(checklist) }
    saving = task
    return await task.value
  }

  private func save(_ checklist: Checklist) async -> Checklist? {
    defer { saving = nil }
    do {
      try await store.saveChecklist(checklist)
      (base, savedChecklist) = (checklist, checklist)
      return checklist
    } catch {
      saveError = AppError(saving: error)
      return nil
    }
  }

  private func makeChecklist() -> Checklist {
    Checklist(
      id: checklistID, title: form.title.trimmed, sections: form.trimmedSections,
      creatorID: base?.creatorID ?? creatorID, description: form.description.trimmedOrNil,
      createdAt: base?.createdAt ?? now())
  }
}
