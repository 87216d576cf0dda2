import Testing

@testable import OffshoreWire

/// Causality, last writers, and the generations of a row.
struct MergeTests {
  private let fixture: MergeFixture

  init() throws { fixture = try MergeFixture() }

  private let row = Fleet.charter

  @Test func `An insertion creates the row`() throws {
    let merged = try fixture.merged(
      Op(.put, row, fields: ["name": "A", "miles": 3], stamp: .at(5)), into: nil)
    #expect(merged.state == RowState(stamp: .at(5), fields: ["name": "A", "miles": 3]))
    #expect(merged.changed == ["miles", "name"])
    #expect(merged.isChanged && merged.conflicts.isEmpty && merged.carried == nil)
  }

  @Test func `An edit of an unknown row is refused as gone`() {
    for kind in [.patch, .delete, .increment] as [Op.Kind] {
      let refusal = fixture.refusal(Op(kind, row, stamp: .at(5)), into: nil)
      #expect(refusal?.code == .gone)
      #expect(refusal?.row == row)
    }
  }

  // MARK: - Causality

  /// A row that device 2 wrote at 100.
  private let state = RowState(
    stamp: .at(100, by: 2), fields: ["name": "old", "note": .null, "price": 1.0])

  @Test func `An edit of the current version applies, whatever the clocks say`() throws {
    let op = Op(
      .patch, row, fields: ["name": "new"], base: ["name": .at(100, by: 2)], stamp: .at(3))
    let merged = try fixture.merged(op, into: state)
    #expect(merged.state.fields["name"] == "new")
    #expect(merged.changed == ["name"])
    #expect(merged.conflicts.isEmpty)
    // Its version comes after the one that it replaces.
    #expect(merged.state.version(of: "name") == .at(100, 1))
    #expect(merged.state.version(of: "note") == .at(100, by: 2))
  }

  @Test func `An edit of a value that the same device wrote applies, whatever the clocks say`()
    throws
  {
    let op = Op(.patch, row, fields: ["name": "new"], stamp: .at(3, by: 2))
    let merged = try fixture.merged(op, into: state)
    #expect(merged.state.fields["name"] == "new")
    #expect(merged.state.version(of: "name") == .at(100, 1, by: 2))
    #expect(merged.conflicts.isEmpty)
  }

