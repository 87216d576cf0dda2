import Testing

@testable import OffshoreWire

/// The effects of a deletion on rows that refer to the deleted one.
struct LostReferenceTests {
  private let merge: Merge
  private let boat = RowID(table: "boats", id: "b")
  private let trip = RowID(table: "trips", id: "t")

  init() throws {
    let trips = SyncedTable(
      "trips", scopeKind: "fleet", scopeColumn: "fleet",
      columns: [
        SyncedColumn("fleet", .text),
        SyncedColumn("boat", .text, reference: "boats"),
        SyncedColumn("spare", .text, isNullable: true, reference: "boats"),
        SyncedColumn("last", .text, isNullable: true, policy: .max, reference: "boats"),
        SyncedColumn("guide", .text, isNullable: true, reference: "guides"),
      ])
    let others = ["boats", "guides"].map { name in
      SyncedTable(
        name, scopeKind: "fleet", scopeColumn: "fleet", columns: [SyncedColumn("fleet", .text)])
    }
    merge = try Merge(Manifest(version: 1, tables: [trips] + others))
  }

  private func state(
    _ fields: [String: WireValue], versions: [String: Stamp] = [:]
  ) -> RowState { RowState(stamp: .at(5), fields: fields, versions: versions) }

  private func released(_ state: RowState, at stamp: Stamp = .at(9, by: 2)) throws -> MergedRow {
    try #require(merge.apply(endOf: boat, at: stamp, to: trip, state))
  }

  @Test func `An optional reference becomes NULL`() throws {
    let row = try released(state(["boat": "a", "spare": "b", "guide": "b"]))
    #expect(row.state.fields == ["boat": "a", "spare": .null, "guide": "b"])
    #expect(row.state.version(of: "spare") == .at(9, by: 2))
    #expect(row.state.version(of: "boat") == .at(5))
    #expect(row.changed == ["spare"])
    #expect(row.isChanged)
  }

  @Test func `Every optional reference to the row becomes NULL, whatever its policy`() throws {
    let row = try released(state(["boat": "a", "spare": "b", "last": "b"]))
    #expect(row.state.fields == ["boat": "a", "spare": .null, "last": .null])
    #expect(row.conflicts.map(\.field) == ["last", "spare"])
  }

  @Test func `The new version comes after the current one, whatever the clocks say`() throws {
    let later = Stamp.at(40, by: 3)
    let row = try released(state(["boat": "a", "spare": "b"], versions: ["spare": later]))
    let version = try #require(row.state.version(of: "spare"))
    #expect(version > later)
    #expect(version.device == .sample(2))
    #expect(version.milliseconds == 40)
  }

  @Test func `A lost reference is reported as a conflict`() throws {
    let row = try released(state(["boat": "a", "spare": "b"], versions: ["spare": .at(6, by: 3)]))
    let conflict = Conflict(
      row: trip, field: "spare", losing: "b", losingStamp: .at(6, by: 3), winning: .null,
      winningStamp: .at(9, by: 2), reason: .ended)
    #expect(row.conflicts == [conflict])
  }

  @Test func `A row with a required reference is deleted`() throws {
    let row = try released(state(["boat": "b", "spare": "b"]))
    #expect(row.state == RowState(generation: 2, presence: .deleted, stamp: .at(9, by: 2)))
    #expect(row.isChanged)
  }

  @Test func `Each value of a deleted row is reported as a conflict`() throws {
    let row = try released(
      state(["boat": "b", "spare": .null, "guide": "g"], versions: ["guide": .at(7)]))
    #expect(row.conflicts.map(\.field) == ["boat", "guide"])
    #expect(row.conflicts.map(\.losing) == ["b", "g"])
    #expect(row.conflicts.map(\.losingStamp) == [.at(5), .at(7)])
    #expect(row.conflicts.allSatisfy { $0.winning == nil && $0.reason == .ended })
    #expect(row.conflicts.allSatisfy { $0.winningStamp == .at(9, by: 2) })
  }

  @Test func `A row without a reference to the deleted one is left alone`() {
    for state in [
      state(["boat": "a", "spare": .null, "guide": "b"]), state([:]),
      RowState(generation: 2, presence: .deleted, stamp: .at(5)),
    ] { #expect(merge.apply(endOf: boat, at: .at(9), to: trip, state) == nil) }
  }

  @Test func `A row of a table without references, or of an unknown table, is left alone`() {
    let state = state(["fleet": "b"])
    for table in ["guides", "elsewhere"] {
      let row = RowID(table: table, id: "g")
      #expect(merge.apply(endOf: boat, at: .at(9), to: row, state) == nil)
    }
  }
}
