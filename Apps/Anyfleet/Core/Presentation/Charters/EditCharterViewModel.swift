public import Foundation
public import Observation
public import OffshorePresentation

/// Changing a charter that there is.
@MainActor @Observable
public final class EditCharterViewModel {
  public let charterID: UUID
  /// What is entered; the charter as it is, once that is loaded.
  public var form = CharterFormState()
  /// The charter as it was when it was loaded.
  public private(set) var charter = ViewState<CharterModel>.idle
  /// Whether the charter is on its way to the disk.
  public var isSaving: Bool { saving != nil }
  /// Why the charter could not be saved, where it could not.
  public private(set) var saveError: AppError?
  /// What kept the form from being saved when that was last tried, and what is advised.
  public private(set) var validationErrors: [CharterFormValidation] = []

  /// What the form began with.
  public private(set) var original = CharterFormState()
  private var saving: Task<CharterModel?, Never>?
  @ObservationIgnored private var loading: Task<Void, Never>?
  private let store: CharterStore
  private let saved: @MainActor (CharterModel) -> Void
  private let access: ScopeAccess?

  /// Takes what the screen needs. Nothing is read before ``load()``.
  ///
  /// - Parameters:
  ///   - charterID: the charter.
  ///   - store: stores the charter.
  ///   - saved: called when the charter is saved, to go back to it.
  ///   - access: knows whether the charter may be changed; it may unless stated.
  public init(
    charterID: UUID, store: CharterStore,
    saved: @escaping @MainActor (CharterModel) -> Void = { _ in },
    access: ScopeAccess? = nil
  ) {
    self.access = access
    self.charterID = charterID
    self.store = store
    self.saved = saved
  }

  /// Whether the charter may be changed here.
  public var canEdit: Bool { access?.canEdit ?? true }

  /// The share of the form's steps done as 0…1.
  public var completionProgress: Double { form.completionProgress }

  /// The steps that are still to do, for a summary.
  public var missingSteps: [CharterFormState.Step] { form.missingSteps }

  /// What could be added, and need not be.
  public var advice: [CharterFormValidation] { form.advice }

  /// Reads the charter into the form, unless it is there already: what is typed stays.
  public func load() async {
    guard !charter.isKnown else { return }
    let loading = loading ?? Task { await loadOnce() }
    self.loading = loading
    await loading.value
  }

  private func loadOnce() async {
    defer { loading = nil }
    charter = .loading
    await access?.load()
    do {
      let stored = try await store.storedCharter(charterID)
      original = CharterFormState(stored)
      form = original
      charter = .loaded(stored)
    } catch {
      charter = .error(error.asAppError)
    }
  }

  /// Takes what was entered on a screen that may be gone, and what it had begun with.
  public func restore(_ form: CharterFormState, since original: CharterFormState) {
    (self.form, self.original) = (form, original)
  }

  /// Saves what was changed, unless the form does not allow it or the charter is not loaded.
  ///
  /// What others changed meanwhile in other fields stays. Where they changed the same, ``saveError``
  /// is `SyncError.conflict`, what is entered stays, and saving again replaces what they stored. A
  /// call while the charter is being saved waits for that and returns the same.
  ///
  /// - Returns: the charter, or `nil` where it could not be saved.
  @discardableResult
  public func saveCharter() async -> CharterModel? {
    if let saving { return await saving.value }
    guard charter.data != nil else { return nil }
    validationErrors = CharterFormValidation.issues(in: form)
    saveError = nil
    guard !validationErrors.contains(where: \.isBlocking) else { return nil }
    let task = Task { await save(form) }
    saving = task
    return await task.value
  }

  private func save(_ form: CharterFormState) async -> CharterModel? {
    defer { saving = nil }
    do {
      guard canEdit else { throw RepositoryError.forbidden }
      let changed = try await store.updateCharter(charterID, with: form, since: original)
      (original, charter) = (form, .loaded(changed))
      saved(changed)
      return changed
    } catch {
      if case .conflict = (error as? RepositoryError)?.kind { await rebase() }
      saveError = AppError(saving: error)
      return nil
    }
  }

  /// Lets the next attempt replace what stood in the way of this one.
  private func rebase() async {
    guard let stored = try? await store.storedCharter(charterID) else { return }
    let now = CharterFormState(stored)
    form = form.rebased(from: original, to: now)
    (original, charter) = (now, .loaded(stored))
  }
}

extension CharterFormState {
  /// What could be added, and need not be.
  var advice: [CharterFormValidation] {
    CharterFormValidation.issues(in: self).filter { !$0.isBlocking }
  }
}
