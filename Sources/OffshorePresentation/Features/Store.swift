public import Observation

/// The state of a feature for pages and views, which send it actions.
///
/// ```swift
/// let store = Store(initialState: Counter.State()) {
///   Counter()
/// } withDependencies: {
///   $0.locale = Locale(identifier: "de")
/// }
/// await store.send(.incrementTapped).finish()
/// store.count  // 1
/// ```
///
/// The state is observed part by part. Code that reads `store.count` is notified when the count has
/// changed, and not when another part has; code that reads ``state`` is notified of every change.
/// So a region of a page should read the parts that it shows.
///
/// A store and its effects are released with the last reference to the store, to a store of one of
/// its parts, and to the result of ``send(_:)``.
@MainActor @dynamicMemberLookup
public final class Store<State: Equatable & Sendable, Action: Sendable>: Observable {
  private let source: any StateSource<State, Action>

  /// Creates a store with an initial state.
  ///
  /// - Parameters:
  ///   - reducer: creates the feature, with the store's dependencies.
  ///   - change: changes the current dependencies for the reducer and its effects.
  public convenience init<Feature: Reducer>(
    initialState: State, reducer: () -> Feature,
    withDependencies change: (inout DependencyValues) -> Void = { _ in }
  ) where Feature.State == State, Feature.Action == Action {
    self.init(StoreCore(initialState, reducer, withDependencies: change))
  }

  /// Creates a store with the state after the actions of a log. Effects do not run.
  ///
  /// A reducer that reads dates, ids or random numbers needs dependencies with the same values as
  /// those of the logged store.
  ///
  /// - Parameters:
  ///   - log: the log of another store of the feature.
  ///   - reducer: creates the feature, with the store's dependencies.
  ///   - change: changes the current dependencies for the reducer and its effects.
  public convenience init<Feature: Reducer>(
    replaying log: ActionLog<State, Action>, reducer: () -> Feature,
    withDependencies change: (inout DependencyValues) -> Void = { _ in }
  ) where Feature.State == State, Feature.Action == Action {
    let core = StoreCore(log.initialState, reducer, withDependencies: change)
    core.replay(log.actions)
    self.init(core)
  }

  private init(_ source: any StateSource<State, Action>) { self.source = source }

  /// The whole state. Code that reads it observes every change.
  public var state: State {
    source.registerRead(of: []) { $0 }
    return source.state
  }

  /// A part of the state. Code that reads it observes the changes of this part alone.
  public subscript<Value: Equatable>(dynamicMember path: KeyPath<State, Value>) -> Value {
    source.registerRead(of: [path]) { $0[keyPath: path] }
    return source.state[keyPath: path]
  }

  /// The latest actions and the state before them. It is `nil` in a release build, and in a store
  /// of a part.
  public var actionLog: ActionLog<State, Action>? { source.actionLog }

  /// Handles an action: when this returns, the state has changed, and the effects have started.
  ///
  /// - Returns: the effects that follow, to wait for them or to cancel them.
  @discardableResult
  public func send(_ action: Action) -> ActionEffects { source.send(action) }

  /// Returns a store of a part, for a page or region that shows this part.
  ///
  /// Its observers are notified when the part has changed.
  ///
  /// - Parameter action: creates an action from one of the part.
  public func scope<Part: Equatable & Sendable, PartAction: Sendable>(
    state: KeyPath<State, Part>, action: @escaping (PartAction) -> Action
  ) -> Store<Part, PartAction> {
    let initial = source.state[keyPath: state]
    return Store<Part, PartAction>(
      ScopedSource(source, [state], { $0[keyPath: state] }, initially: initial, action))
  }

  /// Returns a store of an optional part, or `nil` if the part is missing.
  ///
  /// The caller observes whether the part exists. After its end the store has the last state that
  /// was read from it.
  ///
  /// - Parameter action: creates an action from one of the part.
  public func scope<Part: Equatable & Sendable, PartAction: Sendable>(
    state: KeyPath<State, Part?>, action: @escaping (PartAction) -> Action
  ) -> Store<Part, PartAction>? {
    ScopedSource(optional: source, [state], { $0[keyPath: state] }, action)
      .map { Store<Part, PartAction>($0) }
  }

  /// Returns a store of a row of a list, or `nil` if the list does not have the row.
  ///
  /// The caller observes whether the row exists. After its end the store has the last state that
  /// was read from it.
  ///
  /// - Parameters:
  ///   - state: the path to the rows, whose ids are unique.
  ///   - action: creates an action from one of the row.
  public func scope<Row: Identifiable & Equatable & Sendable, RowAction: Sendable>(
    state: KeyPath<State, [Row]>, id: Row.ID, action: @escaping (RowAction) -> Action
  ) -> Store<Row, RowAction>? {
    let place = RowPlace<Row>(id)
    let row = { (whole: State) in place.row(in: whole[keyPath: state]) }
    return ScopedSource(optional: source, [state, id], row, action)
      .map { Store<Row, RowAction>($0) }
  }
}

extension StoreCore {
  /// Creates a core whose reducer is created with the changed dependencies.
  fileprivate convenience init<Feature: Reducer>(
    _ state: State, _ reducer: () -> Feature,
    withDependencies change: (inout DependencyValues) -> Void
  ) where Feature.State == State, Feature.Action == Action {
    let (reducer, dependencies) = OffshorePresentation.withDependencies(change) {
      (reducer(), DependencyValues.current)
    }
    self.init(state, reducer, dependencies)
  }
}
