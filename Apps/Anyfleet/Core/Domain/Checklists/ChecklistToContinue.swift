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
