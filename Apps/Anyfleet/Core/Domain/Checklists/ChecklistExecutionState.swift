public import Foundation

/// The progress of a checklist in one charter.
public struct ChecklistExecutionState: Identifiable, Equatable, Hashable, Sendable {
  /// The id, which is the same on every device; see ``id(charterID:checklistID:)``.
  public let id: UUID
  public let checklistID: UUID
  public let charterID: UUID
  /// The states of items by id, including items that the checklist no longer contains.
  public var itemStates: [UUID: ChecklistItemState]
  public var createdAt: Date
  public var lastUpdated: Date
  /// The date of the last check if all current items are checked, otherwise `nil`.
  public var completedAt: Date?
  public var syncStatus: SyncStatus
  /// The errors of unreadable notes.
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

  /// The number of checked items, including items that the checklist no longer contains.
  public var checkedCount: Int { itemStates.values.count(where: \.isChecked) }

  /// Returns the number of checked items among a checklist's current items.
  public func checkedCount(in checklist: Checklist) -> Int {
    checklist.itemIDs.count { itemStates[$0]?.isChecked ?? false }
  }

  /// Returns the checked share, from 0 to 1; 0 if there are no items.
  public func progressPercentage(totalItems: Int) -> Double {
    totalItems > 0 ? min(1, Double(checkedCount) / Double(totalItems)) : 0
  }
}

/// The state of one item of a checklist in one charter.
public struct ChecklistItemState: Equatable, Hashable, Sendable {
  public let itemID: UUID
  public var isChecked: Bool
  /// The date of the check; `nil` if the item is not checked.
  public var checkedAt: Date?
  /// The name of the account that checked the item, if the device belonged to one.
  public var checkedBy: String?
  /// The note of the crew.
  public var note: String?
  /// The condition that the crew found.
  public var issue: ChecklistItemIssue?

  /// Creates a state.
  public init(
    itemID: UUID, isChecked: Bool = false, checkedAt: Date? = nil, checkedBy: String? = nil,
    note: String? = nil, issue: ChecklistItemIssue? = nil
  ) {
    self.itemID = itemID
    self.isChecked = isChecked
    self.checkedAt = checkedAt
    self.checkedBy = checkedBy
    self.note = note
    self.issue = issue
  }
}

/// The check of an item: its date, and the name of the account that made it.
public struct ItemCheck: Equatable, Sendable {
  /// The date of the check, or `nil` if it is unknown.
  package var date: Date?
  /// The name of the account, or `nil` if the device belonged to none.
  package var name: String?

  /// Creates a check.
  package init(at date: Date? = nil, by name: String? = nil) {
    self.date = date
    self.name = name
  }
}

/// The note and the condition of an item.
public struct ItemRemarks: Equatable, Sendable {
  /// The note, or `nil` if there is none.
  public var note: String?
  /// The condition, or `nil` if none is chosen.
  public var issue: ChecklistItemIssue?

  /// Creates remarks. The note is trimmed, and `nil` if it is blank.
  public init(note: String? = nil, issue: ChecklistItemIssue? = nil) {
    self.note = note?.trimmedOrNil
    self.issue = issue
  }
}

/// The condition of an item.
public enum ChecklistItemIssue: String, CaseIterable, Codable, Sendable {
  /// The item is in order.
  case ok
  /// The item has another problem.
  case issue
  /// The item is not on board.
  case missing
  /// The item is broken.
  case damaged
  /// The boat does not have the item, or does not need it.
  case notApplicable

  /// Whether the crew should repair or replace the item.
  public var isProblem: Bool {
    switch self {
    case .issue, .missing, .damaged: true
    case .ok, .notApplicable: false
    }
  }
}

/// A checklist that was begun in a charter and is not finished.
package struct ChecklistToContinue: Equatable, Sendable {
  package let charter: CharterModel
  /// The checklist to run in the charter.
  package let checklist: Checklist
  package let state: ChecklistExecutionState

  /// Creates one.
  package init(charter: CharterModel, checklist: Checklist, state: ChecklistExecutionState) {
    self.charter = charter
    self.checklist = checklist
    self.state = state
  }
}
