import OffshoreWire
import Synchronization
import Testing

@testable import OffshoreServer

struct RangeDigestCacheTests {
  private final class Computations: Sendable {
    let count = Mutex(0)
  }

  private let computations = Computations()
  private var count: Int { computations.count.withLock { $0 } }

  private func digests(
    _ cache: RangeDigestCache, _ list: String = "1", head: Int64 = 1, epoch: UInt64 = 7,
    digest: Digest = Digest()
  ) throws -> RangeDigests {
    let state = ScopeState(head: head, digest: digest, epoch: epoch)
    return try cache.digests(of: Lists.scope(list), at: state) {
      computations.count.withLock { $0 += 1 }
      var digests = RangeDigests()
      digests.add(hash: UInt64(head), of: Lists.task(list))
      return digests
    }
  }

  @Test func `Digests are stored by scope, head, epoch and digest`() throws {
    let cache = RangeDigestCache()
    for _ in 0..<3 {
      #expect(try digests(cache).total == Digest(value: 1))
      #expect(try digests(cache, "2").total == Digest(value: 1))
      #expect(try digests(cache, head: 2).total == Digest(value: 2))
      _ = try digests(cache, epoch: 8)
      _ = try digests(cache, digest: Digest(value: 9))
    }
    #expect(count == 5)
  }

  @Test func `The digests that were not used for longest are removed`() throws {
    let cache = RangeDigestCache(capacity: 2)
    for list in ["1", "2", "1", "3", "1"] { _ = try digests(cache, list) }
    #expect(count == 3)
    _ = try digests(cache, "2")
    #expect(count == 4)
  }

  @Test func `Simultaneous requests share one computation`() async throws {
    let cache = RangeDigestCache()
    try await withThrowingTaskGroup(of: RangeDigests.self) { group in
      for _ in 0..<50 { group.addTask { try digests(cache) } }
      for try await digests in group { #expect(digests.total == Digest(value: 1)) }
    }
    #expect(count == 1)
  }

  @Test func `A computation that fails is repeated`() throws {
    struct Failure: Error {}
    let cache = RangeDigestCache()
    let state = ScopeState(head: 1, epoch: 7)
    #expect(throws: Failure.self) {
      try cache.digests(of: Lists.scope(), at: state) { throw Failure() }
    }
    #expect(try digests(cache).total == Digest(value: 1))
  }
}
