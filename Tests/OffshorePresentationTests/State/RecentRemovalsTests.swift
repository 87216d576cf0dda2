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

  @Test func `The newest removals are stored, and the last of a kind is found`() {
    for id in 1...4 { removals.add(Item(id: id)) }
    #expect(removals[1] == nil)
    #expect((2...4).allSatisfy { removals[$0] != nil })
    #expect(removals.last()?.id == 4)
    #expect(removals.last { $0.id < 4 }?.id == 3)
  }

  @Test func `A repeated removal replaces the former one`() {
    removals.add(Item(id: 1, text: "old"))
    removals.add(Item(id: 2))
    removals.add(Item(id: 1, text: "new"))
    #expect(removals.last()?.text == "new")
    removals.dismiss { $0.id == 1 }
    #expect(removals[1] == nil && removals.last()?.id == 2)
  }

  @Test func `A removal is undone once, despite concurrent requests`() async throws {
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

  @Test func `A failed undo can be retried`() async throws {
    removals.add(Item(id: 1))
    await #expect(throws: Refused.self) { try await removals.restore(1) { _ in throw Refused() } }
    #expect(removals[1] != nil)
    #expect(try await removals.restore(1) { _ in })
    #expect(removals[1] == nil)
  }

  @Test func `An item that is removed again during its undo can still be restored`() async throws {
    removals.add(Item(id: 1, text: "old"))
    try await removals.restore(1) { _ in removals.add(Item(id: 1, text: "new")) }
    #expect(removals[1]?.text == "new")
  }

  @Test func `Observers of the removals are notified`() async {
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
