import Observation
import OffshorePresentation
import Testing

@MainActor @Suite(.timeLimit(.minutes(1)))
struct RecentRemovalsTests {
  private struct Item: Identifiable, Equatable {
    let id: Int
    var text = ""
  }

  private struct Refused: Error {}

  private let removals = RecentRemovals<Item>(limit: 3)

  @Test func `The newest are kept, and the last of a kind is found`() {
    for id in 1...4 { removals.add(Item(id: id)) }
    #expect(removals[1] == nil)
    #expect((2...4).allSatisfy { removals[$0] != nil })
    #expect(removals.last()?.id == 4)
    #expect(removals.last { $0.id < 4 }?.id == 3)
  }

  @Test func `What is removed again takes the place of what was removed before`() {
    removals.add(Item(id: 1, text: "old"))
    removals.add(Item(id: 2))
    removals.add(Item(id: 1, text: "new"))
    #expect(removals.last()?.text == "new")
    removals.dismiss { $0.id == 1 }
    #expect(removals[1] == nil && removals.last()?.id == 2)
  }

  @Test func `It is put back once, however often that is asked for at the same time`() async throws
  {
    removals.add(Item(id: 1))
    var restored: [Item] = []
    let (opened, open) = AsyncStream.makeStream(of: Void.self)
    let body: @MainActor (Item) async throws -> Void = { item in
      for await _ in opened { break }
      restored.append(item)
    }
    let first = Task { try await removals.restore(1, by: body) }
    let second = Task { try await removals.restore(1, by: body) }
    open.yield()
    open.finish()
    #expect(try await first.value)
    _ = try await second.value
    #expect(restored == [Item(id: 1)])
    #expect(removals[1] == nil)
    #expect(try await !removals.restore(1, by: body))
  }

  @Test func `What could not be put back can be tried again`() async throws {
    removals.add(Item(id: 1))
    await #expect(throws: Refused.self) { try await removals.restore(1) { _ in throw Refused() } }
    #expect(removals[1] != nil)
    #expect(try await removals.restore(1) { _ in })
    #expect(removals[1] == nil)
  }

  @Test func `What is removed again while it is put back stays to be put back`() async throws {
    removals.add(Item(id: 1, text: "old"))
    try await removals.restore(1) { _ in removals.add(Item(id: 1, text: "new")) }
    #expect(removals[1]?.text == "new")
  }

  @Test func `Whoever shows what can be put back is told`() async {
    let (changes, change) = AsyncStream.makeStream(of: Void.self)
    withObservationTracking {
      _ = removals.last()
    } onChange: {
      change.yield()
    }
    removals.add(Item(id: 1))
    for await _ in changes { break }
  }
}
