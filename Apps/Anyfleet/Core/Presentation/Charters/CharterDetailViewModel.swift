public import Foundation
public import Observation
import Offshore
public import OffshorePresentation
public import OffshoreWire

/// A charter with its checklists and how far they have got, observed live.
@MainActor @Observable
public final class CharterDetailViewModel {
  public let charterID: UUID
  /// Why the last change did not happen, where it did not.
  public private(set) var actionError: AppError?
  /// What a checklist is called that the last change took from the charter, to be told.
  public private(set) var unassignedTitle: String?

  private let liveCharter: Live<CharterModel?>
  private let liveChecklists: Live<ReadableRows<CharterChecklist>>
  private let liveHistory: Live<HistoryContent?>?
  private let charterStore: CharterStore
  private let libraryStore: LibraryStore
  private let executions: ExecutionStore
  private let executionRepository: any ChecklistExecutionRepository
  private let checklistRepository: any CharterChecklistRepository
  private let access: ScopeAccess?

  /// Takes what the screen needs. Nothing is read before ``load()``.
  ///
  /// - Parameters:
  ///   - access: knows whether the charter may be changed; it may unless stated.
  ///   - history: the history of the charter, if the screen shows that it has entries.
  public init(
    charterID: UUID, charterStore: CharterStore, libraryStore: LibraryStore,
    checklistRepository: any CharterChecklistRepository,
    executionRepository: any ChecklistExecutionRepository,
    access: ScopeAccess? = nil, history: History? = nil
  ) {
    self.charterID = charterID
    self.access = access
    self.charterStore = charterStore
    liveCharter = charterStore.liveCharter(charterID)
    liveChecklists = Live { checklistRepository.charterChecklists(charterID) }
    liveHistory = history.map { history in Live { history.contents() } }
    self.libraryStore = libraryStore
    self.checklistRepository = checklistRepository
    self.executionRepository = executionRepository
    executions = ExecutionStore(repository: executionRepository, charterID: charterID)
  }

  // MARK: - What there is

  /// The charter; an error where there is none.
  public var charter: ViewState<CharterModel> {
    liveCharter.state.flatMap { $0.map { .loaded($0) } ?? .error(.database(.notFound)) }
  }

  /// The charter's checklists in their order, with their progress.
  public var checklists: ViewState<[ChecklistProgress]> {
    executions.states.flatMap { states in
      liveChecklists.state.flatMap(\.state).map {
        $0.map { ChecklistProgress(of: $0.snapshot, in: states) }
      }
    }
  }

  /// The library's checklists that the charter does not have.
  public var availableChecklists: ViewState<[Checklist]> {
    liveChecklists.state.flatMap { assigned in
      let ids = Set(assigned.rows.map(\.checklistID))
      return libraryStore.checklists.flatMap { ViewState($0.filter { !ids.contains($0.id) }) }
    }
  }

  /// What the account may do with the charter, where a server has said so.
  public var role: Role? { access?.role }

  /// Whether the charter may be changed here.
  public var canEdit: Bool { access?.canEdit ?? true }

  /// Whether the charter may be deleted here: by its owners alone if it is shared.
  public var canDelete: Bool { canEdit && [nil, .owner].contains(role) }

  /// The number of entries of the charter's history.
  public var historyCount: Int { liveHistory?.state.data??.entries.count ?? 0 }

  /// Where the charter lies in time, today.
  public var phase: CharterPhase? { charter.data.map { charterStore.phase(of: $0) } }

  /// What is left out of what shows because it cannot be read, and why the rest may be out of date.
  public var notices: [AppError] {
    executions.unreadable + (liveChecklists.state.data?.unreadable.map(\.asAppError) ?? [])
      + libraryStore.notices(of: Checklist.self)
      + [
        liveCharter.refreshError?.ofShown, liveChecklists.refreshError, executions.refreshError,
        liveHistory?.refreshError, access?.error,
      ].compactMap(\.self)
  }

  /// Reads the charter, its checklists, and their progress, and follows them from then on.
  public func load() async {
    charterStore.today.refresh()
    async let charter: Void = liveCharter.load()
    async let checklists: Void = liveChecklists.load()
    async let states: Void = executions.load()
    async let role: Void? = access?.load()
    async let history: Void? = liveHistory?.load()
    if !libraryStore.checklists.isKnown { await libraryStore.load(Checklist.self) }
    _ = await (charter, checklists, states, role, history)
  }

  // MARK: - Checklists

