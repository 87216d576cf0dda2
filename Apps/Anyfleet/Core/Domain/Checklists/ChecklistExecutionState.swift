public import Foundation

/// How far a checklist has got in one charter.
public struct ChecklistExecutionState: Identifiable, Equatable, Hashable, Sendable {
  /// Derived from charter and checklist, so that all devices mean the same; see
  /// ``id(charterID:checklistID:)``.
  public let id: UUID
  public let checklistID: UUID
  public let charterID: UUID
  /// What is known of items, by their ids. Items that the checklist lost stay here.
  public var itemStates: [UUID: ChecklistItemState]
  public var createdAt: Date
  public var lastUpdated: Date
  /// When the last current item was checked, while all of them are.
  public var completedAt: Date?
  public var syncStatus: SyncStatus
  /// Why notes on items are left out, where some cannot be read.
  public var unreadable: [RepositoryError] = []

  /// Creates a state.
  public init(
    id: UUID, checklistID: UUID, charterID: UUID, itemStates: [UUID: ChecklistItemState] = [:],
    createdAt: Date = Date(), lastUpdated: Date? = nil, completedAt: Date? = nil,
    syncStatus: SyncStatus = .pending
  ) {
    self.id = id
    self.checklistID = checklistID
    self.charterID = charterID
    self.itemStates = itemStates
    self.createdAt = createdAt
    self.lastUpdated = lastUpdated ?? createdAt
    self.completedAt = completedAt
    self.syncStatus = syncStatus
  }

  /// How many items are checked, those included that the checklist lost.
  public var checkedCount: Int { itemStates.values.count(where: \.isChecked) }

  /// How many of a checklist's current items are checked.
  public func checkedCount(in checklist: Checklist) -> Int {
    checklist.itemIDs.count { itemStates[$0]?.isChecked ?? false }
  }

  /// The checked share as 0…1; 0 where there is no item.
  public func progressPercentage(totalItems: Int) -> Double {
    totalItems > 0 ? min(1, Double(checkedCount) / Double(totalItems)) : 0
  }
}
