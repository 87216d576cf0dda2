package import Foundation
import Observation
import Offshore
package import OffshorePresentation

/// The model of a printable report on a charter and its checklists.
@MainActor @Observable
package final class CharterReportViewModel {
  package let charterID: UUID
  /// The date of the report.
  package let date: Date

  private let liveCharter: Live<CharterModel?>
  private let liveChecklists: Live<ReadableRows<CharterChecklist>>
  private let executions: ExecutionStore

  /// A checklist with the states of its items.
  package struct Part: Identifiable, Equatable, Sendable {
    package let checklist: Checklist
    package let progress: ChecklistProgress
    package let itemStates: [UUID: ChecklistItemState]

    package var id: UUID { checklist.id }

    /// The items with a problem, in order.
    package var problems: [ChecklistItem] {
      checklist.items.filter { itemStates[$0.id]?.issue?.isProblem ?? false }
    }
  }

  /// Creates a model. Nothing is read before ``load()``.
  package init(
    charterID: UUID, charterStore: CharterStore,
    checklistRepository: any CharterChecklistRepository,
    executionRepository: any ChecklistExecutionRepository
  ) {
    self.charterID = charterID
    date = charterStore.now()
    liveCharter = charterStore.liveCharter(charterID)
    liveChecklists = Live { checklistRepository.charterChecklists(charterID) }
    executions = ExecutionStore(repository: executionRepository, charterID: charterID)
  }

  /// The charter; the error `database(.notFound)` if it does not exist.
  package var charter: ViewState<CharterModel> {
    liveCharter.state.flatMap { $0.map { .loaded($0) } ?? .error(.database(.notFound)) }
  }

  /// The checklists of the charter: first the check-in checklist, then the others in their order.
  package var parts: ViewState<[Part]> {
    let checkInID = charter.data?.checkInChecklistID
    return executions.states.flatMap { states in
      liveChecklists.state.flatMap(\.state).map { checklists in
        let first = checklists.filter { $0.checklistID == checkInID }
        let rest = checklists.filter { $0.checklistID != checkInID }
        return (first + rest).map { Self.part(of: $0, in: states) }
      }
    }
  }

  /// The errors of unreadable rows, and of failed refreshes.
  package var notices: [AppError] {
    executions.unreadable + (liveChecklists.state.data?.unreadable.map(\.asAppError) ?? [])
      + [
        liveCharter.refreshError?.forShownValue, liveChecklists.refreshError,
        executions.refreshError,
      ]
      .compactMap(\.self)
  }

  /// Reads everything from this device, and observes it.
  package func load() async {
    async let charter: Void = liveCharter.load()
    async let checklists: Void = liveChecklists.load()
    async let states: Void = executions.load()
    _ = await (charter, checklists, states)
  }

  private static func part(of checklist: CharterChecklist, in states: ReadableStates) -> Part {
    let state = states.states.first { $0.checklistID == checklist.checklistID }
    return Part(
      checklist: checklist.snapshot,
      progress: ChecklistProgress(of: checklist.snapshot, in: states),
      itemStates: state?.itemStates ?? [:])
  }
}
