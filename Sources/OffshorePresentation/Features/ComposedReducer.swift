/// A feature that consists of other reducers.
///
/// ```swift
/// struct Harbor: ComposedReducer {
///   struct State: Equatable, Sendable {
///     var title = ""
///     var counter = Counter.State()
///   }
///
///   enum Action: Equatable, Sendable {
///     case renamed(String)
///     case counter(Counter.Action)
///   }
///
///   var body: some Reducer<State, Action> {
///     Scope(state: \.counter, embed: Action.counter) { Counter() }
///     Reduce { state, action in
///       if case .renamed(let title) = action { state.title = title }
///       return .none
///     }
///   }
/// }
/// ```
///
/// The reducers of ``body`` run one after the other, each with the state that the former one left.
/// Their effects run concurrently.
public protocol ComposedReducer<State, Action>: Reducer {
  /// The type of the composition.
  associatedtype Body: Reducer where Body.State == State, Body.Action == Action

  /// The reducers of the feature. It is evaluated for each action.
  @ReducerBuilder<State, Action> var body: Body { get }
}

extension ComposedReducer {
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    body.reduce(into: &state, action: action)
  }
}

/// Builds one reducer of several, which run one after the other.
@resultBuilder
public enum ReducerBuilder<State: Equatable & Sendable, Action: Sendable> {
  public static func buildExpression(
    _ reducer: some Reducer<State, Action>
  ) -> any Reducer<State, Action> {
    reducer
  }

  public static func buildBlock(
    _ reducers: any Reducer<State, Action>...
  ) -> Reduce<State, Action> {
    Reduce(inOrder: reducers)
  }
}

/// A reducer that runs the reducer of a part on that part of a larger state.
///
/// Ids by which the part cancels effects belong to the part: two parts may use the same ids, and
/// neither cancels effects of the other.
public struct Scope<State: Equatable & Sendable, Action: Sendable>: Reducer {
  private let change: @Sendable (inout State, Action) -> Effect<Action>

  /// Creates a reducer for a part that always exists.
  ///
  /// - Parameters:
  ///   - state: the path to the state of the part.
  ///   - action: returns the action of the part in an action, or `nil` if it is not for the part.
  ///   - embed: creates an action from one of the part, such as the case of an enumeration.
  ///   - part: creates the reducer of the part.
  public init<Part: Reducer>(
    state: any WritableKeyPath<State, Part.State> & Sendable,
    action: @escaping @Sendable (Action) -> Part.Action?,
    embed: @escaping @Sendable (Part.Action) -> Action,
    _ part: () -> Part
  ) {
    let part = part()
    change = { whole, anyAction in
      guard let action = action(anyAction) else { return .none }
      return part.reduce(into: &whole[keyPath: state], action: action)
        .embedded(in: EffectPlace(state), by: embed)
    }
  }

  /// Creates a reducer for a part that always exists, and whose actions are a case of an enumeration.
  ///
  /// - Parameters:
  ///   - state: the path to the state of the part.
  ///   - embed: the case, such as `Action.counter`.
  ///   - part: creates the reducer of the part.
  public init<Part: Reducer>(
    state: any WritableKeyPath<State, Part.State> & Sendable,
    embed: @escaping @Sendable (Part.Action) -> Action, _ part: () -> Part
  ) {
    self.init(state: state, action: { associatedValue(of: $0, inCase: embed) }, embed: embed, part)
  }

  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    change(&state, action)
  }
}

/// Returns the associated value of an enumeration's case; `nil` for another case.
/// - Parameters:
///   - whole: a value of the enumeration.
///   - embed: the case, such as `Action.counter`.
private func associatedValue<Whole, Part>(of whole: Whole, inCase embed: (Part) -> Whole) -> Part? {
  guard let child = Mirror(reflecting: whole).children.first, let part = child.value as? Part,
    // Another case may have a value of the same type.
    Mirror(reflecting: embed(part)).children.first?.label == child.label
  else { return nil }
  return part
}
