/// The state of a feature, its reducer, and its running effects.
@MainActor
final class StoreCore<State: Equatable & Sendable, Action: Sendable>: StateSource {
  private(set) var state: State
  private(set) var actionLog: ActionLog<State, Action>?
  private let reducer: any Reducer<State, Action>
  private let dependencies: DependencyValues
  private let parts = ObservedParts<State>()
  /// The actions that are not handled yet. An observer may send one while another is handled.
  private var pending: [(action: Action, group: EffectGroup)] = []
  private var isHandling = false
  private lazy var effects = EffectRunner<Action> { [weak self] in
    self?.receive($0, in: $1)
  }

  init(_ state: State, _ reducer: any Reducer<State, Action>, _ dependencies: DependencyValues) {
    self.state = state
    self.reducer = reducer
    self.dependencies = dependencies
    #if DEBUG
      actionLog = ActionLog(initialState: state)
    #endif
  }

  func registerRead<Value: Equatable>(
    of key: [AnyHashable], _ value: @escaping (State) -> Value
  ) {
    parts.registerRead(of: key, value)
  }

  func send(_ action: Action) -> ActionEffects {
    let group = EffectGroup()
    receive(action, in: group)
    return ActionEffects(group) { self.effects.cancelEffects(in: group) }
  }

  /// Handles logged actions, without their effects: the log contains the actions of these, too.
  func replay(_ actions: [Action]) {
    DependencyValues.$current.withValue(dependencies) {
      for action in actions { _ = reduce(action) }
    }
  }

  private func receive(_ action: Action, in group: EffectGroup) {
    pending.append((action, group))
    guard !isHandling else { return }
    isHandling = true
    defer { isHandling = false }
    DependencyValues.$current.withValue(dependencies) {
      while !pending.isEmpty {
        let (action, group) = pending.removeFirst()
        let effect = reduce(action)
        pending += effects.start(effect, of: action, in: group).map { ($0, group) }
        effects.cancelEffects(without: state)
      }
    }
  }

  private func reduce(_ action: Action) -> Effect<Action> {
    var next = state
    let effect = reducer.reduce(into: &next, action: action)
    actionLog?.append(action, before: state)
    parts.change(from: state, to: next) { state = next }
    return effect
  }
}
