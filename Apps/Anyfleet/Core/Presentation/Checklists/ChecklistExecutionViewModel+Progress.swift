import Foundation

/// How far the checklist has got.
extension ChecklistExecutionViewModel {
  /// How many items the checklist has.
  public var itemCount: Int { checklist?.itemIDs.count ?? 0 }

  /// How many of its items show as checked.
  public var checkedCount: Int { checklist?.itemIDs.intersection(checkedItems).count ?? 0 }

  /// How many items of a section show as checked.
  public func checkedCount(in section: ChecklistSection) -> Int {
    section.items.count { isChecked($0.id) }
  }

  /// The checked share as 0…1; 0 where there is no item.
  public var progress: Double { itemCount > 0 ? Double(checkedCount) / Double(itemCount) : 0 }

  /// The critical items that do not show as checked, in order.
  public var openCriticalItems: [ChecklistItem] {
    checklist?.items.filter { $0.isCritical && !isChecked($0.id) } ?? []
  }

  /// How many items each thing was found of.
  public var issueCounts: [ChecklistItemIssue: Int] {
    let issues = checklist?.items.compactMap { issue(of: $0.id) } ?? []
    return Dictionary(issues.map { ($0, 1) }, uniquingKeysWith: +)
  }

  /// How many items have something wrong with them.
  public var problemCount: Int {
    issueCounts.reduce(0) { $0 + ($1.key.isProblem ? $1.value : 0) }
  }
}
