import OffshoreWire
import ServerSupport
import Testing

@testable import OffshoreServer

/// Rows that would grow beyond the size of an answer.
struct RowSizeTests {
  private var server: TestServer
  private let row = RowID(table: "papers", id: "p")

  init() throws {
    server = try TestServer()
    let texts = (0..<9).map { SyncedColumn("text\($0)", .text, isNullable: true) }
    let papers = SyncedTable(
      "papers", scopeKind: "list", scopeColumn: "listID",
      columns: [
        SyncedColumn("listID", .text),
        SyncedColumn("after", .text, isNullable: true, reference: "papers"),
        SyncedColumn("items", .text, isNullable: true, policy: .keyed),
      ] + texts)
    let manifest = try Manifest(version: 1, tables: [Lists.lists, Lists.tasks, papers])
    server.pushRules = try PushRules(manifest)
    for list in ["1", "2"] {
      _ = try server.push(1, in: list, [.list(list, at: 1), paper(in: list)])
    }
  }

  private func paper(
    in list: String, _ id: String = "p", _ more: [String: WireValue] = [:]
  ) -> Op {
    Op(
      .put, RowID(table: "papers", id: id),
      fields: more.merging(["listID": WireValue(list)]) { $1 }, stamp: .at(2))
  }

  /// Makes an op that writes almost a mebibyte into each of some columns.
  private func patch(_ columns: some Sequence<Int>, bytes: Int = 1_040_000) -> Op {
    let text = WireValue.text(Array(repeating: 0x61, count: bytes))
    let fields = columns.map { ("text\($0)", text) }
    return Op(.patch, row, fields: Dictionary(uniqueKeysWithValues: fields), stamp: .at(3))
  }

  /// Pulls all rows of a scope, as a device without data does. Each answer is encoded and decoded.
  private func everything(in list: String = "1") throws -> [SyncedRow] {
    var rows: [SyncedRow] = []
    var position = PullCursor.Position.changes(after: 0)
    while true {
      let cursor = PullCursor(
        try Lists.scope(list), epoch: 7, position: position, acknowledged: 0,
        wantsRangeDigests: true)
      let response = try PullResponse(body: try server.pull([cursor]).body)
      let page = try #require(response.scopes.first?.content.page)
      rows += page.rows.rows
      position = page.next
      if !page.isFull { return rows }
    }
  }

  // MARK: - Rows

  @Test mutating func `An edit that makes a row too large is refused with its whole batch`() throws
  {
    _ = try server.push(2, [patch(0..<2)])
    _ = try server.push(3, [patch(2..<4)])
    let before = (try server.state(row), try server.scope())
    let outcome = try server.push(4, [paper(in: "1", "other"), patch([4])])
    guard case .rejected(let rejection, let current) = outcome else {
      Issue.record("The batch is applied.")
      return
    }
    #expect(rejection.code == .tooLarge)
    #expect(rejection.row == row)
    #expect(current?.state == before.0)
    #expect(try server.state(row) == before.0)
    #expect(try server.scope() == before.1)
    #expect(try server.state(RowID(table: "papers", id: "other")) == nil)
  }

  @Test mutating func `The largest row reaches a device`() throws {
    var size = 1_040_000
    var number: Int64 = 1
    for column in 0..<9 {
      while size > 0 {
        number += 1
        if try server.push(number, [patch([column], bytes: size)])?.range != nil { break }
        size /= 2
      }
    }
    let state = try #require(try server.state(row))
    #expect(WireLimits.rowBytes - 40_000...WireLimits.rowBytes ~= state.byteCount)
    #expect(try everything().map(\.row).contains(row))
  }

  @Test mutating func `The limit also applies to a row that grows key by key`() throws {
    let name = String(repeating: "k", count: 490)
    var codes: [Rejection.Code?] = []
    for number in 0..<4 as Range<Int64> {
      let keys = (0..<3_000).map { ("items.\(name)\(number)-\($0)", "1" as WireValue) }
      let op = Op(
        .patch, row, fields: Dictionary(uniqueKeysWithValues: keys), stamp: .at(10 + number))
      codes.append(try server.push(number + 2, [op])?.rejection)
    }
    #expect(codes == [nil, nil, .tooLarge, .tooLarge])
    #expect(try #require(try server.state(row)).byteCount <= WireLimits.rowBytes)
    #expect(try everything().map(\.row).contains(row))
  }

