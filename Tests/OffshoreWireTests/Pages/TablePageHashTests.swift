import TestSupport
import Testing

@testable import OffshoreWire

/// Row hashes that are computed from a page's columns, without making rows.
struct TablePageHashTests {
  private func row(_ id: String, _ state: RowState) -> SyncedRow {
    SyncedRow(RowID(table: "charters", id: id), seq: 1, state: state)
  }

  /// Returns the hash of each row, computed from the page.
  private func hashes(_ rows: [SyncedRow]) throws -> [UInt64] {
    let page = try #require(RowPage(rows).tables.first)
    var hashes = try #require(TablePage.Hashes(page))
    return rows.indices.map { hashes.next($0).hash }
  }

  @Test func `A row in a page has the same hash as on its own`() throws {
    let rows = [
      row("1", RowState(stamp: .at(1), fields: ["b": 1, "a": .null, "c": "Öl"])),
      row("2", RowState(generation: 3, stamp: .at(2), fields: ["a": 2.5, "b": .blob([0])])),
      row(
        "3",
        RowState(
          stamp: .at(3), fields: ["c": "x", "a": 1, "b": 2],
          versions: ["c": .at(9), "a": .at(9), "b": .at(7)])),
    ]
    #expect(try hashes(rows) == rows.map { $0.state.hash(of: $0.row) })
  }

  @Test func `Rows of random values and versions have the same hashes`() throws {
    var random = SeededRandom(seed: 7)
    let rows = (0..<300).map { number in
      var fields: [String: WireValue] = [:]
      var versions: [String: Stamp] = [:]
      for column in ["d", "a", "c", "b"] where random.number(below: 4) > 0 {
        fields[column] = random.value()
        if random.number(below: 3) == 0 { versions[column] = random.stamp() }
      }
      return row(
        "\(number)", RowState(stamp: random.stamp(), fields: fields, versions: versions))
    }
    #expect(try hashes(rows) == rows.map { $0.state.hash(of: $0.row) })
  }

  @Test func `A deleted row has the hash 0`() throws {
    let rows = [
      row("1", RowState(generation: 2, presence: .deleted, stamp: .at(1))),
      row("2", RowState(stamp: .at(2), fields: ["a": 1])),
    ]
    #expect(try hashes(rows) == [0, rows[1].state.hash(of: rows[1].row)])
  }

  @Test func `Versions are returned by column`() throws {
    let state = RowState(
      stamp: .at(1), fields: ["a": 1, "b": 2], versions: ["b": .at(5)])
    let page = try #require(RowPage([row("1", state)]).tables.first)
    var hashes = try #require(TablePage.Hashes(page))
    let versions = hashes.next(0).versions
    let place = try #require(page.columns.firstIndex { $0.name == "b" })
    #expect(versions == [place: .at(5)])
  }

  @Test func `A page with keys of columns has no column hashes`() throws {
    let page = RowPage([row("1", RowState(stamp: .at(1), fields: ["k": "{}", "k.x": 1]))])
    #expect(TablePage.Hashes(try #require(page.tables.first)).map { _ in true } == nil)
  }
}
