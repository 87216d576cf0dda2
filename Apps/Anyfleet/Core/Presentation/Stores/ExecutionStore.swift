public import Foundation
public import Observation
public import OffshorePresentation

/// The states of all checklists in one charter.
@MainActor @Observable
public final class ExecutionStore {
  private let live: Live<ReadableStates>

  /// Takes what stores the states, and the charter.
  public init(repository: any ChecklistExecutionRepository, charterID: UUID) {
    live = Live { repository.executionStates(charterID: charterID) }
  }

  /// The states, and which checklists have one that cannot be read.
  public var states: ViewState<ReadableStates> { live.state }

  /// Why states are left out, where some cannot be read.
  public var unreadable: [AppError] { live.state.data?.unreadable.map(\.asAppError) ?? [] }

  /// Why the states shown may be out of date, where they may.
  public var refreshError: AppError? { live.refreshError }

  /// Reads the states from this device, and keeps following them.
  public func load() async { await live.load() }
}
