/// The rules of a feature: how its state changes with each action, and which effects follow.
///
/// ```swift
/// struct Counter: Reducer {
///   struct State: Equatable, Sendable {
///     var count = 0
///   }
///
///   enum Action: Equatable, Sendable {
///     case incrementTapped
///   }
///
///   func reduce(into state: inout State, action: Action) -> Effect<Action> {
///     switch action {
///     case .incrementTapped: state.count += 1
///     }
///     return .none
///   }
/// }
/// ```
///
/// A reducer is called by a ``Store``, on the main actor. It changes nothing but the state, and
/// reads clocks, ids and repositories as dependencies, so that equal states and actions have equal
/// results. A feature that consists of other features is a ``ComposedReducer``.
public protocol Reducer<State, Action>: Sendable {
  /// The state of the feature. Its parts are compared after each action.
  associatedtype State: Equatable & Sendable

  /// Everything that can happen in the feature: what the user does, and the results of effects.
  associatedtype Action: Sendable

  /// Changes the state by an action.
  ///
  /// - Returns: the work that follows, such as a write to the database.
  func reduce(into state: inout State, action: Action) -> Effect<Action>
}

/// A reducer made of a closure, for the logic that a ``ComposedReducer`` has beside that of its
/// parts.
public struct Reduce<State: Equatable & Sendable, Action: Sendable>: Reducer {
  private let change: @Sendable (inout State, Action) -> Effect<Action>

  /// Creates a reducer that calls a closure with each action.
  public init(_ change: @escaping @Sendable (inout State, Action) -> Effect<Action>) {
    self.change = change
  }

  /// Creates a reducer that calls others one after the other, and merges their effects.
  init(inOrder reducers: [any Reducer<State, Action>]) {
    change = { state, action in
      Effect(steps: reducers.flatMap { $0.reduce(into: &state, action: action).steps })
    }
  }

  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    change(&state, action)
  }
}
