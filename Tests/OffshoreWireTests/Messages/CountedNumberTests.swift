import Testing

@testable import OffshoreWire

/// Numbers that a peer sends and that a reader counts on from. A number that could overflow is
/// refused.
struct CountedNumberTests {
  /// Numbers out of range.
  private static let wrong: [Int64] = [.min, -1, WireLimits.number + 1, .max]

  private let scope: ScopeID
  private let stamp = Stamp.at(5)

  init() throws { scope = try ScopeID("charter/7") }

  /// Expects a value to be decoded if its number is in range, and refused otherwise.
  private func expectCounted<Value: WireCodable & Equatable>(
    from least: Int64 = 0, _ location: SourceLocation = #_sourceLocation,
    _ make: (Int64) -> Value
  ) throws {
    for number in [least, 1, WireLimits.number] {
      let value = make(number)
      #expect(try Value(decoding: value.encoded()) == value, sourceLocation: location)
    }
    for number in Self.wrong + (least > 0 ? [0] : []) {
      try expect(.malformed, location) { _ = try Value(decoding: make(number).encoded()) }
    }
  }

  // MARK: - Pushes

  @Test func `Batch numbers are in range`() throws {
    let id = DeviceID.sample(1).uuid
    try expectCounted { Batch(scope, number: $0, id: id, ops: []) }
    try expectCounted { BatchResult(scope: scope, number: $0, outcome: .forked) }
    try expectCounted { DecidedBatch(number: $0, hash: ContentHash(of: []), isApplied: true) }
  }

  @Test func `The expected batch number of a gap is at least 1`() throws {
    try expectCounted(from: 1) { BatchResult.Outcome.gap(expected: $0) }
  }

  @Test func `The change numbers of a batch do not exceed the largest one`() throws {
    let most = UInt64(WireLimits.number)
    func range(_ first: UInt64, _ count: UInt64) -> [UInt8] {
      var writer = WireWriter()
      writer.number(first)
      writer.number(count)
      return writer.bytes
    }
    for (first, count) in [(0, 0), (0, most), (most, 0), (most - 5, 5)] {
      #expect(try SeqRange(decoding: range(first, count)).last <= WireLimits.number)
    }
    for (first, count) in [(most, 1), (1, most), (most + 1, 0), (1 << 62, 1 << 62), (.max, 0)] {
      try expect(.malformed) { _ = try SeqRange(decoding: range(first, count)) }
    }
  }

  @Test func `The generation of an op is in range`() throws {
    try expectCounted { Op(.delete, Fleet.charter, generation: $0, stamp: stamp) }
  }

  // MARK: - Rows

  @Test func `The generations of rows and tombstones are in range`() throws {
    try expectCounted { RowState(generation: $0, stamp: stamp) }
    try expectCounted { RowState(generation: $0, presence: .deleted, stamp: stamp) }
  }

  @Test func `The change numbers of rows are in range`() throws {
    let state = RowState(stamp: stamp)
    try expectCounted { SyncedRow(Fleet.charter, seq: $0, state: state) }
  }

  @Test func `The numbers in a page of rows are in range, though encoded as differences`() throws {
    let row = SyncedRow(Fleet.charter, seq: 7, state: RowState(stamp: stamp))
    try expectCounted { number in
      RowPage([row, SyncedRow(Fleet.charter, seq: number, state: row.state), row])
    }
    try expectCounted { number in
      RowPage([
        row, SyncedRow(Fleet.charter, seq: 8, state: RowState(generation: number, stamp: stamp)),
      ])
    }
  }

  // MARK: - Pulls

  @Test func `The numbers in cursors are in range`() throws {
    try expectCounted { PullCursor.Position.changes(after: $0) }
    try expectCounted { PullCursor.Position.snapshot(head: $0, after: Fleet.charter) }
    try expectCounted { PullCursor.Position.repair(ranges: .all, head: $0, after: nil) }
    let start = PullCursor.Position.changes(after: 0)
    try expectCounted { PullCursor(scope, epoch: 1, position: start, acknowledged: $0) }
    try expectCounted {
      PullCursor(scope, epoch: 1, position: start, acknowledged: 0, conflictsAfter: $0)
    }
    try expectCounted {
      PullCursor(scope, epoch: 1, position: start, acknowledged: 0, answeredBatch: $0)
    }
    try expectCounted {
      PullRequest(
        device: .sample(1), manifestVersion: 1, grantsAfter: $0, cursors: [], limit: 1)
    }
  }

  @Test func `The numbers of grants are in range`() throws {
    try expectCounted { Grant(scope, .editor, seq: $0) }
  }

  @Test func `The numbers that a page has about its scope are in range`() throws {
    func page(head: Int64 = 1, minSeq: Int64 = 1, lastBatch: Int64 = 1) -> ScopePage {
      ScopePage(
        rows: RowPage(), isFull: false, next: .changes(after: 1), head: head, digest: Digest(),
        minSeq: minSeq, lastBatch: lastBatch)
    }
    try expectCounted { page(head: $0) }
    try expectCounted { page(minSeq: $0) }
    try expectCounted { page(lastBatch: $0) }
    try expectCounted { ScopeAnswer(scope, epoch: 1, .resync(minSeq: $0)) }
  }

  @Test func `The numbers of conflicts are in range`() throws {
    let conflict = Conflict(
      row: Fleet.charter, field: "note", losing: 1, losingStamp: stamp, winning: nil,
      winningStamp: stamp, reason: .ended)
    try expectCounted { NumberedConflict(number: $0, conflict) }
  }

  @Test func `The number of a hint is in range`() throws {
    #expect(try Hint("\(WireLimits.number) charter/7").head == WireLimits.number)
    for number in Self.wrong {
      try expect(.malformed) { _ = try Hint("\(number) charter/7") }
    }
  }

  @Test func `A reader accepts exactly the numbers in range`() throws {
    for number in [0, 1, 63, 64, WireLimits.number] as [Int64] {
      var writer = WireWriter()
      writer.signed(number)
      var reader = WireReader(writer.bytes)
      #expect(try reader.ordinal() == number)
    }
    for number in Self.wrong {
      var writer = WireWriter()
      writer.signed(number)
      var reader = WireReader(writer.bytes)
      #expect(throws: WireError.self) { try reader.ordinal() }
    }
  }
}
