import Foundation
import OffshoreWire
import ServerSupport
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
      try await retention.collect(at: time, in: log)
      return try await log.read { log in
        try log.rows(in: scopes[0], after: 0, limit: 9).map(\.seq)
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

  // MARK: - Chunks

  @Test(arguments: StorageKind.allCases)
  func `Many tombstones are removed by several writes`(kind: StorageKind) async throws {
    let log = CountedStorage(try kind.storage())
    var retention = retention
    retention.chunk = 10
    let scope = try ScopeID("list/1")
    try await log.write { log in
      for seq in 1...95 as ClosedRange<Int64> {
        try log.setRow(.sample("r\(seq)", seq: seq, .deleted), in: scope)
      }
      try log.setRow(.sample("living", seq: 96), in: scope)
      try log.setScope(scope, ScopeState(head: 96, epoch: 7))
    }
    try await retention.collect(at: 0, in: log)
    let before = log.writes
    try await retention.collect(at: 3_000, in: log)
    #expect(log.writes - before >= 10)
    let (rows, state) = try await log.read { log in
      (try log.rows(in: scope, after: 0, limit: 99), try log.scope(scope))
    }
    #expect(rows.map(\.seq) == [96])
    #expect(state.minSeq == 95)
  }

  @Test func `An interrupted removal of tombstones is continued`() async throws {
    let log = CountedStorage(try SQLiteStorage.temporary(epoch: 7))
    var retention = retention
    retention.chunk = 10
    let scope = try ScopeID("list/1")
    try await log.write { log in
      for seq in 1...35 as ClosedRange<Int64> {
        try log.setRow(.sample("r\(seq)", seq: seq, .deleted), in: scope)
      }
      try log.setScope(scope, ScopeState(head: 35, epoch: 7))
    }
    try await retention.collect(at: 0, in: log)
    log.writesUntilFailure = 2
    await #expect(throws: CancellationError.self) {
      try await retention.collect(at: 3_000, in: log)
    }
    let left = try await log.read { log in
      (try log.rows(in: scope, after: 0, limit: 99).count, try log.scope(scope).minSeq)
    }
    // The scope states the number from the first removal on.
    #expect(left == (15, 35))
    log.writesUntilFailure = nil
    try await retention.collect(at: 3_001, in: log)
    #expect(try await log.read { try $0.rows(in: scope, after: 0, limit: 99) } == [])
  }

  // MARK: - Conflicts

  @Test(arguments: StorageKind.allCases)
  func `Conflicts are removed after their lifetime, in chunks`(kind: StorageKind) async throws {
    let log = CountedStorage(try kind.storage())
    var retention = retention
    retention.largeChunk = 2
    let scope = try ScopeID("list/1")
    try await log.write { log in
      for number in 1...7 as ClosedRange<Int64> {
        try log.addConflict(try .sample(number), in: scope, at: number * 100)
      }
    }
    func numbers(at time: Int64) async throws -> [Int64] {
      try await retention.collect(at: time, in: log)
      return try await log.read { log in
        try log.conflicts(in: scope, after: 0, limit: 99).map(\.number)
      }
    }
    #expect(try await numbers(at: 3_099) == Array(1...7))
    let before = log.writes
    #expect(try await numbers(at: 3_500) == [6, 7])
    #expect(log.writes - before >= 3)
  }

  // MARK: - Results

  @Test(arguments: StorageKind.allCases)
  func `Old results are removed, but the last ones of each device`(kind: StorageKind) async throws {
    let log = try kind.storage()
    var retention = retention
    retention.chunk = 40
    let (scope, count) = (try ScopeID("list/1"), Retention.retainedResults)
    try await log.write { log in
      for (device, last) in [(1, count + 100), (2, count), (3, 50)] as [(UInt8, Int64)] {
        for number in 1...last {
          let result = StoredResult(
            id: UUID(), hash: ContentHash(of: [device]),
            outcome: .applied(SeqRange(first: 1, count: 0)),
            time: number)
          try log.addResult(result, of: number, by: .sample(device), in: scope)
        }
        try log.setDevice(.sample(device), in: scope, StoredDevice(lastNumber: last))
      }
    }
    func first(of device: UInt8, upTo last: Int64) async throws -> Int64? {
      try await log.read { log in
        try (1...last).first { try log.result(of: $0, by: .sample(device), in: scope) != nil }
      }
    }
    // Only the first 90 results of the first device are old enough.
    try await retention.collect(at: 3_090, in: log)
    #expect(try await first(of: 1, upTo: count + 100) == 91)
    try await retention.collect(at: 1 << 40, in: log)
    #expect(try await first(of: 1, upTo: count + 100) == 101)
    #expect(try await first(of: 2, upTo: count) == 1)
    #expect(try await first(of: 3, upTo: 50) == 1)
  }
}