  @Test func `Of two concurrent edits the later wins`() throws {
    let base: [String: Stamp] = ["name": .at(50, by: 3)]
    let later = try fixture.merged(
      Op(.patch, row, fields: ["name": "new"], base: base, stamp: .at(101)), into: state)
    #expect(later.state.fields["name"] == "new")
    #expect(later.state.versions == ["name": .at(101)])
    #expect(
      later.conflicts == [
        Conflict(
          row: row, field: "name", losing: "old", losingStamp: .at(100, by: 2), winning: "new",
          winningStamp: .at(101), reason: .later)
      ])
    let earlier = try fixture.merged(
      Op(.patch, row, fields: ["name": "new"], base: base, stamp: .at(99)), into: state)
    #expect(earlier.state == state)
    #expect(!earlier.isChanged && earlier.changed.isEmpty)
    #expect(
      earlier.conflicts == [
        Conflict(
          row: row, field: "name", losing: "new", losingStamp: .at(99), winning: "old",
          winningStamp: .at(100, by: 2), reason: .later)
      ])
  }

  @Test func `Of two concurrent edits at the same time the greater device id wins`() throws {
    let wins = Op(.patch, row, fields: ["name": "new"], stamp: .at(100, by: 3))
    #expect(try fixture.merged(wins, into: state).state.fields["name"] == "new")
    let loses = Op(.patch, row, fields: ["name": "new"], stamp: .at(100, by: 1))
    #expect(try fixture.merged(loses, into: state).state.fields["name"] == "old")
  }

  @Test func `Edits of different fields do not conflict`() throws {
    let op = Op(.patch, row, fields: ["note": "n"], base: ["note": .at(100, by: 2)], stamp: .at(3))
    let merged = try fixture.merged(op, into: state)
    #expect(merged.state.fields == ["name": "old", "note": "n", "price": 1.0])
    #expect(merged.state.versions.count == 1)
  }

  @Test func `A field without a version accepts any edit`() throws {
    let merged = try fixture.merged(
      Op(.patch, row, fields: ["unknown": 7], stamp: .at(3)), into: state)
    #expect(merged.state.fields["unknown"] == 7)
    #expect(merged.state.version(of: "unknown") == .at(3))
    #expect(merged.state.version(of: "name") == .at(100, by: 2))
  }

  @Test func `Two edits with the same value do not conflict`() throws {
    let merged = try fixture.merged(
      Op(.patch, row, fields: ["name": "old"], stamp: .at(200)), into: state)
    #expect(merged.conflicts.isEmpty && merged.changed.isEmpty)
    #expect(merged.isChanged)
    #expect(merged.state.version(of: "name") == .at(200))
  }

  @Test func `An edit wins over one that it saw, even if its stamp was clamped`() throws {
    let start = RowState(stamp: .at(1, by: 2), fields: ["name": "old"])
    // Device 1 is a day ahead. The server's limit is 50 for both of its edits.
    let edits = ["first", "second"].map { name in
      Op(.patch, row, fields: ["name": WireValue(name)], stamp: .at(9_000))
        .clamped(to: 50, over: start)
    }
    let first = try fixture.merged(edits[0], into: start).state
    let seen = try #require(first.version(of: "name"))
    let second = try fixture.merged(edits[1], into: first).state
    #expect(second.fields["name"] == "second")
    // The base distinguishes a device that saw only the first edit.
    #expect(second.version(of: "name") != seen)
    let other = Op(
      .patch, row, fields: ["name": "other"], base: ["name": seen], stamp: .at(49, by: 3))
    #expect(try fixture.merged(other, into: second).conflicts.count == 1)
  }

  @Test func `Edits whose clocks are behind their bases are ordered too`() throws {
    let base: [String: Stamp] = ["name": .at(100, by: 2)]
    let first = Op(.patch, row, fields: ["name": "first"], base: base, stamp: .at(9, by: 1))
    let second = Op(.patch, row, fields: ["name": "second"], base: base, stamp: .at(3, by: 3))
    for order in [[first, second], [second, first]] {
      let end = try fixture.state(after: order, from: state)
      #expect(end.fields["name"] == "second")
      #expect(end.version(of: "name") == .at(100, 1, by: 3))
    }
  }

  // MARK: - Generations

  @Test func `A deletion wins over a later edit`() throws {
    let deleted = try fixture.merged(Op(.delete, row, stamp: .at(3)), into: state)
    #expect(deleted.state == RowState(generation: 2, presence: .deleted, stamp: .at(3)))
    #expect(deleted.isChanged)
    let late = try fixture.merged(
      Op(.patch, row, fields: ["name": "new"], stamp: .at(900)), into: deleted.state)
    #expect(late.state == deleted.state)
    #expect(!late.isChanged)
    #expect(
      late.conflicts == [
        Conflict(
          row: row, field: "name", losing: "new", losingStamp: .at(900), winning: nil,
          winningStamp: .at(3), reason: .ended)
      ])
  }

  @Test func `A row is restored by an insertion whose device saw the deletion`() throws {
    let deleted = RowState(generation: 2, presence: .deleted, stamp: .at(300))
    let unaware = Op(.put, row, generation: 1, fields: ["name": "x"], stamp: .at(900))
    #expect(try fixture.merged(unaware, into: deleted).state == deleted)
    let aware = Op(.put, row, generation: 3, fields: ["name": "x"], stamp: .at(20))
    #expect(
      try fixture.merged(aware, into: deleted).state
        == RowState(generation: 3, stamp: .at(20), fields: ["name": "x"]))
  }

  @Test func `An op of an earlier generation does not change the row`() throws {
    let alive = RowState(generation: 3, stamp: .at(20), fields: ["name": "x"])
    for kind in [.put, .patch, .increment] as [Op.Kind] {
      let op = Op(kind, row, generation: 1, fields: ["name": "old"], stamp: .at(900, by: 2))
      let merged = try fixture.merged(op, into: alive)
      #expect(merged.state == alive)
      #expect(merged.conflicts.map(\.winning) == ["x"])
    }
    let deletion = try fixture.merged(Op(.delete, row, generation: 1, stamp: .at(900)), into: alive)
    #expect(deletion.state == alive && !deletion.isChanged && deletion.conflicts.isEmpty)
  }

  @Test func `An op of a future generation depends on a missing one`() {
    let deleted = RowState(generation: 2, presence: .deleted, stamp: .at(300))
    for op in [
      Op(.patch, row, generation: 3, stamp: .at(1)), Op(.put, row, generation: 4, stamp: .at(1)),
      Op(.delete, row, generation: .max, stamp: .at(1)),
    ] {
      #expect(fixture.refusal(op, into: deleted)?.code == .dependency)
    }
    #expect(
      fixture.refusal(Op(.put, row, generation: 2, stamp: .at(1)), into: state)?.code == .dependency
    )
  }

  @Test func `Of two deletions the later is recorded, in any order of arrival`() throws {
    let first = Op(.delete, row, stamp: .at(300, by: 1))
    let second = Op(.delete, row, stamp: .at(400, by: 3))
    let expected = RowState(generation: 2, presence: .deleted, stamp: .at(400, by: 3))
    #expect(try fixture.state(after: [first, second], from: state) == expected)
    #expect(try fixture.state(after: [second, first], from: state) == expected)
  }

  @Test func `A generation does not overflow`() throws {
    let oldest = RowState(generation: .max, stamp: .at(1))
    let deleted = try fixture.merged(
      Op(.delete, row, generation: .max, stamp: .at(2)), into: oldest)
    #expect(deleted.state.generation == .max && !deleted.state.isLiving)
  }

  // MARK: - Concurrent insertions

  @Test func `Two insertions of one row are merged field by field`() throws {
    let first = Op(.put, row, fields: ["name": "A", "note": "n"], stamp: .at(10, by: 1))
    let second = Op(.put, row, fields: ["name": "B", "price": 2.0], stamp: .at(20, by: 2))
    let expected = RowState(
      stamp: .at(20, by: 2), fields: ["name": "B", "note": "n", "price": 2.0],
      versions: ["note": .at(10, by: 1)])
    #expect(try fixture.state(after: [first, second], from: nil) == expected)
    #expect(try fixture.state(after: [second, first], from: nil) == expected)
  }

  @Test func `A field's version is not stored if it equals the row's`() throws {
    let state = RowState(
      stamp: .at(5), fields: ["name": "A", "note": "n"],
      versions: ["name": .at(5), "note": .at(6), "none": .at(7)])
    #expect(state.versions == ["note": .at(6)])
    let put = Op(.put, row, fields: ["price": 1.0], stamp: .at(6))
    #expect(
      try fixture.merged(put, into: state).state.versions == ["name": .at(5)])
  }

  // MARK: - Moves

  @Test func `A move leaves a tombstone and carries the fields along`() throws {
    let there = try ScopeID("charter/8")
    let row = RowID(table: "messages", id: "s")
    let state = RowState(
      stamp: .at(1), fields: ["charterID": "7", "body": "hello", "key.removed": .null])
    let op = Op(.move(to: there), row, fields: ["charterID": "8"], stamp: .at(9))
    let merged = try fixture.merged(op, into: state)
    #expect(merged.state == RowState(generation: 2, presence: .moved, stamp: .at(9)))
    let carried = try #require(merged.carried)
    #expect(carried == ["charterID": "8", "body": "hello"])

    let arrival = Op.arrival(of: op, carrying: carried, in: nil)
    #expect(arrival == Op(.put, row, fields: carried, stamp: .at(9)))
    let back = Op.arrival(of: op, carrying: carried, in: merged.state)
    #expect(back.generation == 3)
    #expect(Op.arrival(of: op, carrying: carried, in: state).generation == 1)
  }

  @Test func `A moved row names its new scope, although another value is later`() throws {
    let row = RowID(table: "messages", id: "s")
    // The row moved away and back, and its tombstone was collected: its life has begun anew.
    let state = RowState(stamp: .at(9), fields: ["charterID": "7"])
    let op = Op(
      .move(to: try ScopeID("charter/8")), row, fields: ["charterID": "8"],
      base: ["charterID": .at(1)], stamp: .at(2))
    let merged = try fixture.merged(op, into: state)
    #expect(merged.carried == ["charterID": "8"] && merged.conflicts == [])
  }

  @Test func `An edit of a moved row is lost to the move`() throws {
    let moved = RowState(generation: 2, presence: .moved, stamp: .at(9))
    let late = try fixture.merged(
      Op(.patch, row, fields: ["name": "new"], stamp: .at(900)), into: moved)
    #expect(late.state == moved)
    #expect(late.conflicts.map(\.reason) == [.ended])
    let deletion = try fixture.merged(Op(.delete, row, stamp: .at(900)), into: moved)
    #expect(deletion.state == moved)
  }

  // MARK: - Rules

  @Test func `A manifest with an unregistered rule is refused`() throws {
    let manifest = try Fleet.manifest()
    #expect(MergeRules().missing(for: manifest) == ["longest"])
    try expect(.invalidManifest) { _ = try Merge(manifest) }
  }

  @Test func `Only a deletion may have a base for fields that it does not write`() {
    let op = Op(.patch, row, fields: ["name": "a"], base: ["note": .at(1)], stamp: .at(2))
    #expect(op.base.isEmpty)
    #expect(Op(.delete, row, base: ["note": .at(1)], stamp: .at(2)).base == ["note": .at(1)])
  }
}
