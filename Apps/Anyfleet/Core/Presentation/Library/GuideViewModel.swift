public import Foundation
public import Observation
public import OffshorePresentation

/// A practice guide, to read, to write, and to delete.
@MainActor @Observable
public final class GuideViewModel {
  /// The id under which the guide is stored, so that saving a form twice stores one.
  public let guideID: UUID
  /// Whether the guide is a new one.
  public let isNew: Bool

  /// What is entered.
  public var form = GuideFormState()
  /// Whether the guide is on its way to the disk.
  public var isSaving: Bool { saving != nil }
  /// Why the guide could not be saved, where it could not.
  public private(set) var saveError: AppError?
  /// Why the guide could not be deleted or copied, where it could not.
  public private(set) var actionError: AppError?
  /// What kept the form from being saved when that was last tried.
  public private(set) var validationErrors: [EntryProblem<GuideFormState.Field>] = []

  private var isFilled = false
  private var missingError: AppError?
  private var base: PracticeGuide?
  private var saving: Task<PracticeGuide?, Never>?
  private let store: LibraryStore
  private let creatorID: UUID
  private let now: @MainActor () -> Date

  /// Takes what the screen needs, for a guide that is there. Nothing is read before ``load()``.
  ///
  /// - Parameters:
  ///   - store: stores the guide.
  ///   - guideID: the guide.
  ///   - creatorID: the session's user.
  ///   - now: the current date.
  public convenience init(
    store: LibraryStore, guideID: UUID, creatorID: UUID,
    now: @escaping @MainActor () -> Date = { Date() }
  ) {
    self.init(store, guideID, creatorID, now, isNew: false)
  }

  /// Takes what the screen needs, for a new guide.
  ///
  /// - Parameter draftID: the id that the form was given before, where it was; a new one unless
  ///   stated.
  public convenience init(
    store: LibraryStore, draftID: UUID? = nil, creatorID: UUID,
    now: @escaping @MainActor () -> Date = { Date() }
  ) {
    self.init(store, draftID ?? store.makeEntryID(), creatorID, now, isNew: true)
    isFilled = true
  }

  private init(
    _ store: LibraryStore, _ guideID: UUID, _ creatorID: UUID,
    _ now: @escaping @MainActor () -> Date, isNew: Bool
  ) {
    self.store = store
    self.guideID = guideID
    self.creatorID = creatorID
    self.now = now
    self.isNew = isNew
  }

  // MARK: - Showing

  /// The guide; an error where there is none.
  public var guide: ViewState<PracticeGuide> {
    store.guides.element(guideID, missing: missingError)
  }

  /// The guide's text with its structure.
  public var content: ViewState<Markdown> { guide.map { Markdown($0.body) } }

  /// Reads the guide, follows it from then on, and fills the form with it, once.
  public func load() async {
    guard !isNew else { return }
    if !store.guides.isKnown { await store.loadGuides() }
    if guide.data == nil, store.guides.isKnown { await lookForMissing() }
    if let guide = guide.data, !isFilled { (base, form, isFilled) = (guide, .init(guide), true) }
  }

  /// Asks why the guide is not among those that can be read.
  private func lookForMissing() async {
    do {
      _ = try await store.fetchGuide(guideID)
      await store.loadGuides()
      missingError = nil
    } catch {
      missingError = error.asAppError
    }
  }

  // MARK: - Writing

  /// What keeps a field from being saved, where that was tried.
  public func problem(_ field: GuideFormState.Field) -> LocalizedText? {
    validationErrors.first { $0.field == field }?.message
  }

  /// Saves the guide, unless the form does not allow it.
  ///
  /// A call while the guide is being saved waits for that and returns the same.
  ///
  /// - Returns: the guide, or `nil` where it could not be saved; the form stays as it is.
  @discardableResult
  public func save() async -> PracticeGuide? {
    if let saving { return await saving.value }
    guard isFilled else { return nil }
    (saveError, validationErrors) = (nil, form.problems)
    guard validationErrors.isEmpty else { return nil }
    let guide = makeGuide()
    let task = Task { await save(guide) }
    saving = task
    return await task.value
  }

  private func save(_ guide: PracticeGuide) async -> PracticeGuide? {
    defer { saving = nil }
    do {
      try await store.saveGuide(guide)
      base = guide
      return guide
    } catch {
      saveError = AppError(saving: error)
      return nil
    }
  }

  private func makeGuide() -> PracticeGuide {
    PracticeGuide(
      id: guideID, title: form.title.trimmed, body: form.body.trimmed, tags: form.tagList,
      creatorID: base?.creatorID ?? creatorID, createdAt: base?.createdAt ?? now())
  }

  // MARK: - Deleting and copying

  /// Removes the guide; ``LibraryStore/restoreEntry(_:in:)`` puts it back.
  /// - Returns: whether it is gone; if not, ``actionError`` says why.
  public func delete() async -> Bool {
    await attempt { try await store.deleteGuide(guideID) } != nil
  }

  /// Stores a copy.
  /// - Parameter language: the language in which its title says that it is one.
  /// - Returns: the copy, or `nil` where ``actionError`` says why there is none.
  public func duplicate(in language: Language) async -> PracticeGuide? {
    await attempt { try await store.duplicateGuide(guideID, by: creatorID, in: language) }
  }

  private func attempt<Result>(_ action: () async throws -> Result) async -> Result? {
    do {
      let result = try await action()
      actionError = nil
      return result
    } catch {
      actionError = AppError(saving: error)
      return nil
    }
  }
}