  @Test mutating func `A move is refused if the merged row would be too large`() throws {
    _ = try server.push(2, [patch(0..<3)])
    _ = try server.push(2, in: "2", [patch(3..<6)])
    let before = try (server.state(row), server.state(row, in: "2"))
    let target = try Lists.scope("2")
    let move = Op(.move(to: target), row, fields: ["listID": "2"], stamp: .at(9))
    #expect(try server.push(3, [move])?.rejection == .tooLarge)
    #expect(try server.state(row) == before.0)
    #expect(try server.state(row, in: "2") == before.1)
  }

  @Test mutating func `Removing a reference does not make a row too large`() throws {
    let parent = RowID(table: "papers", id: "parent")
    let refer = Op(.patch, row, fields: ["after": "parent"], stamp: .at(4))
    _ = try server.push(2, [paper(in: "1", "parent"), refer])
    _ = try server.push(3, [patch(0..<4)])
    let before = try #require(try server.state(row)).byteCount
    #expect(try server.push(4, [.delete(parent, at: 9)])?.range?.count == 2)
    let after = try #require(try server.state(row))
    #expect(after.fields["after"] == .null)
    #expect(after.byteCount < before)
  }

  @Test mutating func `A row that was made smaller may grow again`() throws {
    _ = try server.push(2, [patch(0..<4)])
    #expect(try server.push(3, [patch([4])])?.rejection == .tooLarge)
    let cut = Op(.patch, row, fields: ["text0": .null], stamp: .at(5))
    #expect(try server.push(4, [cut])?.range != nil)
    #expect(try server.push(5, [patch([4])])?.range != nil)
  }

  // MARK: - Answers

  @Test mutating func `The current rows of many refusals fit into one answer`() throws {
    for (number, id) in ["p", "q"].enumerated() {
      let text = WireValue.text(Array(repeating: 0x61, count: 900_000))
      let fields = Dictionary(uniqueKeysWithValues: (0..<3).map { ("text\($0)", text) })
      _ = try server.push(Int64(number + 2), [paper(in: "1", id, fields)])
    }
    let bad = try (4...103 as ClosedRange<Int64>).map { number in
      let row = RowID(table: "papers", id: number % 2 == 0 ? "p" : "q")
      return try TestServer.batch(
        number, [Op(.patch, row, fields: ["text0": 1], stamp: .at(number + 10))])
    }
    for isRepeated in [false, true] {
      let response = try server.push(bad)
      #expect(response.results.allSatisfy { $0.isRepeated == isRepeated })
      #expect(response.results.allSatisfy { $0.outcome.rejection == .invalidValue })
      let rows = response.results.map(\.outcome).compactMap(\.current)
      #expect(rows.count == 1)
      #expect(rows.first?.row.id == "p")
      #expect(response.body.count < WireLimits.rowBytes + 100_000)
    }
  }

  @Test mutating func `A repeated answer has the current row`() throws {
    let bad = try TestServer.batch(2, [Op(.patch, row, fields: ["text0": 1], stamp: .at(5))])
    let first = try server.push([bad]).results.first?.outcome
    #expect(first?.current?.state == (try server.state(row)))
    _ = try server.push(3, [patch([0], bytes: 10)])
    let again = try server.push([bad]).results.first?.outcome
    #expect(again?.current?.state == (try server.state(row)))
    #expect(again != first)
  }

  @Test mutating func `The stored result of a refused batch has no row`() throws {
    _ = try server.push(2, [patch(0..<4)])
    _ = try server.push(3, [patch([4])])
    let stored = server.log.result(of: 3, by: .sample(1), in: try Lists.scope())
    #expect(stored?.outcome.rejection == .tooLarge)
    #expect(try #require(stored).outcome.encoded().count < 200)
  }

  @Test mutating func `Invalid names are neither returned nor stored`() throws {
    let long = String(repeating: "x", count: 100_000)
    let ops = [
      Op(.put, RowID(table: long, id: "a"), stamp: .at(5)),
      Op(.delete, RowID(table: "papers", id: long), stamp: .at(6)),
      Op(.patch, row, fields: ["items.\(long)": "1"], stamp: .at(7)),
    ]
    for (index, op) in ops.enumerated() {
      let number = Int64(index + 2)
      #expect(try server.push(number, [op])?.rejection != nil)
      let stored = server.log.result(of: number, by: .sample(1), in: try Lists.scope())
      #expect(try #require(stored).outcome.encoded().count < 200)
    }
  }
}

extension BatchResult.Outcome {
  /// The current row of a rejection, if the outcome has one.
  fileprivate var current: SyncedRow? {
    guard case .rejected(_, let current) = self else { return nil }
    return current
  }
}
