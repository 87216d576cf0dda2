import OffshoreWire
import Testing

@testable import OffshoreServer

/// The lifetime of tombstones, in each log.
struct RetentionTests {
  private let retention = Retention(lifetime: 3_000)

  @Test(arguments: StorageKind.allCases)
  func `Tombstones are collected after their lifetime, and no sooner`(
    kind: StorageKind
  ) async throws {
    let log = try kind.storage()
    let scopes = try ["list/1", "list/2"].map { try ScopeID($0) }
    func delete(_ id: String, _ seq: Int64) async throws {
      try await log.write { log in
        try log.setRow(.sample(id, seq: seq, .deleted), in: scopes[0])
        try log.setScope(scopes[0], ScopeState(head: seq, epoch: 7))
      }
    }
    func collected(at time: Int64) async throws -> [Int64] {
      try await log.write { [retention] log in
        try retention.collect(at: time, in: &log)
        return try log.rows(in: scopes[0], after: 0, limit: 9).map(\.seq)
      }
    }
    try await log.write { log in
      try log.setRow(.sample("a", seq: 1), in: scopes[1])
      try log.setScope(scopes[1], ScopeState(head: 1, epoch: 7))
    }
    try await delete("a", 1)
    #expect(try await collected(at: 0) == [1])
    try await delete("b", 2)
    // Too soon after the previous mark to record another.
    #expect(try await collected(at: 99) == [1, 2])
    #expect(try await collected(at: 1_000) == [1, 2])
    #expect(try await collected(at: 2_999) == [1, 2])
    #expect(try await collected(at: 3_000) == [2])
    #expect(try await log.write { try $0.scope(scopes[0]).minSeq } == 1)
    #expect(try await collected(at: 3_999) == [2])
    #expect(try await collected(at: 4_000) == [])
    #expect(try await log.write { try $0.tombstoneMarks() } == [])
    #expect(try await log.write { try $0.row(Lists.task("a"), in: scopes[1]) } != nil)
    #expect(try await log.write { try $0.scope(scopes[1]).minSeq } == 0)
  }
}
