public import Foundation

/// How far a checklist has got in a charter, as a list shows it.
public struct ChecklistProgress: Identifiable, Equatable, Sendable {
  /// The checklist's id.
  public let id: UUID
  public let title: String
  public let description: String?
  /// How many of the current items are checked.
  public let checkedCount: Int
  /// How many items there are.
  public let itemCount: Int
  /// The checked share as 0…100, rounded down so that 100 means all.
  public let percent: Int
  /// How many critical items are not checked.
  public let openCriticalCount: Int
  /// When the last item was checked, while all are.
  public let completedAt: Date?
  /// Whether anything was ever ticked or noted.
  public let isBegun: Bool

  /// Looks at a checklist and its state, if there is one.
  init(of checklist: Checklist, in state: ChecklistExecutionState?) {
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
    isBegun = state != nil
  }

  /// The checked share as 0…1; 0 where there is no item.
  public var fraction: Double { itemCount > 0 ? Double(checkedCount) / Double(itemCount) : 0 }
}