  /// Gives the charter checklists of the library, as they are now, in the library's order.
  /// - Returns: whether it has them all; if not, it has none more, and ``actionError`` says why.
  @discardableResult
  public func assign(_ ids: Set<UUID>) async -> Bool {
    await perform {
      let ids = libraryStore.inOrder(ids)
      try await checklistRepository.assignChecklists(ids, toCharter: charterID)
    }
  }

  /// Takes a checklist from the charter, and keeps the progress on it.
  /// - Returns: whether it is gone; if not, ``actionError`` says why.
  @discardableResult
  public func unassign(_ id: UUID) async -> Bool {
    let title = liveChecklists.state.data?.rows.first { $0.checklistID == id }?.snapshot.title
    return await perform {
      try await checklistRepository.unassignChecklist(id, fromCharter: charterID)
      unassignedTitle = title
    }
  }

  /// Moves a checklist to a place among the charter's, counted from 0; beyond the last is the last.
  /// - Returns: whether it is there; if not, ``actionError`` says why.
  @discardableResult
  public func move(_ id: UUID, to place: Int) async -> Bool {
    var ids = liveChecklists.state.data?.rows.map(\.checklistID) ?? []
    guard let index = ids.firstIndex(of: id) else { return true }
    ids.remove(at: index)
    ids.insert(id, at: min(max(0, place), ids.count))
    return await perform { [ids] in
      try await checklistRepository.reorderChecklists(ids, ofCharter: charterID)
    }
  }

  /// The checklist by which the boat is taken over, where one is chosen.
  public var checkInChecklistID: UUID? { charter.data?.checkInChecklistID }

  /// Says whether the boat is taken over by a checklist, with which the report then begins.
  /// - Returns: whether that is so now; if not, ``actionError`` says why.
  @discardableResult
  public func setCheckIn(_ isOn: Bool, checklistID id: UUID) async -> Bool {
    await perform {
      try await charterStore.setCheckIn(isOn, checklistID: id, charterID: charterID)
    }
  }

  /// Restores removed rows.
  public typealias Restore = @MainActor () async throws -> Void

  /// Removes all progress on a checklist.
  /// - Returns: restores the progress, except for items that were ticked since; `nil` if there was none, or
  ///   if ``actionError`` says why it was not removed.
  @discardableResult
  public func resetChecklist(_ id: UUID) async -> Restore? {
    var cleared: ClearedExecution?
    _ = await perform {
      cleared = try await executionRepository.clearExecutionState(
        checklistID: id, charterID: charterID)
    }
    guard let cleared else { return nil }
    return { [executionRepository] in try await executionRepository.restoreExecutionState(cleared) }
  }

  // MARK: - The charter

  /// Makes the charter the one that the user sails now, or not.
  /// - Returns: whether that is so now; if not, ``actionError`` says why.
  @discardableResult
  public func setActive(_ isActive: Bool) async -> Bool {
    await perform(isOwn: true) {
      if isActive {
        try await charterStore.setActive(charterID)
      } else {
        try await charterStore.endActivity(of: charterID)
      }
    }
  }

  /// Puts the charter into the archive or takes it out.
  /// - Returns: whether that is so now; if not, ``actionError`` says why.
  @discardableResult
  public func setArchived(_ isArchived: Bool) async -> Bool {
    await perform { try await charterStore.setArchived(isArchived, charterID: charterID) }
  }

  /// Deletes the charter with all its progress.
  /// - Returns: restores the charter; `nil` if it was deleted already, or if ``actionError`` says why it was
  ///   not deleted.
  @discardableResult
  public func delete() async -> Restore? {
    var restore: Restore?
    _ = await perform {
      guard canDelete else { throw RepositoryError.forbidden }
      restore = try await charterStore.deleteCharter(charterID)
    }
    return restore
  }

  /// Takes the copy away that stayed of a charter which the account has left.
  /// - Returns: whether it is gone; if not, ``actionError`` says why.
  @discardableResult
  public func removeCopy() async -> Bool {
    await perform(isOwn: true) { try await access?.removeCopy() }
  }

  /// - Parameter isOwn: whether the change is of what is everybody's own, and not the charter's.
  private func perform(
    isOwn: Bool = false, _ body: () async throws -> Void
  ) async -> Bool {
    unassignedTitle = nil
    do {
      guard isOwn || canEdit else { throw RepositoryError.forbidden }
      try await body()
      actionError = nil
      return true
    } catch {
      actionError = AppError(saving: error)
      return false
    }
  }
}
