import Foundation
import OffshoreHTTP
import OffshoreWire
import Testing

@testable import OffshoreServer

/// PUT, which inserts a row or replaces its values.
struct RowReplacementTests {
  private let service: TestService
  private let path = "tasks/rows/a?scope=list/1"
  private let body = #"{"values":{"title":"T"}}"#

  init() throws { service = try TestService() }

  private func head() async throws -> Int64 {
    try await service.log.read { try $0.scope(Lists.scope()).head }
  }

  // MARK: - Rows

  @Test func `A row that does not exist is inserted, and its address returned`() async throws {
    let ida = try await RowClient(service, "ida")
    _ = await ida.makeList()
    let made = await ida.send(.put, path, body)
    #expect(made.status == .created)
    #expect(
      made.text.hasSuffix(
        #""id":"a","scope":"list/1","values":{"after":null,"listID":"1","note":null,"points":null,"#
          + #""title":"T"}}"#))
    let location = try #require(made.headers["Location"])
    let row = await service.send(.get, location, token: ida.token)
    #expect(row.text == made.text && row.headers["ETag"] == made.headers["ETag"])
    #expect(try await service.tasks(device: 1, token: ida.token) == ["a"])
  }

  @Test func `A row that is a scope of its own is claimed by its insertion`() async throws {
    let (ida, eve) = (try await RowClient(service, "ida"), try await RowClient(service, "eve"))
    #expect(await ida.send(.put, "lists/rows/7", body).status == .created)
    #expect(await ida.send(.put, "lists/rows/7", #"{"values":{"title":"U"}}"#).status == .ok)
    #expect(await eve.send(.put, "lists/rows/7", body).status == .forbidden)
    #expect(await ida.get("lists/rows/7").text.contains(#""title":"U""#))
  }

  @Test func `A replacement has the values of the request, and NULL in other columns`()
    async throws
  {
    let ida = try await RowClient(service, "ida")
    _ = await ida.makeList(tasks: ["a", "b"])
    _ = await ida.send(.patch, path, #"{"values":{"note":"n","after":"b"}}"#)
    let replaced = await ida.send(.put, path, #"{"values":{"title":"U","after":"b"}}"#)
    #expect(replaced.status == .ok && replaced.headers["Location"] == nil)
    let values = try #require(try replaced.json()["values"] as? [String: Any])
    #expect(values["title"] as? String == "U" && values["after"] as? String == "b")
    #expect(values["note"] is NSNull)
    #expect(await ida.get(path).headers["ETag"] == replaced.headers["ETag"])
  }

  @Test func `Equal values are no change, and use no change number`() async throws {
    let ida = try await RowClient(service, "ida")
    _ = await ida.makeList(tasks: ["a"])
    let first = await ida.send(.put, path, body)
    let head = try await head()
    let second = await ida.send(
      .put, path, #"{"values":{"title":"T","note":null,"listID":"1","points":null}}"#)
    #expect(second.status == .ok && second.headers["ETag"] == first.headers["ETag"])
    #expect(try await self.head() == head)
  }

  @Test func `A deleted row begins another generation, and devices pull it`() async throws {
    let ida = try await RowClient(service, "ida")
    _ = await ida.makeList(tasks: ["a"])
    let tag = await ida.get(path).headers["ETag"]
    #expect(await ida.delete(path).status == .noContent)
    #expect(try await service.tasks(device: 1, token: ida.token) == [])
    let made = await ida.send(.put, path, #"{"values":{"title":"a task"}}"#)
    #expect(made.status == .created && made.headers["ETag"] != tag)
    #expect(try await service.tasks(device: 1, token: ida.token) == ["a"])
    let row = try await service.log.read { try $0.row(Lists.task("a"), in: Lists.scope()) }
    #expect(row.map { $0.state.generation > 1 } == true)
  }

  @Test func `A set and a map are replaced as a whole, and a retired column stays`() async throws {
    let columns = [
      SyncedColumn("listID", .text), SyncedColumn("tags", .text, policy: .set),
      SyncedColumn("marks", .text, isNullable: true, policy: .keyed),
      SyncedColumn("old", .text, isNullable: true, isRetired: true),
      SyncedColumn("depth", .integer, isNullable: true, policy: .max),
    ]
    let things = SyncedTable("things", scopeKind: "list", scopeColumn: "listID", columns: columns)
    let service = try TestService(
      manifest: Manifest(version: 1, tables: [Lists.lists, things], claimableKinds: ["list"]))
    let ida = try await RowClient(service, "ida")
    _ = await ida.makeList()
    let path = "things/rows/t?scope=list/1"
    _ = await ida.send(
      .put, path, #"{"values":{"tags":["a","b"],"marks":{"x":1,"y":2},"old":"o","depth":5}}"#)
    let replaced = await ida.send(
      .put, path, #"{"values":{"tags":["b","c"],"marks":{"y":2},"depth":3}}"#)
    #expect(
      replaced.text.hasSuffix(
        #""values":{"depth":5,"listID":"1","marks":{"y":2},"old":"o","tags":["b","c"]}}"#))
    let cleared = await ida.send(.put, path, #"{"values":{"tags":[]}}"#)
    #expect(cleared.text.contains(#""marks":null,"old":"o","tags":[]"#))
  }

  @Test func `A column with a default may be left out, and a replacement leaves it as it is`()
    async throws
  {
    let columns = [SyncedColumn("listID", .text), SyncedColumn("size", .integer, hasDefault: true)]
    let things = SyncedTable("things", scopeKind: "list", scopeColumn: "listID", columns: columns)
    let service = try TestService(
      manifest: Manifest(version: 1, tables: [Lists.lists, things], claimableKinds: ["list"]))
    let ida = try await RowClient(service, "ida")
    _ = await ida.makeList()
    let made = await ida.send(.post, "things/rows", #"{"scope":"list/1","id":"t","values":{}}"#)
    #expect(made.status == .created && made.text.contains(#""size":null"#))
    let row = try await service.log.read {
      try $0.row(RowID(table: "things", id: "t"), in: Lists.scope())
    }
    #expect(row?.state.fields == ["listID": "1"])
    let path = "things/rows/t?scope=list/1"
    #expect(await ida.send(.put, path, #"{"values":{"size":4}}"#).text.contains(#""size":4"#))
    let kept = await ida.send(.put, path, #"{"values":{}}"#)
    #expect(kept.status == .ok && kept.text.contains(#""size":4"#))
  }

  // MARK: - Counters

  @Test func `A counter that the request does not name keeps its increments`() async throws {
    let ida = try await RowClient(service, "ida")
    _ = await ida.makeList(tasks: ["a"])
    _ = await ida.send(.patch, path, #"{"increments":{"points":3}}"#)
    let replaced = await ida.send(.put, path, body)
    #expect(replaced.status == .ok && replaced.text.contains(#""points":3"#))
    let made = await ida.send(
      .put, "tasks/rows/b?scope=list/1", #"{"values":{"title":"T","points":7}}"#)
    #expect(made.status == .created && made.text.contains(#""points":7"#))
  }

  @Test func `Another value of a counter is accepted for a version that the client has seen`()
    async throws
  {
    let ida = try await RowClient(service, "ida")
    _ = await ida.makeList(tasks: ["a"])
    let seen = await ida.send(.patch, path, #"{"increments":{"points":3}}"#)
    let tag = try #require(seen.headers["ETag"])
    let body = #"{"values":{"title":"T","points":5}}"#
    for condition in [[:], ["If-Match": "*"]] as [Headers] {
      let refused = await ida.send(.put, path, body, condition)
      #expect(refused.status == .unprocessableContent && refused.code == "invalidValue")
      #expect(try refused.json()["field"] as? String == "points")
    }
    #expect(await ida.get(path).headers["ETag"] == tag)
    let set = await ida.send(.put, path, body, ["If-Match": tag])
    #expect(set.status == .ok && set.text.contains(#""points":5"#))
    let same = await ida.send(.put, path, body)
    #expect(same.status == .ok && same.headers["ETag"] == set.headers["ETag"])
    _ = await ida.send(.patch, path, #"{"increments":{"points":1}}"#)
    let stale = await ida.send(.put, path, body, ["If-Match": set.headers["ETag"] ?? ""])
    #expect(stale.status.rawValue == 412)
    #expect(await ida.get(path).text.contains(#""points":6"#))
  }

  @Test func `A counter without a number counts as 0, and another value is refused`() async throws {
    let ida = try await RowClient(service, "ida")
    _ = await ida.makeList(tasks: ["a"])
    let first = await ida.send(.patch, path, #"{"increments":{"points":3}}"#)
    let tag = first.headers["ETag"] ?? ""
    for value in [#""3""#, "3.5", #"{"base64":"AQ=="}"#] {
      let refused = await ida.send(
        .put, path, #"{"values":{"title":"T","points":\#(value)}}"#, ["If-Match": tag])
      #expect(refused.status == .unprocessableContent && refused.code == "invalidValue")
    }
    let cleared = await ida.send(
      .put, path, #"{"values":{"title":"T","points":null}}"#, ["If-Match": tag])
    #expect(cleared.status == .ok && cleared.text.contains(#""points":0"#))
  }

  // MARK: - Bad input

  @Test(
    arguments: [
      (#"{"values":{}}"#, 422, "invalidValue", "title"),
      (#"{"values":{"title":null}}"#, 422, "invalidValue", "title"),
      (#"{"values":{"title":1}}"#, 422, "invalidValue", "title"),
      (#"{"values":{"title":true}}"#, 422, "invalidValue", "title"),
      (#"{"values":{"title":"T","colour":"red"}}"#, 422, "unknownColumn", "colour"),
      (#"{"values":{"title":"T","after":"nowhere"}}"#, 422, "missingReference", "after"),
      (#"{"values":[]}"#, 400, "malformed", nil), ("{", 400, "malformed", nil),
      (#"{"increments":{"points":1}}"#, 400, "malformed", nil),
      (#"{"id":"a","values":{"title":"T"}}"#, 400, "malformed", nil),
      (#"{"scope":"list/2","values":{"title":"T"}}"#, 400, "malformed", nil),
    ] as [(String, Int, String, String?)])
  func `A replacement and an insertion that are not allowed are refused, and change nothing`(
    body: String, status: Int, code: String, field: String?
  ) async throws {
    let ida = try await RowClient(service, "ida")
    _ = await ida.makeList(tasks: ["a"])
    let before = await ida.get(path).text
    for path in [path, "tasks/rows/new?scope=list/1"] {
      let refused = await ida.send(.put, path, body)
      #expect(refused.status.rawValue == status && refused.code == code)
      #expect(try refused.json()["field"] as? String == field)
    }
    #expect(await ida.get(path).text == before)
    #expect(await ida.get("tasks/rows/new?scope=list/1").status == .notFound)
  }

  @Test func `A row cannot be moved to another scope, or have an id that no device could have`()
    async throws
  {
    let ida = try await RowClient(service, "ida")
    _ = await ida.makeList(tasks: ["a"])
    let moving = #"{"values":{"title":"T","listID":"2"}}"#
    #expect(await ida.send(.put, path, moving).code == "invalidOp")
    #expect(await ida.send(.put, "tasks/rows/b?scope=list/1", moving).code == "wrongScope")
    let accented = await ida.send(.put, "tasks/rows/%C3%9F?scope=list/1", body)
    #expect(accented.status == .unprocessableContent && accented.code == "invalidOp")
    let own = "person/\(ida.id.uuidString)"
    #expect(await ida.send(.put, "tasks/rows/b?scope=\(own)", body).code == "wrongScope")
    let unnamed = await ida.send(.put, "tasks/rows/b", body)
    #expect(unnamed.status == .badRequest && unnamed.code == "malformed")
    let unknown = await ida.send(.put, "nothing/rows/b?scope=list/1", body)
    #expect(unknown.status == .notFound && unknown.code == "unknownTable")
  }

  @Test func `A row or a value that would be too large is refused`() async throws {
    let ida = try await RowClient(service, "ida")
    _ = await ida.makeList(tasks: ["a"])
    let text = String(repeating: "x", count: WireLimits.valueBytes + 1)
    let large = await ida.send(.put, path, #"{"values":{"title":"\#(text)"}}"#)
    #expect(large.status == .contentTooLarge && large.code == "tooLarge")
  }
}
