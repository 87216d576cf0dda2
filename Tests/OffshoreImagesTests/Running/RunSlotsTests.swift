import TestSupport
import Testing

@testable import OffshoreImages

/// The limit of runs at once.
@Suite(.timeLimit(.minutes(1)))
struct RunSlotsTests {
  private let slots = RunSlots(limit: 2)
  private let gate = Gate()

  /// Starts runs that wait at the gate, and returns when all of them run or wait for a slot.
  private func start(_ count: Int) async -> [Task<Void, any Error>] {
    let tasks = (0..<count).map { _ in
      Task { [slots, gate] in try await slots.run { await gate.pass() } }
    }
    await gate.waitForArrivals(min(count, 2))
    while slots.waitingCount < count - 2 { await Task.yield() }
    return tasks
  }

  @Test func `Further runs wait until a slot is free`() async throws {
    let tasks = await start(5)
    #expect(slots.waitingCount == 3)
    gate.open()
    for task in tasks { try await task.value }
    #expect(slots.waitingCount == 0)
  }

  @Test func `A cancelled run that waits ends, and takes no slot`() async throws {
    let tasks = await start(2)
    let waiting = Task { [slots] in try await slots.run { Issue.record("It runs.") } }
    while slots.waitingCount < 1 { await Task.yield() }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    #expect(slots.waitingCount == 0)
    gate.open()
    for task in tasks { try await task.value }
    try await slots.run {}
  }

  @Test func `A run that fails frees its slot`() async throws {
    struct Failure: Error {}
    for _ in 0..<5 {
      await #expect(throws: Failure.self) { try await slots.run { throw Failure() } }
    }
    gate.open()
    for task in await start(2) { try await task.value }
  }
}
