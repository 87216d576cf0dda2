public import Foundation
public import Observation
public import OffshorePresentation

/// Writing a checklist: of the library, new or there already, or a charter's snapshot of one.
@MainActor @Observable
public final class ChecklistEditorViewModel: EntryWriting {
  public let checklistID: UUID
  /// The charter whose snapshot is written; none where it is the library's checklist.
  public let charterID: UUID?
  /// Whether the checklist is a new one.
  public let isNew: Bool
  public let editor: EntryEditor<ChecklistFormState>

  /// Whether the checklist is on its way.
  public var isLoading: Bool { loading != nil }
  /// Why the checklist could not be loaded. Nothing can be saved then.
  public private(set) var loadError: AppError?
  private var loading: Task<Void, Never>?
  private let store: LibraryStore
  private let access: CharterAccess?

  /// Takes what the screen needs, for a checklist that is there. Nothing is read before ``load()``.
  ///
  /// - Parameters:
  ///   - store: stores the checklist.
  ///   - checklistID: the checklist.
  ///   - charterID: the charter whose snapshot is written; the library's checklist unless stated.
  ///   - creatorID: the session's user.
  ///   - now: the current date.
  ///   - access: knows whether the charter may be changed; it may unless stated.
  public convenience init(
    store: LibraryStore, checklistID: UUID, charterID: UUID? = nil, creatorID: UUID,
    now: @escaping @MainActor () -> Date = { Date() }, access: CharterAccess? = nil
  ) {
    self.init(store, checklistID, charterID, creatorID, now, access, isNew: false)
  }

  /// Takes what the screen needs, for a new checklist, which begins with one empty item.
  ///
  /// - Parameter draftID: the id that the form was given before, where it was; a new one unless
  ///   stated.
  public convenience init(
    store: LibraryStore, draftID: UUID? = nil, creatorID: UUID,
    now: @escaping @MainActor () -> Date = { Date() }
  ) {
    self.init(store, draftID ?? store.makeEntryID(), nil, creatorID, now, nil, isNew: true)
    restore(.init())
    addSection()
  }

  private init(
    _ store: LibraryStore, _ checklistID: UUID, _ charterID: UUID?, _ creatorID: UUID,
    _ now: @escaping @MainActor () -> Date, _ access: CharterAccess?, isNew: Bool
  ) {
    self.store = store
    self.access = access
    self.checklistID = checklistID
    self.charterID = charterID
    self.isNew = isNew
    editor = EntryEditor(id: checklistID, creatorID: creatorID, now: now) {
      guard let charterID else { return try await store.saveChecklist($0, over: $1) }
      return try await store.saveChecklist($0, inCharter: charterID, over: $1)
    }
  }

  /// Whether the checklist may be changed here: one of the library always, a charter's by its crew.
  public var canEdit: Bool { access?.canEdit ?? true }

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
    await access?.load()
    do {
      let form = try await stored()
      if !isFilled { editor.fill(form) }
      loadError = nil
    } catch {
      loadError = error.asAppError
    }
  }

  /// What there is to change. A checklist that the charter does not have yet begins as the library's.
  private func stored() async throws -> ChecklistFormState {
    if let charterID,
      let snapshot = try await store.fetchChecklist(checklistID, ofCharter: charterID)
    {
      return ChecklistFormState(snapshot)
    }
    var form = ChecklistFormState(try await store.fetchChecklist(checklistID))
    if charterID != nil { form.basedOn = nil }
    return form
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
