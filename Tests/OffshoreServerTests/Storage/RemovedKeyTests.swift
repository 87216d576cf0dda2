import OffshoreWire
import ServerSupport
import Testing

@testable import OffshoreServer

/// The removal of keys that were removed long ago.
struct RemovedKeyTests {
  private let retention = Retention(lifetime: 3_000)
  private let rules: PushRules
  private let scope: ScopeID
  private let row = RowID(table: "bags", id: "a")

  init() throws {
    let bags = SyncedTable(
      "bags", scopeKind: "list", scopeColumn: "listID",
      columns: [
        SyncedColumn("listID", .text), SyncedColumn("items", .text, policy: .keyed),
        SyncedColumn("tags", .text, policy: .set),
      ])
    rules = try PushRules(Manifest(version: 1, tables: [Lists.lists, bags]), tolerance: 1_000_000)
    scope = try Lists.scope()
  }

  private func put() -> Op {
    Op(
      .put, row,
      fields: [
        "listID": "1", "items": "{}", "items.x": "1", "items.y": "2", "tags": "[]", #"tags."t""#: 1,
      ], stamp: .at(10))
  }

  private func remove(_ fields: String..., at time: Int64) -> Op {
    let nulls = fields.map { ($0, WireValue.null) }
    return Op(.patch, row, fields: Dictionary(uniqueKeysWithValues: nulls), stamp: .at(time))
  }

  private func push(_ number: Int64, _ ops: [Op], to log: any ServerStorage) async throws {
    let request = PushRequest(
      device: .sample(1), epoch: 7, manifestVersion: 1,
      batches: [try TestServer.batch(number, ops)])
    let response = try await log.write { [rules] log in
      try rules.apply(request, of: .sample(1), at: 1_000_000, to: &log)
    }
    #expect(response.results.first?.outcome.range != nil)
  }

  private func storage(_ kind: StorageKind, _ ops: [Op]) async throws -> any ServerStorage {
    let log = try kind.storage()
    _ = try await log.write { [scope] log in try log.grant(.owner, to: .sample(1), in: scope) }
    try await push(1, [.list(at: 1), put()] + ops, to: log)
    return log
  }

  private func state(_ log: any ServerStorage) async throws -> (row: SyncedRow, scope: ScopeState) {
    try await log.read { [row, scope] log in
      (try #require(try log.row(row, in: scope)), try log.scope(scope))
    }
  }

  private func pull(_ place: inout PagingDevice, from log: any ServerStorage) async throws {
    for _ in 0..<2 {
      let request = PullRequest(
        device: .sample(2), manifestVersion: 1, grantsAfter: 0, cursors: [place.request], limit: 100
      )
      let response = try await log.read { log in
        try PullRules(.none).answer(request, of: .sample(1), at: 0, from: log)
      }
      let digest = place.apply(try #require(response.scopes.first))
      #expect(digest == nil || digest == place.digest)
    }
    #expect(try await state(log).scope.digest == place.digest)
  }

  @Test(arguments: StorageKind.allCases)
  func `Keys that were removed long ago leave the row by a change that devices pull`(
    kind: StorageKind
  ) async throws {
    let log = try await storage(
      kind, [remove("items.x", #"tags."t""#, at: 500), remove("items.y", at: 900)])
    var device = PagingDevice(scope)
    try await pull(&device, from: log)
    let before = try await state(log)
    #expect(before.row.state.fields["items.x"] == .null)

    try await retention.collect(at: 3_499, in: log)
    #expect(try await state(log).row == before.row)
    try await retention.collect(at: 3_500, in: log)
    let after = try await state(log)
    #expect(Set(after.row.state.fields.keys) == ["listID", "items", "items.y", "tags"])
    #expect(after.row.seq == before.scope.head + 1 && after.scope.head == after.row.seq)
    #expect(after.scope.usage.bytes < before.scope.usage.bytes)

    try await pull(&device, from: log)
    #expect(device.living[row] == after.row)
    // Nothing is left to remove, so nothing changes.
    try await retention.collect(at: 3_600, in: log)
    #expect(try await state(log).scope == after.scope)
  }

  @Test(arguments: StorageKind.allCases)
  func `Rows are cleared in chunks, and a row that churns stays small`(
    kind: StorageKind
  ) async throws {
    let log = CountedStorage(try await storage(kind, []))
    var retention = retention
    retention.largeChunk = 2
    let bags = (0..<7).map { RowID(table: "bags", id: "b\($0)") }
    var ops: [Op] = []
    for (index, bag) in bags.enumerated() {
      let time = Int64(20 + index * 10)
      ops.append(
        Op(
          .put, bag, fields: ["listID": "1", "items": "{}", "items.x": "1", "tags": "[]"],
          stamp: .at(time)))
      ops.append(Op(.patch, bag, fields: ["items.x": .null], stamp: .at(time + 1)))
    }
    try await push(2, ops, to: log)
    let writes = log.writes
    try await retention.collect(at: 10_000, in: log)
    #expect(log.writes - writes >= 4)
    let rows = try await log.read { [scope] in try $0.rows(in: scope, after: 0, limit: 99) }
    #expect(rows.allSatisfy { $0.state.oldestRemoval == nil })
    let digest = rows.reduce(into: Digest()) { $0.add($1.state, of: $1.row) }
    #expect(try await state(log).scope.digest == digest)
  }

  @Test func `A key can be added again after its removal was forgotten`() async throws {
    let log = try await storage(.sqlite, [remove("items.x", at: 500)])
    try await retention.collect(at: 4_000, in: log)
    let again = Op(
      .patch, row, fields: ["items.x": "3"], base: ["items.x": .at(500)], stamp: .at(4_001))
    try await push(2, [again], to: log)
    #expect(try await state(log).row.state.fields["items.x"] == "3")
  }
}
