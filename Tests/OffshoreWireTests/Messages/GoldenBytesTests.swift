import Foundation
import Testing

@testable import OffshoreWire

/// The documented bytes of messages. Other programs write them too, and stored messages have to
/// stay readable. A change here is a change of the protocol.
struct GoldenBytesTests {
  private let scope: ScopeID

  init() throws { scope = try ScopeID("charter/7") }

  /// Returns the bytes of some parts. A text is its UTF-8, a number one byte.
  private func bytes(_ parts: [any Sendable]) -> [UInt8] {
    parts.flatMap { part -> [UInt8] in
      switch part {
      case let text as String: Array(text.utf8)
      case let byte as Int: [UInt8(byte)]
      case let bytes as [UInt8]: bytes
      default: []
      }
    }
  }

  private func expectBytes<Message: WireCodable & Equatable>(
    _ message: Message, _ parts: any Sendable..., location: SourceLocation = #_sourceLocation
  ) throws {
    let bytes = bytes(parts)
    #expect(message.encoded() == bytes, sourceLocation: location)
    #expect(try Message(decoding: bytes) == message, sourceLocation: location)
  }

  /// The stamp of device 1 at 5 ms, and its bytes.
  private let stamp = Stamp.at(5, 2)
  private let stampBytes: [UInt8] = [0, 0, 0, 0, 0, 5, 0, 2] + Array(repeating: 0, count: 15) + [1]
  private let deviceBytes: [UInt8] = Array(repeating: 0, count: 15) + [1]
  private let scopeBytes: [UInt8] = [7] + Array("charter".utf8) + [1, 0x37]

  @Test func `Values`() throws {
    try expectBytes(WireValue.null, 1)
    try expectBytes(WireValue.integer(-2), 2, 3)
    try expectBytes(WireValue.real(1.5), 3, [0, 0, 0, 0, 0, 0, 0xF8, 0x3F] as [UInt8])
    try expectBytes("Öl" as WireValue, 4, 3, "Öl")
    try expectBytes(WireValue.blob([9, 8]), 5, 2, 9, 8)
  }

  @Test func `Stamps, devices and hashes`() throws {
    try expectBytes(stamp, stampBytes)
    try expectBytes(DeviceID.sample(1), deviceBytes)
    let uuid = try #require(UUID(uuidString: "00000000-0000-0000-0000-000000000001"))
    try expectBytes(uuid, deviceBytes)
    let hash = ContentHash(of: [])
    try expectBytes(hash, hash.bytes)
  }

  @Test func `Rows`() throws {
    let state = RowState(
      generation: 3, stamp: stamp, fields: ["a": 7, "b": .null, "c.k": "x"],
      versions: ["b": .at(6), "c.k": .at(6)])
    let later: [UInt8] = [0, 0, 0, 0, 0, 6, 0, 0] + deviceBytes
    try expectBytes(
      state, 6, 0, stampBytes, 3, 1, "a", 0, 2, 14, 1, "b", 1, later, 1, 3, "c.k", 2, 4, 1, "x")
    try expectBytes(
      SyncedRow(
        RowID(table: "t", id: "1"), seq: 9, state: RowState(presence: .moved, stamp: stamp)),
      1, "t", 1, "1", 18, 2, 2, stampBytes, 0)
  }

  @Test func `Ops`() throws {
    let row = RowID(table: "t", id: "1")
    try expectBytes(
      Op(.put, row, fields: ["a": 7], stamp: stamp),
      1, "t", 1, "1", 2, 1, stampBytes, 1, 1, "a", 0, 2, 14)
    try expectBytes(
      Op(.patch, row, generation: 2, fields: ["a": 7], base: ["a": stamp], stamp: stamp),
      1, "t", 1, "1", 4, 2, stampBytes, 1, 1, "a", 1, stampBytes, 2, 14)
    try expectBytes(Op(.delete, row, stamp: stamp), 1, "t", 1, "1", 2, 3, stampBytes, 0)
    try expectBytes(
      Op(.delete, row, base: ["a": stamp, "b": stamp], stamp: stamp),
      1, "t", 1, "1", 2, 3, stampBytes, 2, 1, "a", 1, stampBytes, 1, 1, "b", 2, 1)
    try expectBytes(Op(.increment, row, stamp: stamp), 1, "t", 1, "1", 2, 4, stampBytes, 0)
    try expectBytes(
      Op(.move(to: scope), row, stamp: stamp), 1, "t", 1, "1", 2, 5, scopeBytes, stampBytes, 0)
  }

