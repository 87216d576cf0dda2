import TestSupport
import Testing

@testable import OffshoreWire

struct RowPageTests {
  private func row(
    _ state: RowState, id: String = "1", table: String = "t", seq: Int64 = 1
  ) -> SyncedRow {
    SyncedRow(RowID(table: table, id: id), seq: seq, state: state)
  }

  @Test func `Random pages are decoded as they were encoded`() throws {
    var random = SeededRandom(seed: 21)
    for _ in 0..<60 {
      let rows = (0..<(1 + random.number(below: 40))).map { _ in
        random.syncedRow(table: "t\(random.number(below: 3))")
      }
      let page = RowPage(rows)
      let read = try RowPage(decoding: page.encoded())
      #expect(read == page)
      #expect(read.rows == page.rows)
    }
  }

  @Test func `A decoded page encodes to the same bytes, and then with appended rows`() throws {
    var random = SeededRandom(seed: 26)
    for _ in 0..<60 {
      let rows = (0..<20).map { _ in random.syncedRow(table: "t\(random.number(below: 3))") }
      let bytes = RowPage(rows).encoded()
      var read = try RowPage(decoding: bytes)
      #expect(read.encoded() == bytes)
      // The same page, made of its rows.
      #expect(
        RowPage(read.rows).encoded() == bytes && RowPage(read.rows).hashValue == read.hashValue)
      let added = random.syncedRow(table: "t1")
      read.append(added)
      #expect(try RowPage(decoding: read.encoded()).rows == read.rows)
      #expect(read.rows.contains(added))
    }
  }

  @Test func `A row is decoded from a page as from its own bytes`() throws {
    var random = SeededRandom(seed: 22)
    for _ in 0..<100 {
      let row = random.syncedRow(table: "t")
      #expect(try SyncedRow(decoding: row.encoded()) == row)
      #expect(try RowPage(decoding: RowPage([row]).encoded()).rows == [row])
    }
  }

  @Test func `Numbers of any size are preserved`() throws {
    let extremes: [Int64] = [.min, .max, 0, .min, -1, .max, 1]
    let rows = extremes.map { value in
      let number = min(max(value, 0), WireLimits.number)
      return row(
        RowState(generation: number, stamp: .at(value, .max), fields: ["a": .integer(value)]),
        seq: number)
    }
    #expect(try RowPage(decoding: RowPage(rows).encoded()).rows == rows)
  }

  @Test func `Texts and BLOBs of any bytes and length are preserved`() throws {
    let contents: [[UInt8]] = [
      [], [0], [0xFF], Array("Öl".utf8), [0xED, 0xA0, 0x80], Array(repeating: 0x61, count: 300_000),
    ]
    let rows = contents.map { bytes in
      row(
        RowState(
          stamp: .at(1), fields: ["a": .text(bytes), "b": .blob(bytes), "k.\"": .text(bytes)]))
    }
    #expect(try RowPage(decoding: RowPage(rows).encoded()).rows == rows)
  }

  @Test func `A million reals of random bits are preserved bit for bit`() throws {
    var random = SeededRandom(seed: 23)
    var table = TablePage(table: "t")
    for number in 0..<WireLimits.rowsPerPage {
      table.append("\(number)", seq: Int64(number), RowState(stamp: .at(1)))
    }
    for column in 0..<100 {
      let values = (0..<table.count).map { _ in WireValue?.some(.real(random.real())) }
      table.addColumn(TablePage.Column(name: "c\(column)", values: values))
    }
    let read = try TablePage(decoding: table.encoded())
    let isEqual = read == table
    #expect(isEqual)
  }

  @Test func `Values that many rows share take no bytes in each row`() {
    let rows = (0..<1_000).map { number in
      row(RowState(stamp: .at(1_700_000_000_000), fields: ["a": .null]), seq: Int64(number))
    }
    // The id has two bytes. The number, the generation and three parts of the stamp have one each.
    #expect(RowPage(rows).encoded().count < 1_000 * 7 + 100)
  }

  // MARK: - Malformed pages

  /// The parts of a page with one row `1` whose column `a` is 7. Tests replace some of them.
  private struct Parts {
    var rowCount = 1
    var presence: [UInt8] = [0, 1]
    var devices: [DeviceID] = [.sample(1)]
    var stamp: [UInt8] = [0, 10, 0]
    var columns: [[UInt8]] = [[1, 0x61, 2, 1, 14]]
    var parts: [[UInt8]] = []
    var versions: [[UInt8]] = []

    var bytes: [UInt8] {
      var writer = WireWriter()
      writer.text("t")
      writer.count(rowCount)
      writer.raw([1, 0x31, 2, 2])
      writer.raw(presence)
      writer.list(devices)
      writer.raw(stamp)
      for list in [columns, parts, versions] {
        writer.count(list.count)
        writer.raw(list.flatMap(\.self))
      }
      return writer.bytes
    }
  }

  private func bytes(_ body: (inout Parts) -> Void) -> [UInt8] {
    var parts = Parts()
    body(&parts)
    return parts.bytes
  }

  @Test func `The page that the next tests change is valid`() throws {
    let page = try TablePage(decoding: Parts().bytes)
    #expect(page.rows == [row(RowState(stamp: .at(5), fields: ["a": 7]))])
    let more = bytes {
      $0.parts = [[0, 3, 0x6B, 0x2E, 0x78, 1, 0, 2, 0, 1]]
      $0.versions = [[0, 0, 0, 2, 0]]
    }
    #expect(
      try TablePage(decoding: more).rows == [
        row(
          RowState(
            stamp: .at(5), fields: ["a": 7, "k.x": .null], versions: ["k.x": .at(6), "a": .at(7)]))
      ])
  }

  @Test func `Malformed row heads are refused`() throws {
    for wrong in [
      bytes { $0.rowCount = 0 },
      bytes { $0.presence = [3, 1] },
      bytes { $0.presence = [0, 2] },
      bytes { $0.presence = [0, 0] },
      bytes { $0.stamp = [1, 10, 0] },
      bytes { $0.stamp = [0, 1, 0] },
      bytes { $0.stamp = [0, 10, 0x80, 0x80, 4] },
      bytes { $0.devices = [.sample(1), .sample(2)] },
      bytes { $0.devices = [] },
      bytes { $0.presence = [1, 1] },
    ] {
      try expect(.malformed) { _ = try TablePage(decoding: wrong) }
    }
  }

  @Test func `A duplicate device is refused`() throws {
    let wrong = bytes {
      $0.devices = [.sample(1), .sample(1)]
      $0.versions = [[0, 0, 1, 2, 0]]
    }
    try expect(.malformed) { _ = try TablePage(decoding: wrong) }
  }

  @Test func `Malformed columns are refused`() throws {
    for wrong in [
      bytes { $0.columns = [[1, 0x61, 0, 1]] },
      bytes { $0.columns = [[1, 0x61, 9, 1]] },
      bytes { $0.columns = [[1, 0x61, 2, 2, 14, 14]] },
      bytes { $0.columns = [[3, 0x61, 0x2E, 0x61, 2, 1, 14]] },
      bytes { $0.columns = [[1, 0x61, 2, 1, 14], [1, 0x61, 2, 1, 14]] },
    ] {
      try expect(.malformed) { _ = try TablePage(decoding: wrong) }
    }
  }

  @Test func `Malformed keys and versions are refused`() throws {
    let key: [UInt8] = [0, 3, 0x6B, 0x2E, 0x78, 0, 1]
    for wrong in [
      bytes { $0.parts = [[0, 2, 0x6B, 0x78, 0, 1]] },
      bytes { $0.parts = [[1, 3, 0x6B, 0x2E, 0x78, 0, 1]] },
      bytes { $0.parts = [key, key] },
      bytes { $0.parts = [[0, 3, 0x6B, 0x2E, 0x78, 1, 0, 0, 0, 1]] },
      bytes { $0.versions = [[0, 1, 0, 2, 0]] },
      bytes { $0.versions = [[1, 0, 0, 2, 0]] },
      bytes { $0.versions = [[0, 0, 0, 0, 0]] },
      bytes { $0.versions = [[0, 0, 0, 2, 0], [0, 0, 0, 2, 0]] },
    ] {
      try expect(.malformed) { _ = try TablePage(decoding: wrong) }
    }
  }

  @Test func `A tombstone with values or keys is refused`() throws {
    let deleted: [UInt8] = [1, 1]
    try expect(.malformed) {
      _ = try TablePage(
        decoding: bytes {
          $0.presence = deleted
          $0.columns = []
          $0.parts = [[0, 3, 0x6B, 0x2E, 0x78, 0, 1]]
        })
    }
    let tombstone = bytes {
      $0.presence = deleted
      $0.columns = []
    }
    #expect(
      try TablePage(decoding: tombstone).rows == [row(RowState(presence: .deleted, stamp: .at(5)))])
  }

  @Test func `Adjacent runs of the same value are refused`() throws {
    var table = TablePage(table: "t")
    for number in 0..<2 {
      table.append("\(number)", seq: 0, RowState(stamp: .at(1), fields: ["a": .null]))
    }
    let bytes = table.encoded()
    let run = try #require(bytes.indices.last { Array(bytes[$0...].prefix(2)) == [1, 2] })
    let split = Array(bytes[..<run]) + [1, 1, 1, 1] + Array(bytes[(run + 2)...])
    try expect(.malformed) { _ = try TablePage(decoding: split) }
  }

  @Test func `A duplicate table is refused`() throws {
    let table = Parts().bytes
    try expect(.malformed) { _ = try RowPage(decoding: [2] + table + table) }
  }

  @Test func `A page with too many values is refused before memory is reserved`() throws {
    // Each column has a few bytes, but as many values as there are rows.
    var table = TablePage(table: "t")
    for number in 0..<5_000 { table.append("\(number)", seq: 0, RowState(stamp: .at(1))) }
    for number in 0..<900 {
      let values = [1] + Array(repeating: WireValue?.none, count: 4_999)
      table.addColumn(TablePage.Column(name: "c\(number)", values: values))
    }
    let bytes = table.encoded()
    #expect(bytes.count < 60_000)
    try expect(.tooLarge) { _ = try TablePage(decoding: bytes) }
  }

  @Test func `A table with too many columns is refused`() throws {
    var table = TablePage(table: "t")
    let fields = (0...WireLimits.columns).map { ("c\($0)", WireValue.null) }
    table.append(
      "1", seq: 0, RowState(stamp: .at(1), fields: Dictionary(uniqueKeysWithValues: fields)))
    let bytes = table.encoded()
    try expect(.tooLarge) { _ = try TablePage(decoding: bytes) }
  }
}
