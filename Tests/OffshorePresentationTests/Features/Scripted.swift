import OffshorePresentation

/// A reducer that records its actions, and returns the effect that a test gave it for each.
struct Scripted: Reducer {
  struct State: Equatable, Sendable {
    var seen: [String] = []
  }

  let effects: [String: Effect<String>]

  func reduce(into state: inout State, action: String) -> Effect<String> {
    state.seen.append(action)
    return effects[action] ?? .none
  }

  /// Creates a store with effects by actions.
  @MainActor static func store(
    _ effects: [String: Effect<String>],
    withDependencies change: (inout DependencyValues) -> Void = { _ in }
  ) -> Store<State, String> {
    Store(initialState: State()) {
      Scripted(effects: effects)
    } withDependencies: {
      change(&$0)
    }
  }
}
