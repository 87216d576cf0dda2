import TestSupport
import Testing

@testable import OffshoreWire

struct TablePageTests {
  private func row(_ id: String, _ state: RowState, seq: Int64 = 1) -> SyncedRow {
    SyncedRow(RowID(table: "charters", id: id), seq: seq, state: state)
  }

  @Test func `Values are stored by column, and a missing one is nil`() throws {
    let page = RowPage([
      row("1", RowState(stamp: .at(1), fields: ["a": 1, "b": .null])),
      row("2", RowState(stamp: .at(2), fields: ["b": 2, "c": 3])),
    ])
    let table = try #require(page.tables.first)
    #expect(table.columns.map(\.name) == ["a", "b", "c"])
    #expect(table.columns.map(\.values) == [[1, nil], [.null, 2], [nil, 3]])
    #expect(table.heads.map(\.id) == ["1", "2"])
  }

  @Test func `Keys and versions are stored beside the columns, by row and name`() throws {
    let page = RowPage([
      row("1", RowState(stamp: .at(1), fields: ["a": 1])),
      row(
        "2",
        RowState(
          stamp: .at(2), fields: ["b": 1, "a": 2, "k.y": 3, "k.x": 4],
          versions: ["b": .at(5), "a": .at(6), "k.y": .at(7)])),
    ])
    let table = try #require(page.tables.first)
    #expect(
      table.parts == [
        TablePage.Part(row: 1, field: "k.x", value: 4, version: nil),
        TablePage.Part(row: 1, field: "k.y", value: 3, version: .at(7)),
      ])
    #expect(
      table.versions == [
        TablePage.Version(row: 1, column: 0, stamp: .at(6)),
        TablePage.Version(row: 1, column: 1, stamp: .at(5)),
      ])
  }

  @Test func `The rows of a page are the added ones, grouped by table`() {
    var random = SeededRandom(seed: 20)
    let rows = (0..<200).map { random.syncedRow(table: "t\($0 / 70)") }
    let page = RowPage(rows)
    #expect(page.rows == rows)
    #expect(page.count == 200)
    #expect(page.tables.map(\.count) == [70, 70, 60])
  }

  @Test func `Equal rows make equal pages, in any order of their fields`() {
    let names = (0..<30).map { "column\($0)" }
    func page(_ names: [String]) -> RowPage {
      var fields: [String: WireValue] = [:]
      for name in names { fields[name] = WireValue(name) }
      return RowPage([row("1", RowState(stamp: .at(1), fields: fields))])
    }
    #expect(page(names) == page(names.reversed()))
    #expect(page(names).encoded() == page(names.reversed()).encoded())
  }

  @Test func `A page without rows has no tables`() throws {
    #expect(RowPage().encoded() == [0])
    #expect(try RowPage(decoding: [0]) == RowPage())
  }
}
