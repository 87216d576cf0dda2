import OffshorePresentation
import OffshorePresentationTesting
import Synchronization
import TestSupport
import Testing

/// A clock that records for how long tasks want to wait, and lets none of them wait.
private final class RecordingClock: _Concurrency.Clock, Sendable {
  private let state = Mutex((now: TestClock().now, deadlines: [TestClock.Instant]()))

  var now: TestClock.Instant { state.withLock(\.now) }
  var deadlines: [TestClock.Instant] { state.withLock(\.deadlines) }
  var minimumResolution: Duration { .zero }

  func move(by duration: Duration) {
    state.withLock { $0.now = $0.now.advanced(by: duration) }
  }

  func sleep(until deadline: TestClock.Instant, tolerance: Duration?) async throws {
    state.withLock { $0.deadlines.append(deadline) }
  }
}

@MainActor @Suite(.timeLimit(.minutes(1)))
struct DebounceTests {
  private let clock = TestClock()

  private func store(_ effects: [String: Effect<String>]) -> Store<Scripted.State, String> {
    Scripted.store(effects) { $0.clock = clock }
  }

  @Test func `An effect waits on the store's clock`() async {
    let store = store([
      "a": Effect.run { await $0("b") }.debounce(id: "a", for: .milliseconds(300))
    ])
    let effects = store.send("a")
    await clock.advance(by: .milliseconds(299))
    #expect(store.seen == ["a"])
    await clock.advance(by: .milliseconds(1))
    await effects.finish()
    #expect(store.seen == ["a", "b"])
  }

  @Test func `The time begins with the action, and not with the start of the task`() async {
    let clock = RecordingClock()
    let store = Scripted.store(["a": .send("b").debounce(id: "a", for: .seconds(1))]) {
      $0.clock = clock
    }
    let effects = store.send("a")
    // The task of the effect has not run yet.
    clock.move(by: .seconds(5))
    await effects.finish()
    #expect(clock.deadlines.map(\.offset) == [.seconds(1)])
    #expect(store.seen == ["a", "b"])
  }

  @Test func `A newer effect with the same id replaces the waiting one`() async {
    let store = store([
      "v": .send("found v").debounce(id: "search", for: .milliseconds(300)),
      "vi": .send("found vi").debounce(id: "search", for: .milliseconds(300)),
    ])
    let replaced = store.send("v")
    await clock.advance(by: .milliseconds(200))
    let effects = store.send("vi")
    await replaced.finish()
    await clock.advance(by: .milliseconds(200))
    #expect(store.seen == ["v", "vi"])
    await clock.advance(by: .milliseconds(100))
    await effects.finish()
    #expect(store.seen == ["v", "vi", "found vi"])
  }

  @Test func `A waiting effect can be cancelled, and does not start then`() async {
    let isStarted = Mutex(false)
    let store = store([
      "a": Effect.run { _ in isStarted.withLock { $0 = true } }.debounce(id: 1, for: .seconds(1)),
      "stop": .cancel(id: 1),
    ])
    let effects = store.send("a")
    store.send("stop")
    await effects.finish()
    let hasStarted = isStarted.withLock(\.self)
    #expect(!hasStarted)
  }

  @Test func `A cancellation in the effect does not wait`() async {
    let gate = Gate()
    let running = Effect<String>.run { send in
      await gate.pass()
      await send("late")
    }
    let store = store([
      "run": running.cancellable(id: "run"),
      "a": .merge(.cancel(id: "run"), .send("b")).debounce(id: "a", for: .seconds(1)),
    ])
    let first = store.send("run")
    let second = store.send("a")
    gate.open()
    await first.finish()
    await clock.advance(by: .seconds(1))
    await second.finish()
    #expect(store.seen == ["run", "a", "b"])
  }

  @Test func `Delays of an effect add up`() async {
    let store = store([
      "a": .send("b").debounce(id: 1, for: .seconds(1)).debounce(id: 2, for: .seconds(2))
    ])
    let effects = store.send("a")
    await clock.advance(by: .seconds(2))
    #expect(store.seen == ["a"])
    await clock.advance(by: .seconds(1))
    await effects.finish()
    #expect(store.seen == ["a", "b"])
  }
}
