import Foundation
import OffshoreHTTP
import OffshoreWire
import Testing

@testable import OffshoreServer

/// Single rows over HTTP.
struct RowRouteTests {
  private let service: TestService

  init() throws { service = try TestService() }

  @Test func `Devices pull rows that were written over HTTP, and the other way round`() async throws
  {
    let ida = try await RowClient(service, "ida")
    for response in await ida.makeList(tasks: ["a", "b"]) { #expect(response.status == .created) }
    #expect(try await service.tasks(device: 1, token: ida.token) == ["a", "b"])
    let seen = try await service.pull(["1"], device: 1, token: ida.token).scopes.first
    let base = try #require(seen?.content.page?.rows.rows.first { $0.row == Lists.task("a") })
    let edit = Op.edit("a", ["title": "pushed"], base: ["title": base.state.stamp], at: 5)
    #expect(try await service.push(1, device: 1, token: ida.token, [edit])?.range?.count == 1)
    let row = try await ida.get("tasks/rows/a?scope=list/1").json()
    #expect((row["values"] as? [String: Any])?["title"] as? String == "pushed")
    let deleted = await ida.delete("tasks/rows/b?scope=list/1")
    #expect(deleted.status == .noContent)
    #expect(try await service.tasks(device: 1, token: ida.token) == ["a"])
  }

  @Test func `A row is returned with its scope, id, validator and values`() async throws {
    let ida = try await RowClient(service, "ida")
    let made = await ida.makeList(tasks: ["a/ß b"])
    // NB: An id is ASCII. The manifest's check refuses this one, as it would in a push.
    #expect(made[1].status == .unprocessableContent)
    let response = await ida.send(
      .post, "tasks/rows", #"{"scope":"list/1","id":"a/b?c","values":{"title":"T"}}"#)
    let tag = try #require(response.headers["ETag"])
    #expect(
      response.text
        == #"{"etag":"\#(tag.replacing("\"", with: #"\""#))","id":"a/b?c","scope":"list/1","values":"#
        + #"{"after":null,"listID":"1","note":null,"points":null,"title":"T"}}"#)
    let location = try #require(response.headers["Location"])
    let row = await service.send(.get, location, token: ida.token)
    #expect(row.text == response.text && row.headers["ETag"] == tag)
    #expect(row.headers["Content-Type"] == "application/json")
  }

  @Test func `Renamed columns have their present names, and former ones are accepted`() async throws
  {
    let columns = [
      SyncedColumn("listID", .text), SyncedColumn("title", .text, renamed: "name"),
      SyncedColumn("points", .integer, isNullable: true, policy: .counter, renamed: "score"),
      SyncedColumn("old", .text, isRetired: true),
    ]
    let notes = SyncedTable(
      "notes", scopeKind: "list", scopeColumn: "listID", columns: columns, renamed: "remarks")
    let service = try TestService(
      manifest: Manifest(version: 2, tables: [Lists.lists, notes], claimableKinds: ["list"]))
    let ida = try await RowClient(service, "ida")
    _ = await ida.makeList()
    let made = await ida.send(
      .post, "remarks/rows", #"{"scope":"list/1","id":"n","values":{"name":"N"}}"#)
    #expect(made.status == .created)
    #expect(made.headers["Location"]?.hasPrefix("/v1/tables/remarks/rows/n") == true)
    let changed = await ida.send(
      .patch, "notes/rows/n?scope=list/1", #"{"values":{"title":"M"},"increments":{"score":2}}"#)
    let values = try #require(try changed.json()["values"] as? [String: Any])
    #expect(values["name"] as? String == "M" && values["score"] as? Int == 2)
    #expect(values["title"] == nil && values.keys.contains("old"))
    let unknown = await ida.send(
      .patch, "remarks/rows/n?scope=list/1", #"{"values":{"other":"M"}}"#)
    #expect(unknown.code == "unknownColumn")
    for (form, table, column) in [("release", "remarks", "name"), ("message", "notes", "title")] {
      for (method, path) in [(.patch, "n"), (.put, "n"), (.put, "new")]
        as [(Request.Method, String)]
      {
        let wrong = try await ida.send(
          method, "remarks/rows/\(path)?scope=list/1&form=\(form)", #"{"values":{"\#(column)":1}}"#
        ).json()
        #expect(wrong["field"] as? String == column)
        #expect(
          wrong["message"] as? String
            == "“\(table).\(column)”: The column stores text, not an integer.")
      }
    }
  }

  @Test func `A row that is a scope of its own can be addressed without the scope`() async throws {
    let ida = try await RowClient(service, "ida")
    let byID = await ida.send(.post, "lists/rows", #"{"id":"1","values":{"title":"a list"}}"#)
    #expect(byID.status == .created)
    #expect(await ida.get("lists/rows/1").status == .ok)
    let named = await ida.send(.post, "lists/rows", #"{"values":{"title":"another"}}"#)
    #expect(named.status == .created)
    let id = try #require(try named.json()["id"] as? String)
    #expect(UUID(uuidString: id) != nil)
    #expect(await ida.send(.patch, "lists/rows/\(id)", #"{"values":{"title":"T"}}"#).status == .ok)
    #expect(await ida.delete("lists/rows/\(id)").status == .noContent)
    let unnamed = await ida.send(.post, "tasks/rows", #"{"values":{"title":"T"}}"#)
    #expect(unnamed.status == .badRequest && unnamed.code == "malformed")
  }

  @Test func `A patch changes the named columns only, and counters by increments`() async throws {
    let ida = try await RowClient(service, "ida")
    _ = await ida.makeList(tasks: ["a"])
    let path = "tasks/rows/a?scope=list/1"
    let body = #"{"values":{"note":"n","title":"a task"},"increments":{"points":5}}"#
    let first = await ida.send(.patch, path, body)
    #expect(first.status == .ok)
    let second = await ida.send(.patch, path, #"{"increments":{"points":-2}}"#)
    let values = try #require(try second.json()["values"] as? [String: Any])
    #expect(values["points"] as? Int == 3 && values["note"] as? String == "n")
    let head = try await service.log.read { try $0.scope(Lists.scope()).head }
    // Values that are already present are no change, and use no change number.
    let same = await ida.send(.patch, path, #"{"values":{"points":3,"note":"n","listID":"1"}}"#)
    #expect(same.status == .ok && same.headers["ETag"] == second.headers["ETag"])
    #expect(try await service.log.read { try $0.scope(Lists.scope()).head } == head)
    let cleared = await ida.send(.patch, path, #"{"values":{"note":null}}"#)
    #expect(cleared.text.contains(#""note":null"#))
  }

  @Test(arguments: [
    (#"{"values":{"points":7}}"#, "invalidOp"), (#"{"values":{"listID":"2"}}"#, "invalidOp"),
    (#"{"values":{"title":null}}"#, "invalidValue"), (#"{"values":{"title":1}}"#, "invalidValue"),
    (#"{"values":{"title":true}}"#, "invalidValue"), (#"{"values":{"title":[]}}"#, "invalidValue"),
    (#"{"values":{"title":"\ud800"}}"#, "invalidValue"),
    (#"{"values":{"colour":"red"}}"#, "unknownColumn"),
    (#"{"increments":{"title":1}}"#, "invalidOp"),
    (#"{"increments":{"points":1.5}}"#, "invalidValue"),
    (#"{"increments":{"points":99999999999999999999}}"#, "invalidValue"),
    (#"{"values":{"after":"nowhere"}}"#, "missingReference"),
  ])
  func `A change that a push would refuse is refused, and nothing of it is stored`(
    body: String, code: String
  ) async throws {
    let ida = try await RowClient(service, "ida")
    _ = await ida.makeList(tasks: ["a"])
    let before = await ida.get("tasks/rows/a?scope=list/1")
    let response = await ida.send(.patch, "tasks/rows/a?scope=list/1", body)
    #expect(response.status == .unprocessableContent && response.code == code)
    let problem = try response.json()
    let field = try #require(problem["field"] as? String)
    #expect((problem["message"] as? String)?.hasPrefix("“tasks.\(field)”: ") == true)
    #expect(await ida.get("tasks/rows/a?scope=list/1").text == before.text)
    // A refused change does not block the next one.
    let next = await ida.send(.patch, "tasks/rows/a?scope=list/1", #"{"values":{"title":"T"}}"#)
    #expect(next.status == .ok)
  }

  @Test(arguments: [
    (#"{"title":1}"#, "“tasks.title”: The column stores text, not an integer."),
    (#"{"title":true}"#, "“tasks.title”: The column stores text, not true or false."),
    (
      #"{"note":"n"}"#,
      "“tasks.title”: The column must have a value. Send one of the type text."
    ),
    (
      #"{"title":"T","colour":"red"}"#,
      "“tasks.colour”: The table has no such synced column. "
        + "Its columns are after, listID, note, points, title."
    ),
    (
      #"{"title":"T","after":"nowhere"}"#,
      "“tasks.after”: What the row refers to is not in its scope."
    ),
  ])
  func `The sentence about a refused value names its table, its column and what it stores`(
    values: String, message: String
  ) async throws {
    let ida = try await RowClient(service, "ida")
    _ = await ida.makeList()
    let refused = await ida.send(
      .post, "tasks/rows", #"{"scope":"list/1","values":\#(values)}"#)
    #expect(refused.status == .unprocessableContent)
    #expect(try refused.json()["message"] as? String == message)
  }

  @Test(arguments: [
    "", "[]", "{", #"{"value":{}}"#, #"{"values":[]}"#, #"{"values":{"title":}}"#,
    #"{"values":{},}"#, #"{"scope":"list/1"}"#,
  ])
  func `A malformed body is refused`(body: String) async throws {
    let ida = try await RowClient(service, "ida")
    _ = await ida.makeList(tasks: ["a"])
    let response = await ida.send(.patch, "tasks/rows/a?scope=list/1", body)
    #expect(response.status == .badRequest && response.code == "malformed")
  }

  @Test func `Values with far too many members are refused before they are stored in memory`()
    async throws
  {
    let ida = try await RowClient(service, "ida")
    _ = await ida.makeList(tasks: ["a"])
    let members = (0...WireLimits.fieldsPerOp).map { "\"c\($0)\":1" }.joined(separator: ",")
    let response = await ida.send(
      .patch, "tasks/rows/a?scope=list/1", "{\"values\":{\(members)}}")
    #expect(response.status == .badRequest && response.code == "malformed")
  }

  @Test func `An insertion needs all required columns and an unused id`() async throws {
    let ida = try await RowClient(service, "ida")
    _ = await ida.makeList(tasks: ["a"])
    let lacking = await ida.send(.post, "tasks/rows", #"{"scope":"list/1","values":{}}"#)
    #expect(lacking.status == .unprocessableContent)
    #expect(try lacking.json()["field"] as? String == "title")
    let again = #"{"scope":"list/1","id":"a","values":{"title":"another"}}"#
    let taken = await ida.send(.post, "tasks/rows", again)
    #expect(taken.status == .conflict && taken.code == "exists")
    #expect(await ida.delete("tasks/rows/a?scope=list/1").status == .noContent)
    let gone = await ida.get("tasks/rows/a?scope=list/1")
    #expect(gone.status == .gone && gone.code == "gone")
    #expect(await ida.delete("tasks/rows/a?scope=list/1").status == .gone)
    #expect(await ida.send(.post, "tasks/rows", again).status == .created)
    #expect(try await service.tasks(device: 1, token: ida.token) == ["a"])
  }

  @Test func `Rows that refer to a deleted row change with it`() async throws {
    let ida = try await RowClient(service, "ida")
    _ = await ida.makeList(tasks: ["a", "b"])
    _ = await ida.send(.patch, "tasks/rows/b?scope=list/1", #"{"values":{"after":"a"}}"#)
    #expect(await ida.delete("tasks/rows/a?scope=list/1").status == .noContent)
    #expect(await ida.get("tasks/rows/b?scope=list/1").text.contains(#""after":null"#))
    #expect(await ida.delete("lists/rows/1").status == .noContent)
    #expect(await ida.get("tasks/rows/b?scope=list/1").status == .gone)
  }

  @Test func `A stream receives hints of rows that were written over HTTP`() async throws {
    let ida = try await RowClient(service, "ida")
    _ = await ida.makeList()
    let response = await service.send(.get, "/v1/events", token: ida.token)
    let channel = try #require(response.channel)
    _ = await ida.send(
      .post, "tasks/rows", #"{"scope":"list/1","values":{"title":"T"}}"#)
    let event = try #require(await channel.next())
    #expect(try Hint(event.data) == Hint(Lists.scope(), head: 3))
    // A new list is a new scope that the account may read.
    _ = await ida.makeList("2")
    #expect(try await channel.nextHint() == Hint(Lists.scope("2"), head: WireLimits.number))
  }
}
