public import Foundation

/// The states of all checklists in one charter, as far as they can be read.
public struct ReadableStates: Equatable, Sendable {
  /// The states in the order in which they were begun.
  public var states: [ChecklistExecutionState]
  /// The checklists of which there is a state that cannot be read.
  public var unreadableChecklistIDs: Set<UUID>
  /// Why states, or notes on their items, are left out.
  public var unreadable: [RepositoryError]

  /// Creates a list of states.
  public init(
    states: [ChecklistExecutionState] = [], unreadableChecklistIDs: Set<UUID> = [],
    unreadable: [RepositoryError] = []
  ) {
    self.states = states
    self.unreadableChecklistIDs = unreadableChecklistIDs
    self.unreadable = unreadable
  }
}