  @Test func `A push request`() throws {
    let id = DeviceID.sample(1).uuid
    let batch = Batch(scope, number: 2, id: id, ops: [])
    let request = PushRequest(device: .sample(1), epoch: 8, manifestVersion: 3, batches: [batch])
    let content = bytes([deviceBytes, 8, 3, 1, scopeBytes, 4, deviceBytes, batch.hash.bytes, 0])
    #expect(request.body == bytes(["OFSW", 1, 1, content]))
    // The hash covers the scope, the number and the ops.
    #expect(batch.hash == ContentHash(of: bytes([scopeBytes, 4, 0])))
  }

  @Test func `A push response`() throws {
    let response = PushResponse(
      epoch: 8, serverTime: 5,
      results: [
        BatchResult(
          scope: scope, number: 2, outcome: .applied(SeqRange(first: 9, count: 2)), isRepeated: true
        ),
        BatchResult(
          scope: scope, number: 3, outcome: .rejected(Rejection(.gone, "No."), current: nil)),
        BatchResult(scope: scope, number: 4, outcome: .forked),
        BatchResult(scope: scope, number: 5, outcome: .gap(expected: 6)),
      ])
    #expect(
      response.body
        == bytes([
          "OFSW", 1, 2, 8, 10, 4,
          scopeBytes, 4, 1, 1, 9, 2,
          scopeBytes, 6, 0, 2, 4, "gone", 3, "No.", 0, 0, 0,
          scopeBytes, 8, 0, 3,
          scopeBytes, 10, 0, 4, 12,
        ]))
  }

  @Test func `A pull request`() throws {
    let row = RowID(table: "t", id: "1")
    let repair = PullCursor.Position.repair(ranges: [1, 255], head: 9, after: nil)
    let cursors = [
      PullCursor(
        scope, epoch: 8, position: .changes(after: 9), acknowledged: 7, conflictsAfter: 5,
        answeredBatch: 6),
      PullCursor(scope, epoch: 8, position: .snapshot(head: 9, after: row), acknowledged: 0),
      PullCursor(scope, epoch: 0, position: .snapshot(head: nil, after: nil), acknowledged: 0),
      PullCursor(scope, epoch: 8, position: repair, acknowledged: 0, wantsRangeDigests: true),
    ]
    let request = PullRequest(
      device: .sample(1), manifestVersion: 3, capabilities: .conflicts, grantsAfter: 4,
      cursors: cursors, limit: 100)
    #expect(
      request.body
        == bytes([
          "OFSW", 1, 3, deviceBytes, 3, 1, 8, 100, 4,
          scopeBytes, 8, 1, 18, 14, 10, 0, 12,
          scopeBytes, 8, 2, 1, 18, 1, 1, "t", 1, "1", 0, 0, 0, 0,
          scopeBytes, 0, 2, 0, 0, 0, 0, 0, 0,
          scopeBytes, 8, 3, 2, Array(repeating: 0 as UInt8, count: 30), 128, 1, 18, 0, 0, 0, 1, 0,
        ]))
  }

  @Test func `A pull response`() throws {
    let conflict = Conflict(
      row: RowID(table: "t", id: "1"), field: "a", losing: 7, losingStamp: stamp, winning: nil,
      winningStamp: .at(6), reason: .ended)
    let later: [UInt8] = [0, 0, 0, 0, 0, 6, 0, 0] + deviceBytes
    let hash = ContentHash(of: [])
    let page = ScopePage(
      rows: RowPage(), conflicts: [NumberedConflict(number: 3, conflict)], isFull: true,
      next: .changes(after: 9), head: 10,
      digest: Digest(value: 0x0102_0304_0506_0708), minSeq: 1, lastBatch: 2,
      batches: [DecidedBatch(number: 2, hash: hash, isApplied: true)])
    let response = PullResponse(
      serverTime: 5, epoch: 9, grants: [Grant(scope, .viewer, seq: 4)],
      scopes: [
        ScopeAnswer(scope, epoch: 8, .page(page)),
        ScopeAnswer(scope, epoch: 8, .resync(minSeq: 3)),
        ScopeAnswer(scope, epoch: 8, .notGranted),
      ])
    #expect(
      response.body
        == bytes([
          "OFSW", 1, 4, 10, 9, 3, 1, scopeBytes, 3, 8, 3,
          scopeBytes, 8, 1, 1, 1, 18, 20, [8, 7, 6, 5, 4, 3, 2, 1] as [UInt8], 0, 2, 4, 1, 4,
          hash.bytes, 1, 0,
          1, 6, 1, "t", 1, "1", 1, "a", 2, 14, stampBytes, 0, later, 4,
          scopeBytes, 8, 2, 6,
          scopeBytes, 8, 3,
        ]))
  }

  @Test func `Range digests`() throws {
    var digests = RangeDigests()
    digests.add(hash: 0x0102_0304_0506_0708, of: RowID(table: "charters", id: "7"))
    let before = Array(repeating: 0 as UInt8, count: 8 * 72)
    let after = Array(repeating: 0 as UInt8, count: 8 * 183)
    try expectBytes(digests, before, [8, 7, 6, 5, 4, 3, 2, 1] as [UInt8], after)
  }

  @Test func `A page of rows`() throws {
    let page = RowPage([
      SyncedRow(
        RowID(table: "t", id: "1"), seq: 9,
        state: RowState(stamp: stamp, fields: ["a": 7, "b": "x", "k.z": .null])),
      SyncedRow(
        RowID(table: "t", id: "2"), seq: 11,
        state: RowState(stamp: .at(6, by: 2), fields: ["a": .null], versions: ["a": .at(8)])),
      SyncedRow(
        RowID(table: "t", id: "3"), seq: 10,
        state: RowState(generation: 2, presence: .deleted, stamp: .at(4))),
    ])
    try expectBytes(
      page, 1, 1, "t", 3,
      1, "1", 1, "2", 1, "3",
      18, 4, 1,
      2, 0, 2,
      0, 2, 1, 1,
      2, deviceBytes, Array(repeating: 0 as UInt8, count: 15), 2,
      0, 10, 2, 1, 2, 0, 0, 3, 0,
      2,
      1, "a", 2, 1, 1, 1, 0, 1, 14,
      1, "b", 4, 1, 0, 2, 1, "x",
      1, 0, 3, "k.z", 0, 1,
      1, 1, 0, 0, 8, 0)
  }

  @Test func `A problem`() {
    #expect(
      WireProblem(.unavailable, "Wait.", retryAfter: 30).body
        == bytes(["OFSW", 1, 5, 11, "unavailable", 5, "Wait.", 1, 1, 1, 60]))
  }

  @Test func `The hash of a manifest`() throws {
    let table = SyncedTable(
      "t", scopeKind: "fleet", scopeColumn: "id",
      columns: [
        SyncedColumn("a", .text, policy: .ordered(["x", "y"])),
        SyncedColumn("b", .blob, isNullable: true, isSealed: true),
        SyncedColumn("c", .text, reference: "t"),
      ],
      uniqueKeys: [["c"]], idSource: ["c"])
    let manifest = try Manifest(version: 3, tables: [table], claimableKinds: ["fleet"])
    let content = bytes([
      3, 1, 1, "t", 2, "id", 5, "fleet", 2, "id", 3,
      1, "a", 4, "text", 0, 0, 7, "ordered", 2, 1, "x", 1, "y", 0,
      1, "b", 4, "blob", 1, 1, 10, "lastWriter", 0,
      1, "c", 4, "text", 0, 0, 10, "lastWriter", 1, 1, "t",
      1, 1, 1, "c", 1, 1, "c", 1, 5, "fleet", 0,
    ])
    #expect(manifest.hash == ContentHash(of: content))
  }
}
