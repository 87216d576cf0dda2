import Testing

@testable import Offshore

struct RunningReadsTests {
  private let reads = RunningReads()
  private let calls = Counter()

  @Test func `Nothing is awaited if no read runs`() {
    #expect(!reads.callWhenEnded { calls.increase() })
    reads.end(reads.begin())
    #expect(calls.value == 0)
    #expect(!reads.areAwaited)
  }

  @Test func `The closure is called once, when the last of the reads has ended`() {
    let (first, second) = (reads.begin(), reads.begin())
    #expect(reads.callWhenEnded { calls.increase() })
    reads.end(second)
    #expect(reads.areAwaited)
    #expect(calls.value == 0)
    reads.end(first)
    #expect(!reads.areAwaited)
    reads.end(reads.begin())
    #expect(calls.value == 1)
  }

  @Test func `Reads that begin later are not awaited`() {
    let first = reads.begin()
    #expect(reads.callWhenEnded { calls.increase() })
    let later = reads.begin()
    reads.end(first)
    #expect(calls.value == 1)
    #expect(reads.callWhenEnded { calls.increase() })
    reads.end(later)
    #expect(calls.value == 2)
  }
}
