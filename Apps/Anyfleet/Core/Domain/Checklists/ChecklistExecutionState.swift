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

/// What is known of one item of a checklist in one charter.
public struct ChecklistItemState: Equatable, Hashable, Sendable {
  public let itemID: UUID
  public var isChecked: Bool
  /// When the item was checked; none while it is not.
  public var checkedAt: Date?
  /// The name of the account that checked the item, if the device belonged to one.
  public var checkedBy: String?
  /// What the crew wrote about it.
  public var note: String?
  /// What the crew found.
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
  /// The date of the check, or `nil` if it is not known.
  public var date: Date?
  /// The name of the account, or `nil` if the device belonged to none.
  public var name: String?

  /// Describes a check.
  public init(at date: Date? = nil, by name: String? = nil) {
    self.date = date
    self.name = name
  }
}

/// The note and the condition of an item.
public struct ItemRemarks: Equatable, Sendable {
  /// The note, or `nil` if it is blank.
  public var note: String?
  /// The condition, or `nil` if none is chosen.
  public var issue: ChecklistItemIssue?

  /// Takes the values, without space around the note.
  public init(note: String? = nil, issue: ChecklistItemIssue? = nil) {
    self.note = note?.trimmedOrNil
    self.issue = issue
  }
}

/// What a crew found when it looked at an item.
public enum ChecklistItemIssue: String, CaseIterable, Codable, Sendable {
  /// All is as it should be.
  case ok
  /// Something is wrong with it.
  case issue
  /// It is not on board.
  case missing
  /// It is broken.
  case damaged
  /// This boat does not have it, or does not need it.
  case notApplicable

  /// Whether the crew should repair or replace the item.
  public var isProblem: Bool {
    switch self {
    case .issue, .missing, .damaged: true
    case .ok, .notApplicable: false
    }
  }
}

/// A checklist that was begun in a charter and is not done.
public struct ChecklistToContinue: Equatable, Sendable {
  public let charter: CharterModel
  /// The checklist as the charter runs it.
  public let checklist: Checklist
  public let state: ChecklistExecutionState

  /// Creates one.
  public init(charter: CharterModel, checklist: Checklist, state: ChecklistExecutionState) {
    self.charter = charter
    self.checklist = checklist
    self.state = state
  }
}
