public import Foundation
public import Observation
public import OffshorePresentation

/// The states of all checklists in one charter.
@MainActor @Observable
public final class ExecutionStore {
  private let live: Live<[ChecklistExecutionState]>

  /// Takes what stores the states, and the charter.
  public init(repository: any ChecklistExecutionRepository, charterID: UUID) {
    live = Live { repository.executionStates(charterID: charterID) }
  }

  /// The states in the order in which they were begun; empty where nothing was ever ticked.
  public var states: ViewState<[ChecklistExecutionState]> { live.state }

  /// Why the states shown may be out of date, where they may.
  public var refreshError: AppError? { live.refreshError }

  /// Reads the states from this device, and keeps following them.
  public func load() async { await live.load() }
}
