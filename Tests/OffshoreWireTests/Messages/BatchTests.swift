import Foundation
import Testing

@testable import OffshoreWire

struct BatchTests {
  private let scope: ScopeID
  private let op = Op(.put, Fleet.charter, fields: ["name": "A", "miles": 1], stamp: .at(5))

  init() throws { scope = try ScopeID("charter/7") }

  private func batch(
    _ scope: ScopeID? = nil, number: Int64 = 1, id: UInt64 = 1, ops: [Op]? = nil
  ) -> Batch {
    Batch(
      scope ?? self.scope, number: number, id: DeviceID.sample(id).uuid, ops: ops ?? [op])
  }

  @Test func `The hash covers scope, number and ops`() throws {
    let other = Op(.put, Fleet.charter, fields: ["name": "B", "miles": 1], stamp: .at(5))
    let batches = [
      batch(), batch(try ScopeID("charter/8")), batch(number: 2), batch(ops: [other]),
      batch(ops: [op, op]), batch(ops: []),
    ]
    #expect(Set(batches.map(\.hash)).count == batches.count)
    #expect(batch(id: 2).hash == batch().hash)
  }

  @Test func `Equal ops have the same hash, in any order of their fields`() {
    let names = (0..<20).map { "field\($0)" }
    func hash(_ names: [String]) -> ContentHash {
      var fields: [String: WireValue] = [:]
      for name in names { fields[name] = WireValue(name) }
      return batch(ops: [Op(.put, Fleet.charter, fields: fields, stamp: .at(1))]).hash
    }
    #expect(hash(names) == hash(names.reversed()))
  }

  @Test func `A decoded batch reports whether its content matches its hash`() throws {
    let batch = batch()
    #expect(batch.isIntact)
    var bytes = batch.encoded()
    bytes[bytes.count - 1] ^= 1
    let changed = try Batch(decoding: bytes)
    #expect(changed.hash == batch.hash)
    #expect(!changed.isIntact)
  }

  @Test func `The number of ops in a push is limited over all batches`() throws {
    let tiny = Op(.delete, RowID(table: "t", id: "1"), stamp: .at(1))
    func body(_ count: Int) -> [UInt8] {
      let batches = [count / 2, count - count / 2].map { count in
        batch(ops: Array(repeating: tiny, count: count))
      }
      return PushRequest(device: .sample(1), epoch: 0, manifestVersion: 1, batches: batches).body
    }
    #expect(try PushRequest(body: body(WireLimits.opsPerPush)).batches.count == 2)
    try expect(.tooLarge) { _ = try PushRequest(body: body(WireLimits.opsPerPush + 1)) }
  }

  @Test func `The number of batches in a push is limited`() throws {
    func body(_ count: Int) -> [UInt8] {
      let batches = Array(repeating: batch(ops: []), count: count)
      return PushRequest(device: .sample(1), epoch: 0, manifestVersion: 1, batches: batches).body
    }
    let limit = WireLimits.batchesPerPush
    #expect(try PushRequest(body: body(limit)).batches.count == limit)
    try expect(.tooLarge) { _ = try PushRequest(body: body(limit + 1)) }
  }

  @Test func `The last number of an empty range is the one before its first`() {
    #expect(SeqRange(first: 5, count: 3).last == 7)
    #expect(SeqRange(first: 5, count: 0).last == 4)
  }

  @Test func `Change numbers do not overflow`() throws {
    #expect(SeqRange(first: -1, count: -1) == SeqRange(first: 0, count: 0))
    #expect(SeqRange(first: .max, count: .max) == SeqRange(first: .max, count: 0))
    var writer = WireWriter()
    writer.number(UInt64(Int64.max))
    writer.number(1)
    let bytes = writer.bytes
    try expect(.malformed) { _ = try SeqRange(decoding: bytes) }
  }
}
