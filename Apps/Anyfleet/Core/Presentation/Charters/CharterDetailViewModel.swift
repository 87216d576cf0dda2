public import Foundation
public import Observation
public import OffshorePresentation

/// A charter with its checklists and how far they have got, observed live.
@MainActor @Observable
public final class CharterDetailViewModel {
  public let charterID: UUID
  /// Why the charter could not be deleted, where it could not.
  public private(set) var deleteError: AppError?

  private let liveCharter: Live<CharterModel?>
  private let charterStore: CharterStore
  private let libraryStore: LibraryStore
  private let executions: ExecutionStore

  /// Takes what the screen needs. Nothing is read before ``load()``.
  public init(
    charterID: UUID, charterStore: CharterStore, libraryStore: LibraryStore,
    executionRepository: any ChecklistExecutionRepository
  ) {
    self.charterID = charterID
    self.charterStore = charterStore
    liveCharter = charterStore.liveCharter(charterID)
    self.libraryStore = libraryStore
    executions = ExecutionStore(repository: executionRepository, charterID: charterID)
  }

  /// The charter; an error where there is none.
  public var charter: ViewState<CharterModel> {
    liveCharter.state.flatMap { $0.map { .loaded($0) } ?? .error(.database(.notFound)) }
  }

  /// The library's checklists with their progress in this charter.
  public var checklists: ViewState<[ChecklistProgress]> {
    executions.states.flatMap { states in
      libraryStore.checklists.map { $0.map { ChecklistProgress(of: $0, in: states) } }
    }
  }

  /// What is left out of what shows because it cannot be read, and why the rest may be out of date.
  public var notices: [AppError] {
    executions.unreadable + libraryStore.unreadableChecklists
      + [liveCharter.refreshError, executions.refreshError, libraryStore.refreshError]
      .compactMap(\.self)
  }

  /// Reads the charter, its checklists, and their progress, and follows them from then on.
  public func load() async {
    async let charter: Void = liveCharter.load()
    async let states: Void = executions.load()
    if !libraryStore.checklists.isKnown { await libraryStore.loadChecklists() }
    _ = await (charter, states)
  }

  /// Removes the charter with all its progress.
  /// - Returns: whether it is gone; if not, ``deleteError`` says why.
  public func delete() async -> Bool {
    do {
      try await charterStore.deleteCharter(charterID)
      deleteError = nil
      return true
    } catch {
      deleteError = AppError(saving: error)
      return false
    }
  }
}
