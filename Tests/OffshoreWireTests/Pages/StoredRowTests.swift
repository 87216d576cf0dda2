import TestSupport
import Testing

@testable import OffshoreWire

struct StoredRowTests {
  private func kept(_ row: SyncedRow) throws -> StoredRow {
    try StoredRow(row.row, seq: row.seq, state: row.state.encoded())
  }

  @Test func `A row that is decoded from its bytes is equal, and makes the same page`() throws {
    var random = SeededRandom(seed: 11)
    for _ in 0..<60 {
      let rows = (0..<20).map { _ in random.syncedRow(table: "t\(random.number(below: 3))") }
      var page = RowPage()
      for row in rows {
        let kept = try kept(row)
        #expect(kept == StoredRow(row))
        #expect(kept.syncedRow == row)
        page.append(kept)
      }
      #expect(page.encoded() == RowPage(rows).encoded())
      #expect(Set(page.rows) == Set(rows))
    }
  }

  @Test func `A row may introduce or omit any column`() throws {
    let rows = [["b": 1], ["a": 2, "c": 3], [:], ["a": 4, "b": 5, "c": 6]].enumerated().map {
      SyncedRow(
        RowID(table: "tasks", id: "\($0)"), seq: Int64($0 + 1),
        state: RowState(stamp: .at(1), fields: $1.mapValues { .integer($0) }))
    }
    var page = RowPage()
    for row in rows { page.append(try kept(row)) }
    #expect(page.rows == rows)
    #expect(page.tables.first?.columns.map(\.name) == ["b", "a", "c"])
  }

  @Test func `A row exists, and its tombstone does not`() throws {
    let row = RowID(table: "tasks", id: "1")
    let state = RowState(stamp: .at(1), fields: ["title": "Sails"])
    #expect(try kept(SyncedRow(row, seq: 1, state: state)).isLiving)
    for presence in [RowState.Presence.deleted, .moved] {
      let end = state.tombstone(presence, .at(2))
      #expect(try !kept(SyncedRow(row, seq: 2, state: end)).isLiving)
    }
  }

  @Test func `Malformed bytes are refused`() throws {
    let row = RowID(table: "tasks", id: "1")
    let state = RowState(stamp: .at(1), fields: ["title": "Sails"]).encoded()
    #expect(throws: WireError.self) { try StoredRow(row, seq: 1, state: state + [0]) }
    for count in state.indices {
      #expect(throws: WireError.self) {
        try StoredRow(row, seq: 1, state: Array(state.prefix(count)))
      }
    }
  }
}
