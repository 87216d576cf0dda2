public import Foundation
public import Observation
public import OffshorePresentation

/// A charter with its checklists and how far they have got, observed live.
@MainActor @Observable
public final class CharterDetailViewModel {
  public let charterID: UUID
  /// Why the charter could not be deleted, where it could not.
  public private(set) var deleteError: AppError?

  private var fetched = ViewState<CharterModel>.idle
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
    self.libraryStore = libraryStore
    executions = ExecutionStore(repository: executionRepository, charterID: charterID)
  }

  /// The charter: as the store follows it, or as it was read where the store has not got it.
  public var charter: ViewState<CharterModel> {
    guard fetched.data != nil, charterStore.charterState.isKnown else { return fetched }
    guard let current = charterStore.charters.first(where: { $0.id == charterID }) else {
      return .error(.database(.notFound))
    }
    return .loaded(current)
  }

  /// The library's checklists with their progress in this charter.
  public var checklists: ViewState<[ChecklistProgress]> {
    if let error = executions.states.errorValue { return .error(error) }
    guard executions.states.isKnown else { return .loading }
    let states = Dictionary(
      (executions.states.data ?? []).map { ($0.checklistID, $0) },
      uniquingKeysWith: { first, _ in first })
    return libraryStore.checklists.map { checklists in
      checklists.map { ChecklistProgress(of: $0, in: states[$0.id]) }
    }
  }

  /// Reads the charter, its checklists, and their progress, and follows them from then on.
  public func load() async {
    if fetched.data == nil { fetched = .loading }
    do {
      let charter = try await charterStore.fetchCharter(charterID)
      async let states: Void = executions.load()
      if !charterStore.charterState.isKnown { await charterStore.loadCharters() }
      if !libraryStore.checklists.isKnown { await libraryStore.loadChecklists() }
      await states
      fetched = .loaded(charter)
    } catch {
      fetched = .error(error.asAppError)
    }
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
