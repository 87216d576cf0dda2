import Foundation
import Synchronization

@testable import Anyfleet

/// A repository of states that a test can hold up or let fail, and otherwise a real one.
final class ExecutionDouble: ChecklistExecutionRepository {
  private struct Hooks {
    var beforeSave: @Sendable () async throws -> Void = {}
    var afterSave: @Sendable () async throws -> Void = {}
    var afterLoad: @Sendable () async throws -> Void = {}
    var changes: AsyncThrowingStream<ChecklistExecutionState?, any Error>?
    var saves: [Bool] = []
    var loadCount = 0
  }

  private let real: LocalRepository
  private let hooks = Mutex(Hooks())

  init(_ real: LocalRepository) { self.real = real }

  /// Runs before each change: of a tick, a note, an issue, or all of them.
  func beforeSave(_ hook: @escaping @Sendable () async throws -> Void) {
    hooks.withLock { $0.beforeSave = hook }
  }

  /// Runs after each change has stored, and before it returns.
  func afterSave(_ hook: @escaping @Sendable () async throws -> Void) {
    hooks.withLock { $0.afterSave = hook }
  }

  /// Runs after each load has read, and before it returns; the first of what is followed is one.
  func afterLoad(_ hook: @escaping @Sendable () async throws -> Void) {
    hooks.withLock { $0.afterLoad = hook }
  }

  /// Lets the test say when a state has changed, instead of the database. At first there is none.
  /// - Returns: says so.
  func announceByHand() -> @Sendable () -> Void {
    let (changes, announcer) = AsyncThrowingStream.makeStream(of: ChecklistExecutionState?.self)
    hooks.withLock { $0.changes = changes }
    announcer.yield(nil)
    return { announcer.yield(nil) }
  }

  /// The ticks that were saved, in order.
  var saves: [Bool] { hooks.withLock { $0.saves } }

  /// How many loads there were.
  var loadCount: Int { hooks.withLock { $0.loadCount } }

  func saveItemState(
    checklistID: UUID, charterID: UUID, itemID: UUID, isChecked: Bool
  ) async throws {
    try await save {
      try await real.saveItemState(
        checklistID: checklistID, charterID: charterID, itemID: itemID, isChecked: isChecked)
      hooks.withLock { $0.saves.append(isChecked) }
    }
  }

  private func save<Result>(_ body: () async throws -> Result) async throws -> Result {
    try await hooks.withLock { $0.beforeSave }()
    let result = try await body()
    try await hooks.withLock { $0.afterSave }()
    return result
  }

  func saveItemNote(
    checklistID: UUID, charterID: UUID, itemID: UUID, note: String?
  ) async throws {
    try await save {
      try await real.saveItemNote(
        checklistID: checklistID, charterID: charterID, itemID: itemID, note: note)
    }
  }

  func saveItemIssue(
    checklistID: UUID, charterID: UUID, itemID: UUID, issue: ChecklistItemIssue?
  ) async throws {
    try await save {
      try await real.saveItemIssue(
        checklistID: checklistID, charterID: charterID, itemID: itemID, issue: issue)
    }
  }

  func loadExecutionState(
    checklistID: UUID, charterID: UUID
  ) async throws -> ChecklistExecutionState? {
    let state = try await real.loadExecutionState(checklistID: checklistID, charterID: charterID)
    try await loaded()
    return state
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

  func executionStates(
    checklistID: UUID, charterID: UUID
  ) -> any AsyncSequence<ChecklistExecutionState?, any Error> & Sendable {
    let states =
      hooks.withLock { $0.changes }
      ?? real.executionStates(checklistID: checklistID, charterID: charterID)
    return HeldStates(states: states) { [self] in try await loaded() }
  }

  private func loaded() async throws {
    let hook = hooks.withLock { hooks in
      hooks.loadCount += 1
      return hooks.afterLoad
    }
    try await hook()
  }
}

/// States that are followed, of which a test can hold up the first as it can hold up a load.
private struct HeldStates: AsyncSequence, Sendable {
  typealias Failure = any Error

  struct Iterator: AsyncIteratorProtocol {
    var states: any AsyncIteratorProtocol<ChecklistExecutionState?, any Error>
    var afterFirst: (@Sendable () async throws -> Void)?

    mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws -> ChecklistExecutionState?? {
      let state = try await states.next(isolation: actor)
      defer { afterFirst = nil }
      try await afterFirst?()
      return state
    }

    mutating func next() async throws -> ChecklistExecutionState?? {
      try await next(isolation: nil)
    }
  }

  let states: any AsyncSequence<ChecklistExecutionState?, any Error> & Sendable
  let afterFirst: @Sendable () async throws -> Void

  func makeAsyncIterator() -> Iterator {
    Iterator(states: states.makeAsyncIterator(), afterFirst: afterFirst)
  }
}
