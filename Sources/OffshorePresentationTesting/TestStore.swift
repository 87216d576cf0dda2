public import OffshorePresentation
public import Testing

/// A store for tests, in which a test states every change of the state and every action of effects.
///
/// ```swift
/// let store = TestStore(initialState: Counter.State()) {
///   Counter()
/// } withDependencies: {
///   $0.uuid = UUID.numbered()
/// }
/// await store.send(.incrementTapped) { $0.count = 1 }
/// await store.finish()
/// ```
///
/// Each of these is recorded as an issue of the current test:
/// - the state after an action differs from the asserted one,
/// - an effect sends an action that the test does not assert,
/// - an effect is still running when ``finish(sourceLocation:)`` has waited, or at the end of the
///   test,
/// - the feature uses a dependency without a value.
///
/// The feature runs with the current dependencies in the context `test`. Its effects run on the main
/// thread, one after the other, until they wait for something; so their order is the same in each
/// run, and an effect that waits for nothing else has ended when ``send(_:assert:sourceLocation:)``
/// returns. After an issue, the store goes on with the actual state and actions.
@MainActor
public final class TestStore<State: Equatable & Sendable, Action: Sendable> {
  /// The current state.
  public private(set) var state: State

  private let reducer: any Reducer<State, Action>
  private let dependencies: DependencyValues
  private let timeout: Duration
  private let issues: IssueRecorder
  /// The actions of effects that the test has not asserted yet.
  private var received: [(action: Action, group: EffectGroup)] = []
  /// The actions that started the running effects.
  private var running: [Action] = []
  private var changes: AsyncStream<Void>.Continuation?
  private lazy var effects = EffectRunner<Action>(on: TestExecutor.shared) { [weak self] in
    self?.received.append(($0, $1))
    self?.changes?.yield()
  } onChange: { [weak self] in
    self?.effectsHaveChanged()
  }

  /// Creates a store with an initial state.
  ///
  /// - Parameters:
  ///   - timeout: the longest real time that ``receive(_:assert:sourceLocation:)`` and
  ///     ``finish(sourceLocation:)`` wait for effects.
  ///   - reducer: creates the feature, with the store's dependencies.
  ///   - change: sets the dependencies that the feature uses.
  public init<Feature: Reducer>(
    initialState: State, timeout: Duration = .seconds(5),
    sourceLocation: SourceLocation = #_sourceLocation, reducer: () -> Feature,
    withDependencies change: (inout DependencyValues) -> Void = { _ in }
  ) where Feature.State == State, Feature.Action == Action {
    let issues = IssueRecorder(sourceLocation)
    (self.reducer, dependencies) = OffshorePresentation.withDependencies {
      $0.recordUnset(by: issues)
      change(&$0)
    } operation: {
      (reducer(), DependencyValues.current)
    }
    self.issues = issues
    self.timeout = timeout
    state = initialState
  }

  deinit {
    issues.recordUnasserted(received.map(\.action), at: "the end of the test")
    issues.recordRunning(running, after: "at the end of the test. Call `finish()`, or cancel it")
  }

  /// Handles an action of the user, and compares the state with the asserted one.
  ///
  /// The actions of former effects have to be received before.
  ///
  /// - Parameter change: changes the state before the action to the expected one; by default the
  ///   action changes nothing.
  /// - Returns: the effects that follow, to wait for them or to cancel them.
  @discardableResult
  public func send(
    _ action: Action, assert change: (inout State) -> Void = { _ in },
    sourceLocation: SourceLocation = #_sourceLocation
  ) async -> ActionEffects {
    issues.sourceLocation = sourceLocation
    issues.recordUnasserted(received.map(\.action), at: "the next action of the user")
    for _ in received { _ = handleReceived() }
    let group = EffectGroup()
    handle(action, in: group, asserting: change)
    await TestExecutor.shared.settle()
    return ActionEffects(group) { self.effects.cancelEffects(in: group) }
  }

  /// Waits for the next action of an effect, and compares it and the state after it with the
  /// asserted ones.
  ///
  /// - Parameter change: changes the state before the action to the expected one; by default the
  ///   action changes nothing.
  public func receive(
    _ expected: Action, assert change: (inout State) -> Void = { _ in },
    sourceLocation: SourceLocation = #_sourceLocation
  ) async where Action: Equatable {
    issues.sourceLocation = sourceLocation
    let isInTime = await wait { !self.received.isEmpty || self.running.isEmpty }
    guard let first = received.first else {
      let reason = isInTime ? "no effect is running" : "no effect sent an action in \(timeout)"
      issues.record("`\(ValueText(expected))` was not received: \(reason).")
      return
    }
    if first.action == expected {
      received.removeFirst()
      handle(first.action, in: first.group, asserting: change)
    } else {
      let received = handleReceived()
      issues.recordDifference(expected: expected, found: received, "The received action differs")
    }
    await TestExecutor.shared.settle()
  }

  /// Waits until all effects have ended, and records what the test has not asserted.
  public func finish(sourceLocation: SourceLocation = #_sourceLocation) async {
    issues.sourceLocation = sourceLocation
    _ = await wait { self.running.isEmpty }
    issues.recordRunning(running, after: "after \(timeout)")
    issues.recordUnasserted(received.map(\.action), at: "the end of the test")
    effects.cancelAll()
    received = []
  }

  // MARK: - Actions

  private func handle(
    _ action: Action, in group: EffectGroup, asserting change: (inout State) -> Void
  ) {
    var expected = state
    change(&expected)
    handle(action, in: group)
    guard state != expected else { return }
    issues.recordDifference(
      expected: expected, found: state, "The state after `\(ValueText(action))` differs")
  }

  /// Handles the next action of an effect without a comparison of the state, and returns it.
  private func handleReceived() -> Action {
    let (action, group) = received.removeFirst()
    handle(action, in: group)
    return action
  }

  private func handle(_ action: Action, in group: EffectGroup) {
    DependencyValues.$current.withValue(dependencies) {
      let effect = reducer.reduce(into: &state, action: action)
      received += effects.start(effect, of: action, in: group).map { ($0, group) }
    }
    effects.cancelEffects(without: state)
  }

  // MARK: - Effects

  private func effectsHaveChanged() {
    running = effects.origins
    changes?.yield()
  }

  /// Waits until a condition holds, which effects can change.
  ///
  /// - Returns: whether it holds.
  private func wait(until holds: () -> Bool) async -> Bool {
    let (stream, changes) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    self.changes = changes
    // NB: Real time, because an effect that waits for the test's clock would never end.
    let timer = Task { [timeout] in
      try? await ContinuousClock().sleep(for: timeout)
      changes.finish()
    }
    defer { timer.cancel() }
    if holds() { return true }
    for await _ in stream where holds() { return true }
    return holds()
  }
}
