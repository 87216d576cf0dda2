import Foundation
import Offshore
import OffshoreWire
import Testing

@testable import OffshoreSync

/// The numbers and device ids of sealed batches.
struct BatchQueueTests {
  private let device: TestDevice
  private let own = TestDevice.id
  private let other = DeviceID(Ship.uuid(3, 9))
  private let c1: ScopeID
  private let c2: ScopeID

  init() throws {
    device = try TestDevice()
    c1 = try ScopeID("charter/c1")
    c2 = try ScopeID("charter/c2")
  }

  /// Runs a closure with the queue inside a write.
  @discardableResult
  private func queue<Result>(_ body: (BatchQueue) throws -> Result) throws -> Result {
    try device.connection.write { try body(BatchQueue(writer: $0, makeID: device.nextID)) }
  }

  private func op(_ id: String, at milliseconds: Int64 = 5) -> Op {
    Op(
      .patch, RowID(table: "tasks", id: id), fields: ["title": "x"], base: ["title": .sample(1)],
      stamp: Stamp(milliseconds: milliseconds, device: own))
  }

  private func add(_ id: String, in scope: ScopeID, by name: DeviceID? = nil) throws {
    try queue { try $0.add([op(id)], [1], made: 7, in: scope, by: name ?? own) }
  }

  private func batches() throws -> [SealedBatch] {
    try device.connection.read { try SealedBatch.order { $0.key }.all($0) }
  }

  private func grant(_ scope: ScopeID) throws {
    try device.connection.write { writer in
      var cursor = try ScopeCursor.of(scope, writer)
      cursor.role = .editor
      try cursor.save(writer)
    }
  }

  /// The scope, the number and the first row of each batch.
  private func places() throws -> [String] {
    try batches().map { "\($0.batch.scope.value) \($0.batch.number) \($0.batch.ops[0].row.id)" }
  }

  // MARK: - Numbers

  @Test func `Batch numbers of each scope begin at one`() throws {
    try add("a", in: c1)
    try add("b", in: c2)
    try add("c", in: c1)
    #expect(try places() == ["c1 1 a", "c2 1 b", "c1 2 c"])
  }

  @Test func `A batch preserves its time and its parts`() throws {
    try queue {
      try $0.add([op("a"), op("b")], [3, 4], made: 7, in: c1, by: own, attempts: 2)
    }
    let batch = try #require(try batches().first)
    #expect(batch.made == 7 && batch.parts == [3, 4] && batch.attempts == 2)
    #expect(batch.phase == .waiting && batch.last == 0 && batch.device == own)
    #expect(batch.batch.isIntact)
  }

  @Test func `Batch numbers of another device id begin at one again`() throws {
    try add("a", in: c1)
    try add("b", in: c1, by: other)
    try add("c", in: c1, by: other)
    #expect(try places() == ["c1 1 a", "c1 1 b", "c1 2 c"])
  }

  @Test func `Batches that the server lacks are renumbered from its last number on`() throws {
    for id in ["a", "b", "c"] { try add(id, in: c1) }
    try add("d", in: c2)
    try queue { try BatchQueue.renumber(c1, of: own, after: 7, $0.writer) }
    #expect(try places() == ["c1 8 a", "c1 9 b", "c1 10 c", "c2 1 d"])
    #expect(try batches().allSatisfy(\.batch.isIntact))
    try add("e", in: c1)
    #expect(try places().last == "c1 11 e")
  }

  @Test func `An applied batch keeps its number`() throws {
    try add("a", in: c1)
    try add("b", in: c1)
    try device.connection.write { writer in
      var first = try #require(try SealedBatch.where { $0.number == 1 }.first(writer))
      first.phase = .applied
      first.last = 4
      try first.saveProgress(writer)
    }
    try queue { try BatchQueue.renumber(c1, of: own, after: 3, $0.writer) }
    #expect(try places() == ["c1 1 a", "c1 4 b"])
    #expect(try batches().map(\.last) == [4, 0])
  }

  // MARK: - Device ids

  @Test func `Batches from a number on get another device id, in their order`() throws {
    for id in ["a", "b", "c"] { try add(id, in: c1) }
    let renamed = try queue { try $0.rename(c1, from: own, number: 2, to: other) }
    #expect(renamed.map(\.batch.number) == [1, 2])
    #expect(try places() == ["c1 1 a", "c1 1 b", "c1 2 c"])
    #expect(try batches().map(\.device) == [own, other, other])
    let ops = try batches().flatMap(\.batch.ops)
    #expect(ops.map(\.stamp.device) == [own, other, other])
    #expect(ops.map(\.stamp.milliseconds) == [5, 5, 5])
    try add("d", in: c1, by: other)
    #expect(try places().last == "c1 3 d")
  }

  @Test func `Only unsent batches get another device id in other scopes`() throws {
    try add("a", in: c1)
    try add("b", in: c2)
    try grant(c1)
    let renamed = try queue { try $0.renameUnsent(to: other, BatchQueries(.empty())) }
    #expect(renamed.flatMap(\.batch.ops).map(\.row.id) == ["b"])
    #expect(try batches().map(\.device) == [own, other])
    #expect(try queue { try $0.renameUnsent(to: other, BatchQueries(.empty())) }.isEmpty)
  }

  @Test func `A batch of a claimable scope is sent before anything is granted`() throws {
    try add("a", in: c1)
    try add("b", in: try ScopeID("charters/c1"))
    let manifest = try SyncSchema.fleet(claimableKinds: ["charter"]).manifest
    let sendable = try device.connection.read {
      try BatchQueries(manifest).sendable.all($0)
    }
    #expect(sendable.map(\.batch.scope) == [c1])
    let unanswered = try device.connection.read {
      try UnansweredBatches($0, BatchQueries(manifest))
    }
    #expect(unanswered.first == [c1: 1])
    let renamed = try queue { try $0.renameUnsent(to: other, BatchQueries(manifest)) }
    #expect(renamed.flatMap(\.batch.ops).map(\.row.id) == ["b"])
  }

  @Test func `A batch that waits for a first grant cannot be sent`() throws {
    try add("a", in: c1)
    try add("b", in: c2)
    try grant(c2)
    let sendable = try device.connection.read {
      try BatchQueries(.empty()).sendable.all($0)
    }
    #expect(sendable.map(\.batch.scope) == [c2])
    let unanswered = try device.connection.read {
      try UnansweredBatches($0, BatchQueries(.empty()))
    }
    #expect(unanswered.device == own && unanswered.first == [c2: 1])
  }
}

extension Manifest {
  fileprivate static func empty() throws -> Manifest { try Manifest(version: 1, tables: []) }
}

extension Stamp {
  fileprivate static func sample(_ milliseconds: Int64) -> Stamp {
    Stamp(milliseconds: milliseconds, device: TestDevice.id)
  }
}
