/// What a form says of an item.
public struct ItemRemarks: Equatable, Sendable {
  /// What was written; nothing where it is blank.
  public var note: String?
  /// What was found.
  public var issue: ChecklistItemIssue?

  /// Takes what was entered; space around a note does not count.
  public init(note: String? = nil, issue: ChecklistItemIssue? = nil) {
    self.note = note?.trimmedOrNil
    self.issue = issue
  }
}
