package import Foundation
import Observation
import Offshore
package import OffshorePresentation
package import OffshoreWire

/// The model of a charter with the progress of its checklists, observed live.
@MainActor @Observable
package final class CharterDetailViewModel {
  package let charterID: UUID
  /// The reason why the latest change failed, or `nil`.
  package private(set) var actionError: AppError?
  /// The title of the checklist that the latest change removed, for a message.
  package private(set) var unassignedTitle: String?

  private let liveCharter: Live<CharterModel?>
  private let liveChecklists: Live<ReadableRows<CharterChecklist>>
  private let liveHistory: Live<HistoryContent?>?
  private let charterStore: CharterStore
  private let libraryStore: LibraryStore
  private let executions: ExecutionStore
  private let executionRepository: any ChecklistExecutionRepository
  private let checklistRepository: any CharterChecklistRepository
  private let access: ScopeAccess?

  /// Creates a model. Nothing is read before ``load()``.
  ///
  /// - Parameters:
  ///   - access: the role of the account; without it, the charter may be edited.
  ///   - history: the history of the charter, if the screen shows the number of its entries.
  package init(
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

  // MARK: - State

  /// The charter; the error `database(.notFound)` if it does not exist.
  package var charter: ViewState<CharterModel> {
    liveCharter.state.flatMap { $0.map { .loaded($0) } ?? .error(.database(.notFound)) }
  }

  /// The checklists of the charter with their progress, in their order.
  package var checklists: ViewState<[ChecklistProgress]> {
    executions.states.flatMap { states in
      liveChecklists.state.flatMap(\.state).map {
        $0.map { ChecklistProgress(of: $0.snapshot, in: states) }
      }
    }
  }

  /// The checklists of the library that the charter does not have.
  package var availableChecklists: ViewState<[Checklist]> {
    liveChecklists.state.flatMap { assigned in
      let ids = Set(assigned.rows.map(\.checklistID))
      return libraryStore.checklists.flatMap { ViewState($0.filter { !ids.contains($0.id) }) }
    }
  }

  /// The role of the account in the charter; `nil` if the server has not assigned one.
  package var role: Role? { access?.role }

  /// Whether the charter may be edited on this device.
  package var canEdit: Bool { access?.canEdit ?? true }

  /// Whether the charter may be deleted on this device. A shared charter may be deleted by owners
  /// only.
  package var canDelete: Bool { canEdit && [nil, .owner].contains(role) }

  /// The number of entries of the charter's history.
  package var historyCount: Int { liveHistory?.state.data??.entries.count ?? 0 }

  /// The phase of the charter today.
  package var phase: CharterPhase? { charter.data.map { charterStore.phase(of: $0) } }

  /// The errors of unreadable rows, and of failed refreshes.
  package var notices: [AppError] {
    executions.unreadable + (liveChecklists.state.data?.unreadable.map(\.asAppError) ?? [])
      + libraryStore.notices(of: Checklist.self)
      + [
        liveCharter.refreshError?.forShownValue, liveChecklists.refreshError,
        executions.refreshError,
        liveHistory?.refreshError, access?.error,
      ].compactMap(\.self)
  }

  /// Reads the charter, its checklists and their progress, and observes them from then on.
  package func load() async {
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

  /// Adds snapshots of library checklists to the charter, in the order of the library.
  /// - Returns: `false` if none was added, with the reason in ``actionError``.
  @discardableResult
  package func assign(_ ids: Set<UUID>) async -> Bool {
    await perform {
      let ids = libraryStore.inLibraryOrder(ids)
      try await checklistRepository.assignChecklists(ids, toCharter: charterID)
    }
  }

  /// Removes a checklist from the charter. Its progress is retained.
  /// - Returns: `false` if it failed, with the reason in ``actionError``.
  @discardableResult
  package func unassign(_ id: UUID) async -> Bool {
    let title = liveChecklists.state.data?.rows.first { $0.checklistID == id }?.snapshot.title
    return await perform {
      try await checklistRepository.unassignChecklist(id, fromCharter: charterID)
      unassignedTitle = title
    }
  }

  /// Moves a checklist to a position among the charter's, starting at 0. Larger positions mean the
  /// last.
  /// - Returns: `false` if it failed, with the reason in ``actionError``.
  @discardableResult
  package func move(_ id: UUID, to position: Int) async -> Bool {
    var ids = liveChecklists.state.data?.rows.map(\.checklistID) ?? []
    guard let index = ids.firstIndex(of: id) else { return true }
    ids.remove(at: index)
    ids.insert(id, at: min(max(0, position), ids.count))
    return await perform { [ids] in
      try await checklistRepository.reorderChecklists(ids, ofCharter: charterID)
    }
  }

  /// The check-in checklist of the charter, or `nil`.
  package var checkInChecklistID: UUID? { charter.data?.checkInChecklistID }

  /// Makes a checklist the check-in checklist, which is the first in the report, or not.
  /// - Returns: `false` if it failed, with the reason in ``actionError``.
  @discardableResult
  package func setCheckIn(_ isOn: Bool, checklistID id: UUID) async -> Bool {
    await perform {
      try await charterStore.setCheckIn(isOn, checklistID: id, charterID: charterID)
    }
  }

  /// A closure that restores deleted rows.
  package typealias Restore = @MainActor () async throws -> Void

  /// Deletes all progress of a checklist.
  /// - Returns: a closure that restores the progress except for items that were edited since; `nil`
  ///   if there was no progress, or if it failed with ``actionError``.
  @discardableResult
  package func resetChecklist(_ id: UUID) async -> Restore? {
    var cleared: ClearedExecution?
    _ = await perform {
      cleared = try await executionRepository.clearExecutionState(
        checklistID: id, charterID: charterID)
    }
    guard let cleared else { return nil }
    return { [executionRepository] in try await executionRepository.restoreExecutionState(cleared) }
  }

  // MARK: - The charter

  /// Makes the charter the active one, or inactive.
  /// - Returns: `false` if it failed, with the reason in ``actionError``.
  @discardableResult
  package func setActive(_ isActive: Bool) async -> Bool {
    await perform(isPersonal: true) {
      if isActive {
        try await charterStore.setActive(charterID)
      } else {
        try await charterStore.deactivate(charterID)
      }
    }
  }

  /// Moves the charter into the archive or out of it.
  /// - Returns: `false` if it failed, with the reason in ``actionError``.
  @discardableResult
  package func setArchived(_ isArchived: Bool) async -> Bool {
    await perform { try await charterStore.setArchived(isArchived, charterID: charterID) }
  }

  /// Deletes the charter with all its progress.
  /// - Returns: a closure that restores the charter; `nil` if it was deleted already, or if it
  ///   failed with ``actionError``.
  @discardableResult
  package func delete() async -> Restore? {
    var restore: Restore?
    _ = await perform {
      guard canDelete else { throw RepositoryError.forbidden }
      restore = try await charterStore.deleteCharter(charterID)
    }
    return restore
  }

  /// Deletes the copy of a charter that the account has left.
  /// - Returns: `false` if it failed, with the reason in ``actionError``.
  @discardableResult
  package func removeCopy() async -> Bool {
    await perform(isPersonal: true) { try await access?.removeCopy() }
  }

  /// - Parameter isPersonal: whether the change concerns the user only, so that it needs no right
  ///   to edit the charter.
  private func perform(
    isPersonal: Bool = false, _ body: () async throws -> Void
  ) async -> Bool {
    unassignedTitle = nil
    do {
      guard isPersonal || canEdit else { throw RepositoryError.forbidden }
      try await body()
      actionError = nil
      return true
    } catch {
      actionError = AppError(saving: error)
      return false
    }
  }
}
