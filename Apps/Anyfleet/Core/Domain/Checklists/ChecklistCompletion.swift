public import Foundation

/// How much of a checklist's current items is checked, and since when all of them are.
///
/// This is a function of the checklist and the states alone, so that every device computes the
/// same.
public struct ChecklistCompletion: Equatable, Sendable {
  /// How many of the current items are checked.
  public let checkedCount: Int
  /// How many items there are.
  public let itemCount: Int
  /// When the last one was checked, where all are and there is one.
  public let completedAt: Date?

  /// Looks at the items of a checklist.
  ///
  /// - Parameter checkedAt: for each checked item when that was.
  public init(itemIDs: some Collection<UUID>, checkedAt: [UUID: Date]) {
    let dates = itemIDs.compactMap { checkedAt[$0] }
    itemCount = itemIDs.count
    checkedCount = dates.count
    completedAt = dates.count == itemIDs.count ? dates.max() : nil
  }

  /// The checked share as 0…1; 0 where there is no item.
  public var fraction: Double { itemCount > 0 ? Double(checkedCount) / Double(itemCount) : 0 }

  /// The checked share as 0…100, rounded down so that 100 means all.
  public var percent: Int { itemCount > 0 ? checkedCount * 100 / itemCount : 0 }
}
