import Foundation
import OffshorePresentation
import Synchronization
import TestSupport
import Testing

private struct Refused: Error, Equatable {}

/// Events in their order, from any task.
private final class Events: Sendable {
  private let list = Mutex<[String]>([])
  var all: [String] { list.withLock(\.self) }
  func add(_ event: String) { list.withLock { $0.append(event) } }
}

/// Returns whether the caller runs on the main thread. An async function cannot ask for it itself.
private func isOnMainThread() -> Bool { Thread.isMainThread }

@MainActor @Suite(.timeLimit(.minutes(1)))
struct EffectTests {
  private let events = Events()

  /// Returns an effect that waits at a gate, and sends an action then.
  private func sending(_ action: String, after gate: Gate) -> Effect<String> {
    .run { send in
      await gate.pass()
      await send(action)
    }
  }

  // MARK: - Queues

  @Test func `Effects of a queue start one after the other`() async {
    let (gate, events) = (Gate(), events)
    let store = Scripted.store([
      "a": .run { _ in
        await gate.pass()
        events.add("a")
      }.queued(id: 1),
      "b": .run { _ in events.add("b") }.queued(id: 1),
      "c": .run { _ in events.add("c") }.queued(id: 2),
      "d": .run { _ in events.add("d") }.queued(id: 1),
    ])
    let first = store.send("a")
    let last = ["b", "d"].map { store.send($0) }
    await store.send("c").finish()
    #expect(events.all == ["c"])
    gate.open()
    await first.finish()
    for effects in last { await effects.finish() }
    #expect(events.all == ["c", "a", "b", "d"])
    await store.send("b").finish()
    #expect(events.all == ["c", "a", "b", "d", "b"])
  }

  @Test func `A cancelled effect of a queue is passed over`() async {
    let (gate, events) = (Gate(), events)
    let store = Scripted.store([
      "a": .run { _ in
        await gate.pass()
        events.add("a")
      }.queued(id: 1),
      "b": .run { _ in events.add("b") }.cancellable(id: "b").queued(id: 1),
      "c": .run { _ in events.add("c") }.queued(id: 1),
      "cancel": .cancel(id: "b"),
    ])
    let all = ["a", "b", "c", "cancel"].map { store.send($0) }
    gate.open()
    for effects in all { await effects.finish() }
    #expect(events.all == ["a", "c"])
  }

  // MARK: - Sending and running

  @Test func `An action without an effect has nothing to wait for`() async {
    let store = Scripted.store([:])
    await store.send("a").finish()
    #expect(store.seen == ["a"])
  }

  @Test func `A sent action is handled before the store returns`() {
    let store = Scripted.store(["a": .send("b"), "b": .send("c")])
    store.send("a")
    #expect(store.seen == ["a", "b", "c"])
  }

  @Test func `A function sends any number of actions, in its order`() async {
    let store = Scripted.store([
      "a": .run { send in for action in ["b", "c", "d"] { await send(action) } }
    ])
    await store.send("a").finish()
    #expect(store.seen == ["a", "b", "c", "d"])
  }

  @Test func `A function runs outside of the main actor`() async {
    let events = events
    let store = Scripted.store([
      "a": .run { _ in events.add(isOnMainThread() ? "main" : "pool") }
    ])
    await store.send("a").finish()
    #expect(events.all == ["pool"])
  }

  @Test func `An error of a function comes back as an action`() async {
    let store = Scripted.store([
      "a": .run { send in
        await send("b")
        throw AppError.database(.full)
      } failure: {
        "failed: \($0.id)"
      }
    ])
    await store.send("a").finish()
    #expect(store.seen == ["a", "b", "failed: database.full"])
  }

  @Test func `An error of any other type comes back as an unknown one`() async {
    let store = Scripted.store([
      "a": .run { _ in
        throw Refused()
      } failure: {
        $0.id
      }
    ])
    await store.send("a").finish()
    #expect(store.seen == ["a", "unknown"])
  }

  @Test func `Merged effects run at the same time`() async {
    let (first, second) = (Gate(), Gate())
    let store = Scripted.store([
      "a": .merge(
        .send("now"), sending("first", after: first), sending("second", after: second))
    ])
    let effects = store.send("a")
    #expect(store.seen == ["a", "now"])
    second.open()
    await waitUntil { store.seen.count == 3 }
    first.open()
    await effects.finish()
    #expect(store.seen == ["a", "now", "second", "first"])
  }

  // MARK: - Cancellation

  @Test func `A cancelled effect sends no more actions`() async {
    let gate = Gate()
    let store = Scripted.store([
      "a": sending("late", after: gate).cancellable(id: 1), "stop": .cancel(id: 1),
    ])
    let effects = store.send("a")
    await gate.waitUntilHeld()
    store.send("stop")
    gate.open()
    await effects.finish()
    #expect(store.seen == ["a", "stop"])
  }

  @Test func `The task of a cancelled effect is cancelled`() async {
    let (events, started) = (events, Gate(isOpen: true))
    let store = Scripted.store([
      "a": Effect.run { _ in
        await started.pass()
        do { try await waitUntilCancelled() } catch { events.add("cancelled") }
      }
      .cancellable(id: "a"), "stop": .cancel(id: "a"),
    ])
    let effects = store.send("a")
    await started.waitForArrivals()
    store.send("stop")
    await effects.finish()
    #expect(events.all == ["cancelled"])
  }

  @Test func `Cancellation of another id leaves an effect alone`() async {
    let gate = Gate()
    let store = Scripted.store([
      "a": sending("b", after: gate).cancellable(id: 1), "stop": .cancel(id: 2),
      "other type": .cancel(id: "1"),
    ])
    let effects = store.send("a")
    store.send("stop")
    store.send("other type")
    gate.open()
    await effects.finish()
    #expect(store.seen.last == "b")
  }

  @Test func `All effects with an id are cancelled, also those with several ids`() async {
    let gate = Gate()
    let store = Scripted.store([
      "a": .merge(
        sending("1", after: gate).cancellable(id: "one"),
        sending("2", after: gate).cancellable(id: "two").cancellable(id: "one"),
        sending("3", after: gate)),
      "stop": .cancel(id: "one"),
    ])
    let effects = store.send("a")
    store.send("stop")
    gate.open()
    await effects.finish()
    #expect(store.seen == ["a", "stop", "3"])
  }

  @Test func `An effect can replace the running ones with its id`() async {
    let (first, second) = (Gate(), Gate(isOpen: true))
    let store = Scripted.store([
      "a": sending("1", after: first).cancellable(id: 0, cancelInFlight: true),
      "b": sending("2", after: second).cancellable(id: 0, cancelInFlight: true),
    ])
    let replaced = store.send("a")
    await store.send("b").finish()
    first.open()
    await replaced.finish()
    #expect(store.seen == ["a", "b", "2"])
  }

  @Test func `Without replacement, effects of one id run beside each other`() async {
    let gate = Gate()
    let store = Scripted.store(["a": sending("1", after: gate).cancellable(id: 0)])
    let effects = [store.send("a"), store.send("a")]
    gate.open()
    for effect in effects { await effect.finish() }
    #expect(store.seen == ["a", "a", "1", "1"])
  }
}
