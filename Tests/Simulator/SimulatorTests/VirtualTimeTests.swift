import TestSupport
import Testing

@testable import OffshoreSimulator

struct VirtualTimeTests {
  private final class Names { var list: [String] = [] }

  private let time = VirtualTime(SeededRandom(seed: 1), Trace(isKept: true))
  private let names = Names()

  private func plan(_ name: String, after milliseconds: Int64) {
    time.after(milliseconds) { [names] in names.list.append(name) }
  }

  @Test func `Events run in the order of their times, then in the order of adding`() async throws {
    for (time, name) in [(5, "c"), (3, "a"), (7, "e"), (5, "d"), (3, "b")] as [(Int64, String)] {
      plan(name, after: time)
    }
    try await time.run(for: 9)
    #expect(names.list == ["a", "b", "c", "d", "e"])
  }

  @Test func `An event may add another, which runs at its own time`() async throws {
    plan("last", after: 6)
    time.after(2) { plan("first", after: 3) }
    try await time.run(for: 6)
    #expect(names.list == ["first", "last"])
  }

  @Test func `Time advances to each event, and to the end of a run without later events`()
    async throws
  {
    let start = time.now
    time.after(4) { [time] in time.note("here") }
    plan("late", after: 7)
    try await time.run(for: 6)
    #expect(time.trace.lines == ["\((start + 4) % 10_000_000): here"])
    #expect(time.now == start + 6)
    #expect(names.list == [])
    #expect(try await time.step(until: start + 7))
    #expect(try await !time.step(until: start + 100))
    #expect(time.now == start + 7)
  }
}
