import OffshoreHTTP
import Testing

@testable import OffshoreWeb

struct EventHistoryTests {
  private func history(_ count: Int, maximumCount: Int = 4, maximumSize: Int = 1_000)
    -> EventHistory
  {
    var history = EventHistory(maximumCount: maximumCount, maximumSize: maximumSize)
    for number in 0..<count { _ = history.append([Patch(.remove, "row-\(number)")]) }
    return history
  }

  @Test func `Events are numbered from 1, and those after a revision are given in order`() {
    #expect(history(3).revision == 3)
    #expect(history(3).events(after: 1)?.map(\.id) == ["2", "3"])
    #expect(history(3).events(after: 0)?.count == 3)
  }

  @Test func `Who has everything gets nothing, before the first event too`() {
    #expect(history(3).events(after: 3)?.isEmpty == true)
    #expect(history(0).events(after: 0)?.isEmpty == true)
  }

  @Test func `Events that are no longer kept, or never were, are unknown`() {
    #expect(history(6).events(after: 1) == nil)
    #expect(history(6).events(after: 2)?.count == 4)
    #expect(history(6).events(after: 7) == nil)
    #expect(history(6).events(after: -1) == nil)
    #expect(history(6).events(after: .max) == nil)
    #expect(history(6).events(after: .min) == nil)
  }

  @Test func `The bytes that are kept are bounded`() {
    #expect(history(100, maximumCount: 100, maximumSize: 200).events(after: 90) == nil)
    #expect(history(100, maximumCount: 100, maximumSize: 200).events(after: 97)?.count == 3)
  }

  @Test func `An event that is larger than all that may be kept is not kept`() {
    var history = history(1, maximumSize: 50)
    _ = history.append([Patch(.morph, "a", HTML(String(repeating: "x", count: 100)))])
    #expect(history.events(after: 1) == nil)
    #expect(history.events(after: 2)?.isEmpty == true)
  }

  @Test func `After what no patch expresses, no earlier revision leads on`() {
    var history = history(3)
    history.clear()
    #expect(history.events(after: 3) == nil)
    #expect(history.events(after: 4)?.isEmpty == true)
  }
}
