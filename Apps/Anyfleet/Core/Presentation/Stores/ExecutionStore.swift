package import Foundation
import Observation
package import OffshorePresentation

/// The states of all checklists in one charter.
@MainActor @Observable
package final class ExecutionStore {
  private let live: Live<ReadableStates>

  /// Creates a store for a charter.
  package init(repository: any ChecklistExecutionRepository, charterID: UUID) {
    live = Live { repository.executionStates(charterID: charterID) }
  }

  /// The states, and the checklists with an unreadable state.
  package var states: ViewState<ReadableStates> { live.state }

  /// The errors of unreadable states and notes.
  package var unreadable: [AppError] { live.state.data?.unreadable.map(\.asAppError) ?? [] }

  /// The error of the latest refresh, if it failed. The states may then be out of date.
  package var refreshError: AppError? { live.refreshError }

  /// Reads the states from this device, and observes them.
  package func load() async { await live.load() }
}

/// The progress of a checklist in a charter, for a list.
package struct ChecklistProgress: Identifiable, Equatable, Sendable {
  /// The progress in brief.
  package enum Status: Equatable, Sendable {
    /// No item was ever edited.
    case notBegun
    case begun
    /// All items are checked, and there is at least one.
    case done
    /// The progress is unreadable, so it is unknown.
    case unreadable
  }

  /// The id of the checklist.
  package let id: UUID
  package let title: String
  package let description: String?
  package let status: Status
  /// The number of current items that are known to be checked.
  package let checkedCount: Int
  /// The number of current items.
  package let itemCount: Int
  /// The checked share, from 0 to 100, rounded down so that 100 means all.
  package let percent: Int
  /// The number of critical items that are not known to be checked.
  package let openCriticalCount: Int
  /// The date of the last check if all items are checked, otherwise `nil`.
  package let completedAt: Date?

  /// Computes the progress from the states of a charter.
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
