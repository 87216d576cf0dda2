import Foundation
import Offshore
import Synchronization

@testable import Anyfleet

/// A real repository of states whose changes a test can delay or make fail.
final class ExecutionDouble: ChecklistExecutionRepository {
  private struct Hooks {
    var beforeSave: @Sendable () async throws -> Void = {}
    var afterSave: @Sendable () async throws -> Void = {}
    var saves: [Bool] = []
  }

  private let real: LocalRepository
  private let hooks = Mutex(Hooks())

  init(_ real: LocalRepository) { self.real = real }

  /// Sets a hook before each change of a tick, a note, an issue, or of all of them.
  func beforeSave(_ hook: @escaping @Sendable () async throws -> Void) {
    hooks.withLock { $0.beforeSave = hook }
  }

  /// Sets a hook after each change is stored, and before it returns.
  func afterSave(_ hook: @escaping @Sendable () async throws -> Void) {
    hooks.withLock { $0.afterSave = hook }
  }

  /// The saved ticks, in order.
  var saves: [Bool] { hooks.withLock { $0.saves } }

  func save(
    _ edit: ItemEdit, checklistID: UUID, charterID: UUID, assigning: Bool
  ) async throws {
    try await save {
      try await real.save(
        edit, checklistID: checklistID, charterID: charterID, assigning: assigning)
      if case .tick(_, let isChecked) = edit { hooks.withLock { $0.saves.append(isChecked) } }
    }
  }

  private func save<Result>(_ body: () async throws -> Result) async throws -> Result {
    try await hooks.withLock { $0.beforeSave }()
    let result = try await body()
    try await hooks.withLock { $0.afterSave }()
    return result
  }

  func loadExecutionState(
    checklistID: UUID, charterID: UUID
  ) async throws -> ChecklistExecutionState? {
    try await real.loadExecutionState(checklistID: checklistID, charterID: charterID)
  }

  func loadAllStatesForCharter(_ charterID: UUID) async throws -> [ChecklistExecutionState] {
    try await real.loadAllStatesForCharter(charterID)
  }

  func clearExecutionState(
    checklistID: UUID, charterID: UUID
  ) async throws -> ClearedExecution? {
    try await save {
      try await real.clearExecutionState(checklistID: checklistID, charterID: charterID)
    }
  }

  func restoreExecutionState(_ cleared: ClearedExecution) async throws {
    try await save { try await real.restoreExecutionState(cleared) }
  }

  func progress(checklistID: UUID, charterID: UUID) -> RepositoryValues<ItemProgress> {
    real.progress(checklistID: checklistID, charterID: charterID)
  }

  func executionStates(charterID: UUID) -> RepositoryValues<ReadableStates> {
    real.executionStates(charterID: charterID)
  }
}
