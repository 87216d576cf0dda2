public import Foundation

/// What is known of one item of a checklist in one charter.
public struct ChecklistItemState: Equatable, Hashable, Sendable {
  public let itemID: UUID
  public var isChecked: Bool
  /// When the item was checked; none while it is not.
  public var checkedAt: Date?
  /// What the crew wrote about it.
  public var note: String?
  /// What the crew found.
  public var issue: ChecklistItemIssue?

  /// Creates a state.
  public init(
    itemID: UUID, isChecked: Bool = false, checkedAt: Date? = nil, note: String? = nil,
    issue: ChecklistItemIssue? = nil
  ) {
    self.itemID = itemID
    self.isChecked = isChecked
    self.checkedAt = checkedAt
    self.note = note
    self.issue = issue
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
}
