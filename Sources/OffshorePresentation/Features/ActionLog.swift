/// The latest actions of a store, for the reproduction of a bug.
///
/// ```swift
/// if let log = store.actionLog {
///   let copy = Store(replaying: log) { Counter() }
///   copy.state == store.state  // true
/// }
/// ```
///
/// At most 1,000 actions are in the log. When it is full, the older half is removed.
public struct ActionLog<State: Sendable, Action: Sendable>: Sendable {
  static var capacity: Int { 1000 }

  /// The state before the first action of the log.
  public private(set) var initialState: State

  /// The actions in their order: those that were sent to the store, and those of effects.
  public private(set) var actions: [Action] = []

  /// The state before the newer half of the actions.
  private var middle: State

  /// Creates an empty log.
  init(initialState: State) {
    self.initialState = initialState
    middle = initialState
  }

  /// Adds an action.
  ///
  /// - Parameter state: the state before the action.
  mutating func append(_ action: Action, before state: State) {
    if actions.count == Self.capacity {
      actions.removeFirst(Self.capacity / 2)
      initialState = middle
    }
    if actions.count == Self.capacity / 2 { middle = state }
    actions.append(action)
  }
}
