public import Foundation
public import Observation
public import OffshorePresentation

/// Writing a checklist of the library, new or there already.
@MainActor @Observable
public final class ChecklistEditorViewModel: EntryWriting {
  public let checklistID: UUID
  /// Whether the checklist is a new one.
  public let isNew: Bool
  public let editor: EntryEditor<ChecklistFormState>

  /// Whether the checklist is on its way.
  public var isLoading: Bool { loading != nil }
  /// Why the checklist could not be loaded. Nothing can be saved then.
  public private(set) var loadError: AppError?
  private var loading: Task<Void, Never>?
  private let store: LibraryStore

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
    restore(.init())
    addSection()
  }

  private init(
    _ store: LibraryStore, _ checklistID: UUID, _ creatorID: UUID,
    _ now: @escaping @MainActor () -> Date, isNew: Bool
  ) {
    self.store = store
    self.checklistID = checklistID
    self.isNew = isNew
    editor = EntryEditor(id: checklistID, creatorID: creatorID, now: now) {
      try await store.saveChecklist($0, over: $1)
    }
  }

  // MARK: - Loading

  /// Fills the form with what is stored, once; what is entered then stays.
  ///
  /// Where it fails, ``loadError`` says why, and calling it again tries again. A call while another
  /// one loads waits with it.
  public func load() async {
    guard !isFilled else { return }
    let loading = loading ?? Task { await loadOnce() }
    self.loading = loading
    await loading.value
  }

  private func loadOnce() async {
    defer { loading = nil }
    do {
      let checklist = try await store.fetchChecklist(checklistID)
      if !isFilled { editor.fill(ChecklistFormState(checklist)) }
      loadError = nil
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
}
