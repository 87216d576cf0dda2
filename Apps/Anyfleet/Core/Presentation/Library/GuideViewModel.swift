public import Foundation
public import Observation
public import OffshorePresentation

/// A practice guide, to read, to write, and to delete.
@MainActor @Observable
public final class GuideViewModel: EntryWriting {
  public let guideID: UUID
  /// Whether the guide is a new one.
  public let isNew: Bool
  public let editor: EntryEditor<GuideFormState>

  /// Why the guide could not be deleted or copied, where it could not.
  public private(set) var actionError: AppError?
  private var missingError: AppError?
  private let store: LibraryStore
  private let creatorID: UUID

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
    restore(.init())
  }

  private init(
    _ store: LibraryStore, _ guideID: UUID, _ creatorID: UUID,
    _ now: @escaping @MainActor () -> Date, isNew: Bool
  ) {
    self.store = store
    self.guideID = guideID
    self.creatorID = creatorID
    self.isNew = isNew
    editor = EntryEditor(id: guideID, creatorID: creatorID, now: now) {
      try await store.saveGuide($0, over: $1)
    }
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
    if let guide = guide.data, !isFilled { editor.fill(GuideFormState(guide)) }
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

  /// Why there is no guide to change. One that is deleted while it is being changed is none of that.
  public var loadError: AppError? { isFilled ? nil : guide.errorValue }

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
