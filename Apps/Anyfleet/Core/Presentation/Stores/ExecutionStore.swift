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

/// How far a checklist has got in a charter, as a list shows it.
public struct ChecklistProgress: Identifiable, Equatable, Sendable {
  /// How far, in a word.
  public enum Status: Equatable, Sendable {
    /// Nothing was ever ticked or noted.
    case notBegun
    case begun
    /// All items are checked, and there is one.
    case done
    /// There is progress that cannot be read, so nothing is known of it.
    case unreadable
  }

  /// The checklist's id.
  public let id: UUID
  public let title: String
  public let description: String?
  public let status: Status
  /// How many of the current items are known to be checked.
  public let checkedCount: Int
  /// How many items there are.
  public let itemCount: Int
  /// The checked share as 0…100, rounded down so that 100 means all.
  public let percent: Int
  /// How many critical items are not known to be checked.
  public let openCriticalCount: Int
  /// When the last item was checked, while all are.
  public let completedAt: Date?

  /// Looks for a checklist in the states of a charter.
  init(of checklist: Checklist, in states: ReadableStates) {
    let state = states.states.first { $0.checklistID == checklist.id }
    let checked = state.map { $0.itemStates.filter(\.value.isChecked) } ?? [:]
    let completion = ChecklistCompletion(
      itemIDs: checklist.itemIDs,
      checkedAt: checked.mapValues { $0.checkedAt ?? state?.lastUpdated ?? .distantPast })
    id = checklist.id
    title = checklist.title
    description = checklist.description
    checkedCount = completion.checkedCount
    itemCount = completion.itemCount
    percent = completion.percent
    openCriticalCount = checklist.items.count { $0.isCritical && checked[$0.id] == nil }
    completedAt = state?.completedAt
    status =
      if states.unreadableChecklistIDs.contains(checklist.id) {
        .unreadable
      } else if completion.completedAt != nil {
        .done
      } else {
        state == nil ? .notBegun : .begun
      }
  }
}
