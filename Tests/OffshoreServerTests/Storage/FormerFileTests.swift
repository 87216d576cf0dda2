import Foundation
import Offshore
import OffshoreWire
import Testing

@testable import OffshoreServer

/// Files of former releases, opened by this one.
struct FormerFileTests {
  /// Stores data in a file as a former release had it, and opens the file.
  private func open(
    _ version: String = "v1.7.0",
    after write: @escaping @Sendable (inout any StorageTransaction, Writer) throws -> Void,
    _ body: (SQLiteStorage) async throws -> Void
  ) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "offshore-former-\(UUID().uuidString)").path(percentEncoded: false)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let former = try SQLiteStorage("\(folder)/data", epoch: 7)
    try await former.write { log in
      let writer = try #require((log as? SQLiteTransaction)?.reader as? Writer)
      try write(&log, writer)
      try FormerFile.undo(from: version, writer)
    }
    await former.close()
    let log = try SQLiteStorage("\(folder)/data", epoch: 9)
    try await body(log)
    await log.close()
  }

  @Test func `Devices from an older file have no account yet`() async throws {
    let scope = try ScopeID("list/1")
    try await open("v1.5.0") { log, _ in
      try log.setDevice(.sample(1), in: scope, StoredDevice(lastNumber: 4, acknowledged: 3))
    } _: { log in
      let state = try await log.read { try $0.device(.sample(1), in: scope) }
      #expect(state == StoredDevice(lastNumber: 4, acknowledged: 3))
    }
  }

  @Test func `Whether rows refer to the blobs of an older file is unknown`() async throws {
    let (scope, hash) = (try ScopeID("list/1"), ContentHash(of: [1]))
    try await open("v1.8.6") { log, _ in
      try log.addBlob(
        StoredBlob(hash: hash, scope: scope, account: .sample(1), byteCount: 5, unused: 3))
      try log.setBlobReference(hash, from: Lists.task("a"), column: "photo", in: scope)
    } _: { log in
      let blobs = try await log.read { try $0.blobs(hash) }
      #expect(blobs.map(\.byteCount) == [5] && blobs.map(\.unused) == [nil])
      #expect(try await log.read { try $0.isUsed(hash, in: scope) } == false)
    }
  }

  @Test func `The refused ops of an older file are limited when it is opened`() async throws {
    let scope = try ScopeID("list/1")
    let lowest = Refusal(Op(.put, Lists.task("a"), generation: 1, stamp: .at(2)))
    try await open { log, _ in
      for time in 0..<200 as Range<Int64> {
        let kind = time == 1 || time == 2 ? Op.Kind.put : .patch
        let op = Op(kind, Lists.task("a"), generation: time == 1 ? 3 : 1, stamp: .at(time))
        try log.addRefusal(Refusal(op), by: .sample(1), in: scope)
      }
      let other = Refusal(Op(.put, Lists.task("b"), stamp: .at(9)))
      try log.addRefusal(other, by: .sample(1), in: scope)
    } _: { log in
      let (first, second) = try await log.read { log in
        (
          try log.refusals(of: Lists.task("a"), by: .sample(1), in: scope),
          try log.refusals(of: Lists.task("b"), by: .sample(1), in: scope)
        )
      }
      #expect(first.first == lowest)
      #expect(first.dropFirst().map(\.stamp) == (136..<200).map { .at($0) })
      #expect(second.count == 1)
    }
  }

  @Test func `The rows, claims, results and conflicts of an older file are kept and counted`()
    async throws
  {
    let (scope, other) = (try ScopeID("list/1"), try ScopeID("list/2"))
    let result = StoredResult(
      hash: ContentHash(of: [1]), outcome: .applied(SeqRange(first: 1, count: 1)))
    let rows = [
      SyncedRow.sample("a", seq: 1), .sample("b", seq: 2), .sample("c", seq: 3, .deleted),
    ]
    try await open { log, _ in
      for row in rows { try log.setRow(row, in: scope) }
      for scope in [scope, other] {
        try log.setScope(scope, ScopeState(head: 3, epoch: 7))
        try log.grant(.owner, to: .sample(1), in: scope)
      }
      try log.grant(.editor, to: .sample(2), in: scope)
      try log.addResult(result, of: 1, by: .sample(1), in: scope)
      try log.addConflict(.sample(1), in: scope, at: 5)
    } _: { log in
      let bytes = rows.reduce(0) { $0 + Int64($1.state.byteCount) }
      try await log.read { log throws in
        #expect(try log.scope(scope).usage == StorageUsage(rows: 2, bytes: bytes))
        #expect(try log.scope(other).usage == StorageUsage())
        #expect(try log.claimCount(of: .sample(1)) == 2)
        #expect(try log.claimCount(of: .sample(2)) == 0)
        let stored = try log.result(of: 1, by: .sample(1), in: scope)
        #expect(
          stored?.hash == result.hash && stored?.outcome == result.outcome && stored?.id == nil)
      }
      // Conflicts and results count as stored when the file was opened.
      let removed = try await log.write { log in
        try log.removeConflicts(before: SystemClock.now() - 3_600_000, limit: 9)
      }
      #expect(removed == 0)
      #expect(try await log.write { try $0.removeConflicts(before: .max, limit: 9) } == 1)
    }
  }

  @Test func `The results of a file with rows in the order of their storage are kept`()
    async throws
  {
    let (scope, id) = (try ScopeID("list/1"), UUID())
    let results = [UUID(), id].map {
      StoredResult(
        id: $0, hash: ContentHash(of: [1]), outcome: .applied(SeqRange(first: 1, count: 1)), time: 8
      )
    }
    try await open("v1.7.6") { log, _ in
      for (index, result) in results.enumerated() {
        try log.addResult(result, of: Int64(2 - index), by: .sample(1), in: scope)
      }
    } _: { log in
      try await log.read { log throws in
        #expect(try log.result(of: 2, by: .sample(1), in: scope) == results[0])
        let found = try log.result(withID: id, by: .sample(1), in: scope)
        #expect(found?.number == 1 && found?.result == results[1])
      }
    }
  }
  @Test func `The members of an older file get rows`() async throws {
    let (scope, own, empty) = (
      try ScopeID("list/1"), try ScopeID("person/1"), try ScopeID("list/2")
    )
    try await open("v1.8.0") { log, _ in
      try log.setManifest(
        Manifest(
          version: 1,
          tables: [
            SyncedTable("lists", scopeKind: "list", scopeColumn: "id", columns: []),
            SyncedTable("people", scopeKind: "person", scopeColumn: "id", columns: []),
          ], personalKinds: ["person"]))
      for (number, role) in [(UInt8(1), Role.owner), (2, .viewer), (3, .revoked)] {
        try log.setAccount(
          Account(
            id: .sample(number), name: AccountName("person-\(number)"), password: .none,
            created: 0))
        for scope in [scope, own, empty] { try log.grant(role, to: .sample(number), in: scope) }
      }
      for scope in [scope, own] { try log.setScope(scope, ScopeState(head: 3, epoch: 7)) }
    } _: { log in
      try await log.read { log in
        let rows = try log.rows(in: scope, after: 0, limit: 9)
        let members = rows.compactMap { MemberRow(id: $0.row.id, fields: $0.state.fields) }
        #expect(rows.map(\.seq) == [4, 5] && members.map(\.name) == ["person-1", "person-2"])
        #expect(members.map(\.role) == [.owner, .viewer] && members.allSatisfy { $0.since == nil })
        let digest = rows.reduce(into: Digest()) { $0.add($1.state, of: $1.row) }
        #expect(try log.scope(scope).head == 5 && log.scope(scope).digest == digest)
        #expect(try log.scope(own).head == 3 && log.scope(empty).head == 0)
      }
    }
  }
}
