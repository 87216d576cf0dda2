import OffshoreWire
import ServerSupport
import Testing

@testable import OffshoreServer

/// Rejections of batches.
struct RejectionTests {
  private var server: TestServer

  init() throws {
    server = try TestServer()
    _ = try server.push(1, [.list(at: 1), .task("a", at: 2)])
  }

  @Test mutating func `A batch with one bad op changes nothing, and uses up its number`() throws {
    let before = try server.scope()
    let batch = try TestServer.batch(
      2, [.edit("a", ["title": "new"], at: 3), .edit("a", ["color": 1], at: 4)])
    let outcome = try server.push([batch]).results.first?.outcome
    #expect(outcome?.rejection == .unknownColumn)
    #expect(try server.scope() == before)
    #expect(try server.state(Lists.task("a"))?.fields["title"] == "a task")
    #expect(try server.push([batch]).results.first?.outcome == outcome)
    #expect(try server.push(3, [.task("b", at: 5)])?.range == SeqRange(first: 3, count: 1))
  }

  @Test mutating func `A rejection contains the current row`() throws {
    let row = server.log.row(Lists.task("a"), in: try Lists.scope())
    let outcome = try server.push(2, [.edit("a", ["title": 1], at: 3)])
    guard case .rejected(let rejection, let current) = outcome else {
      Issue.record("The batch is applied.")
      return
    }
    #expect(rejection.code == .invalidValue)
    #expect(rejection.field == "title")
    #expect(current == row)
  }

  @Test mutating func `A table that is not synced is refused`() throws {
    let op = Op(.put, RowID(table: "notes", id: "a"), stamp: .at(3))
    #expect(try server.push(2, [op])?.rejection == .unknownTable)
  }

  @Test mutating func `An edit that another device made is refused`() throws {
    let op = Op.edit("a", ["title": "new"], at: 3, by: 2)
    #expect(try server.push(2, [op], device: 1)?.rejection == .invalidOp)
  }

  @Test mutating func `An edit of a row whose tombstone was collected is refused as gone`() throws {
    _ = try server.push(2, [.delete(Lists.task("a"), at: 3)])
    try server.log.collect(Lists.scope(), upTo: 3)
    let edit = Op.edit("a", ["title": "new"], at: 4, by: 2)
    #expect(try server.push(1, [edit], device: 2)?.rejection == .gone)
    #expect(try server.state(Lists.task("a")) == nil)
  }
}
