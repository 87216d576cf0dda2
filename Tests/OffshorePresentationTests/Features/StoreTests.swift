import Foundation
import Observation
import OffshorePresentation
import Synchronization
import TestSupport
import Testing

private enum GreetingKey: DependencyKey {
  static let liveValue = "live"
}

extension DependencyValues {
  fileprivate var greeting: String {
    get { self[GreetingKey.self] }
    set { self[GreetingKey.self] = newValue }
  }
}

/// A feature that reads a dependency in its reducer and in its effect.
private struct Greeter: Reducer {
  struct State: Equatable, Sendable {
    var greetings: [String] = []
  }

  enum Action: Equatable, Sendable {
    case greetTapped
    case greeted(String)
  }

  @Dependency(\.greeting) private var captured

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .greetTapped:
      state.greetings += ["reducer: \(captured), \(DependencyValues.current.greeting)"]
      return .run { send in
        await Task.yield()
        await send(.greeted("effect: \(captured), \(DependencyValues.current.greeting)"))
      }
    case .greeted(let text):
      state.greetings += [text]
      return .none
    }
  }
}

/// An object that an effect uses, by a weak reference.
private final class Created: Sendable {
  final class Token: Sendable {}

  private struct Reference {
    weak var token: Token?
  }

  private let last = Mutex(Reference())

  var isInUse: Bool { last.withLock { $0.token != nil } }

  func token() -> Token {
    let token = Token()
    last.withLock { $0.token = token }
    return token
  }
}

/// An effect that waits until its task is cancelled.
private func waiting(_ gates: (started: Gate, ended: Gate)) -> Effect<String> {
  .run { _ in
    await gates.started.pass()
    try? await waitUntilCancelled()
    await gates.ended.pass()
  }
}

@MainActor @Suite(.timeLimit(.minutes(1)))
struct StoreTests {
  private let gates = (started: Gate(isOpen: true), ended: Gate(isOpen: true))

  // MARK: - Dependencies

  @Test func `The dependencies of a store hold in its reducer and in its effects`() async {
    let store = Store(initialState: Greeter.State()) {
      Greeter()
    } withDependencies: {
      $0.greeting = "hello"
    }
    await store.send(.greetTapped).finish()
    #expect(store.greetings == ["reducer: hello, hello", "effect: hello, hello"])
  }

  @Test func `Dependencies around a later action do not replace those of the store`() async {
    let store = withDependencies {
      $0.greeting = "ahoy"
    } operation: {
      Store(initialState: Greeter.State()) { Greeter() }
    }
    await withDependencies {
      $0.greeting = "later"
    } operation: {
      await store.send(.greetTapped).finish()
    }
    #expect(store.greetings == ["reducer: ahoy, ahoy", "effect: ahoy, ahoy"])
  }

  // MARK: - Waiting

  @Test func `Waiting for an action includes the effects of the actions of its effects`() async {
    let store = Scripted.store([
      "a": .run { await $0("b") }, "b": .run { await $0("c") },
      "c": .merge(.send("d"), .run { await $0("e") }),
    ])
    await store.send("a").finish()
    #expect(store.seen == ["a", "b", "c", "d", "e"])
  }

  @Test func `Waiting for an action does not include effects of others`() async {
    let store = Scripted.store(["endless": waiting(gates), "a": .run { await $0("b") }])
    let endless = store.send("endless")
    await store.send("a").finish()
    #expect(store.seen == ["endless", "a", "b"])
    await endless.cancel()
  }

  @Test func `Waiting for an action ends with the last of its effects`() async {
    let (first, second) = (Gate(), Gate())
    let store = Scripted.store([
      "a": .merge(.run { _ in await first.pass() }, .run { _ in await second.pass() })
    ])
    let effects = store.send("a")
    let waiting = Task {
      await effects.finish()
      store.send("finished")
    }
    first.open()
    await first.waitForArrivals()
    // Time for a wait that would end too early.
    for _ in 0..<100 { await Task.yield() }
    store.send("open")
    second.open()
    await waiting.value
    #expect(store.seen == ["a", "open", "finished"])
  }

  @Test func `Several callers can wait for one action`() async {
    let gate = Gate()
    let store = Scripted.store(["a": .run { _ in await gate.pass() }])
    let effects = store.send("a")
    async let first: Void = effects.finish()
    async let second: Void = effects.finish()
    await gate.waitUntilHeld()
    gate.open()
    _ = await (first, second)
    await effects.finish()
  }

  @Test func `Cancelling the effects of an action ends them, and leaves others alone`() async {
    let gate = Gate()
    let store = Scripted.store([
      "endless": waiting(gates),
      "a": .run { send in
        await gate.pass()
        await send("b")
      },
    ])
    let endless = store.send("endless")
    let effects = store.send("a")
    await endless.cancel()
    gate.open()
    await effects.finish()
    #expect(store.seen == ["endless", "a", "b"])
  }

  @Test func `A cancelled caller cancels the effects for which it waits`() async {
    let store = Scripted.store(["endless": waiting(gates)])
    let caller = Task { await store.send("endless").finish() }
    await gates.started.waitForArrivals()
    caller.cancel()
    await caller.value
    await gates.ended.waitForArrivals()
  }

  // MARK: - Order

  @Test func `An action that an observer sends is handled after the current one`() {
    let store = Scripted.store(["a": .send("c")])
    withObservationTracking {
      _ = store.seen
    } onChange: {
      MainActor.assumeIsolated { _ = store.send("b") }
    }
    store.send("a")
    #expect(store.seen == ["a", "b", "c"])
  }

  // MARK: - Release

  @Test func `A store is released with its last reference, and its effects are cancelled`() async {
    weak var released: Store<Scripted.State, String>?
    do {
      let store = Scripted.store(["endless": waiting(gates)])
      released = store
      store.send("endless")
      await gates.started.waitForArrivals()
      #expect(released != nil)
    }
    #expect(released == nil)
    await gates.ended.waitForArrivals()
  }

  @Test func `A store without running effects is released`() async {
    weak var released: Store<Scripted.State, String>?
    do {
      let store = Scripted.store(["a": .run { await $0("b") }])
      released = store
      await store.send("a").finish()
      #expect(store.seen == ["a", "b"])
    }
    #expect(released == nil)
  }

  @Test func `An effect that has ended releases the values that it uses`() async {
    let created = Created()
    let store = Store(initialState: 0) {
      Reduce<Int, Int> { _, _ in
        let token = created.token()
        return .run { _ in withExtendedLifetime(token) {} }
      }
    }
    await store.send(1).finish()
    while created.isInUse { await Task.yield() }
  }

  @Test func `Effects continue while a caller waits for them`() async {
    let (gate, results) = (Gate(), Gate(isOpen: true))
    let effects = Scripted.store([
      "a": .run { send in
        await gate.pass()
        await send("b")
      }, "b": .run { _ in await results.pass() },
    ]).send("a")
    await gate.waitUntilHeld()
    gate.open()
    await effects.finish()
    await results.waitForArrivals()
  }

  @Test func `An action of an effect that outlives its store is ignored`() async {
    let (gate, sent) = (Gate(), Gate(isOpen: true))
    do {
      let store = Scripted.store([
        "a": .run { send in
          await gate.pass()
          await send("b")
          await sent.pass()
        }
      ])
      store.send("a")
      await gate.waitUntilHeld()
    }
    gate.open()
    await sent.waitForArrivals()
  }
}
