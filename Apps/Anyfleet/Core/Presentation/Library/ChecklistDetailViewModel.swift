public import Foundation
public import Observation
public import OffshorePresentation

/// A checklist of the library, to look through, to copy, and to delete.
@MainActor @Observable
public final class ChecklistDetailViewModel {
  public let checklistID: UUID
  /// Why the checklist could not be deleted or copied, where it could not.
  public private(set) var actionError: AppError?

  private var missingError: AppError?
  private let store: LibraryStore
  private let creatorID: UUID

  /// Takes what the screen needs. Nothing is read before ``load()``.
  ///
  /// - Parameter creatorID: the session's user, whose a copy is.
  public init(store: LibraryStore, checklistID: UUID, creatorID: UUID) {
    self.store = store
    self.checklistID = checklistID
    self.creatorID = creatorID
  }

  /// The checklist; an error where there is none.
  public var checklist: ViewState<Checklist> {
    store.checklists.element(checklistID, missing: missingError)
  }

  /// Reads the checklist, and follows it from then on.
  public func load() async {
    if !store.checklists.isKnown { await store.loadChecklists() }
    if checklist.data == nil, store.checklists.isKnown { await lookForMissing() }
  }

  /// Asks why the checklist is not among those that can be read.
  private func lookForMissing() async {
    do {
      _ = try await store.fetchChecklist(checklistID)
      await store.loadChecklists()
      missingError = nil
    } catch {
      missingError = error.asAppError
    }
  }

  /// Removes the checklist; ``LibraryStore/restoreEntry(_:in:)`` puts it back.
  /// - Returns: whether it is gone; if not, ``actionError`` says why.
  public func delete() async -> Bool {
    await attempt { try await store.deleteChecklist(checklistID) } != nil
  }

  /// Stores a copy.
  /// - Parameter language: the language in which its title says that it is one.
  /// - Returns: the copy, or `nil` where ``actionError`` says why there is none.
  public func duplicate(in language: Language) async -> Checklist? {
    await attempt { try await store.duplicateChecklist(checklistID, by: creatorID, in: language) }
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
