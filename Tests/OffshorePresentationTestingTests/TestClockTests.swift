import OffshorePresentation
import OffshorePresentationTesting
import Synchronization
import TestSupport
import Testing

/// The events of a test, each with the time of its clock in seconds.
private final class Timeline: Sendable {
  private let clock: TestClock
  private let list = Mutex<[String]>([])

  init(_ clock: TestClock) { self.clock = clock }

  var events: [String] { list.withLock(\.self) }

  func add(_ event: String) {
    let time = clock.now.offset.components.seconds
    list.withLock { $0.append("\(time) \(event)") }
  }
}

/// An effect for each of several sleepers, which wait once or several times.
private struct Sleepers: Reducer {
  let clock: TestClock
  let timeline: Timeline

  func reduce(into state: inout Int, action: [String: [Int]]) -> Effect<[String: [Int]]> {
    state += 1
    return .run { [clock, timeline] _ in
      await withTaskGroup { group in
        for (name, times) in action {
          group.addTask {
            for seconds in times {
              try? await clock.sleep(for: .seconds(seconds))
              timeline.add(name)
            }
          }
        }
      }
    }
  }
}

@MainActor @Suite(.timeLimit(.minutes(1)))
struct TestClockTests {
  private let clock = TestClock()
  private let timeline: Timeline

  init() { timeline = Timeline(clock) }

  /// Starts effects that wait.
  private func store(_ sleepers: [String: [Int]]) async -> TestStore<Int, [String: [Int]]> {
    let store = TestStore(initialState: 0) { Sleepers(clock: clock, timeline: timeline) }
    await store.send(sleepers) { $0 = 1 }
    return store
  }

  @Test func `The clock stands still until it is moved`() async {
    #expect(clock.now.offset == .zero)
    await clock.advance(by: .seconds(3))
    #expect(clock.now.offset == .seconds(3))
    #expect(clock.minimumResolution == .zero)
    #expect(clock.now.duration(to: clock.now.advanced(by: .seconds(2))) == .seconds(2))
  }

  @Test func `An effect waits until its moment, and not shorter`() async {
    let store = await store(["a": [2]])
    await clock.advance(by: .milliseconds(1999))
    #expect(timeline.events.isEmpty)
    await clock.advance(by: .milliseconds(1))
    #expect(timeline.events == ["2 a"])
    await store.finish()
  }

  @Test func `Effects are resumed in the order of their moments, each at its own`() async {
    let store = await store(["late": [3], "early": [1], "middle": [2]])
    await clock.advance(by: .seconds(10))
    #expect(timeline.events == ["1 early", "2 middle", "3 late"])
    #expect(clock.now.offset == .seconds(10))
    await store.finish()
  }

  @Test func `An effect that waits again is resumed in the same advance`() async {
    let store = await store(["a": [1, 1, 1], "b": [2]])
    await clock.advance(by: .seconds(2))
    #expect(Set(timeline.events) == ["1 a", "2 a", "2 b"])
    await clock.advance(by: .seconds(1))
    #expect(timeline.events.last == "3 a")
    await store.finish()
  }

  @Test func `A task outside of a store is waited for`() async throws {
    let task = Task.detached { [clock, timeline] in
      try await clock.sleep(for: .seconds(1))
      timeline.add("a")
    }
    await clock.waitForSleepers()
    await clock.advance(by: .seconds(1))
    try await task.value
    #expect(timeline.events == ["1 a"])
  }

  @Test func `Several tasks outside of a store are waited for`() async throws {
    let tasks = (1...3).map { _ in
      Task.detached { [clock] in try await clock.sleep(for: .seconds(1)) }
    }
    await clock.waitForSleepers(3)
    await clock.advance(by: .seconds(1))
    for task in tasks { try await task.value }
  }

  @Test func `A moment that has passed is not waited for`() async throws {
    await clock.advance(by: .seconds(5))
    try await clock.sleep(until: TestClock().now.advanced(by: .seconds(5)), tolerance: nil)
    #expect(clock.now.offset == .seconds(5))
  }

  @Test func `A cancelled task does not wait any longer`() async {
    let task = Task { [clock, timeline] in
      try await clock.sleep(for: .seconds(1))
      timeline.add("a")
    }
    await clock.waitForSleepers()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(timeline.events.isEmpty)
  }

  @Test func `A task that is cancelled before it waits does not wait`() async {
    let gate = Gate()
    let task = Task { [clock] in
      await gate.pass()
      try await clock.sleep(for: .seconds(1))
    }
    await gate.waitUntilHeld()
    task.cancel()
    gate.open()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
