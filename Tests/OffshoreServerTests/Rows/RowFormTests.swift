import Foundation
import OffshoreHTTP
import OffshoreWire
import Testing

@testable import OffshoreServer

/// Rows with the names of the present release, and in the form of messages.
struct RowFormTests {
  private let service: TestService
  private let path = "legs/rows/a?scope=list/1"

  init() throws {
    let legs = SyncedTable(
      "trips", scopeKind: "list", scopeColumn: "listID",
      columns: [
        SyncedColumn("listID", .text), SyncedColumn("title", .text, renamed: "name"),
        SyncedColumn("note", .text, isNullable: true),
        SyncedColumn("hours", .real, isNullable: true, isRetired: true),
        SyncedColumn("minutes", .integer, isNullable: true, derivedFrom: "hours"),
      ], renamed: "legs")
    service = try TestService(
      manifest: Manifest(version: 1, tables: [Lists.lists, legs], claimableKinds: ["list"]))
  }

  private func op(_ kind: Op.Kind, _ fields: [String: WireValue], at time: Int64) -> Op {
    Op(kind, RowID(table: "trips", id: "a"), fields: fields, stamp: .at(time))
  }

  private func values(_ response: Response) throws -> [String: String] {
    let values = try #require(try response.json()["values"] as? [String: Any])
    return values.mapValues { "\($0)" }
  }

  @Test func `In the form of messages, columns have the names that no release changes`()
    async throws
  {
    let ida = try await RowClient(service, "ida")
    _ = await ida.makeList()
    let body = #"{"values":{"title":"T","note":"n","minutes":60}}"#
    let answers = [
      await ida.send(.put, "\(path)&form=message", body),
      await ida.send(.patch, "\(path)&form=message", #"{"values":{"name":"T"}}"#),
      await ida.get("\(path)&form=message"),
    ]
    for answer in answers {
      #expect(try values(answer) == ["listID": "1", "title": "T", "note": "n", "minutes": "60"])
    }
    let page = try await ida.get("trips/rows?form=message").json()
    let rows = try #require(page["rows"] as? [[String: Any]])
    #expect((rows.first?["values"] as? [String: Any])?["title"] as? String == "T")
    let made = await ida.send(
      .post, "legs/rows?form=message", #"{"scope":"list/1","id":"b","values":{"name":"B"}}"#)
    #expect(made.status == .created && made.text.contains(#""title":"B""#))
    let plain = await ida.get(path)
    #expect(try values(plain)["name"] == "T" && values(plain)["title"] == nil)
    #expect(plain.headers["ETag"] == answers.last?.headers["ETag"])
  }

  @Test func `Columns that the row's author did not know are left out`() async throws {
    let ida = try await RowClient(service, "ida")
    _ = await ida.makeList()
    let insertion = op(.put, ["listID": "1", "title": "T", "hours": 1.5], at: 900)
    #expect(try await service.push(1, device: 1, token: ida.token, [insertion])?.range != nil)
    #expect(
      try values(await ida.get("\(path)&form=message"))
        == ["listID": "1", "title": "T", "hours": "1.5"])
    let plain = try values(await ida.get(path))
    #expect(Set(plain.keys) == ["listID", "name", "hours", "note", "minutes"])
  }

  @Test func `An inserted row has a value in a removed column only if the request names it`()
    async throws
  {
    let ida = try await RowClient(service, "ida")
    _ = await ida.makeList()
    _ = await ida.send(.put, path, #"{"values":{"name":"T","minutes":60}}"#)
    #expect(try values(await ida.get("\(path)&form=message"))["hours"] == nil)
    let made = await ida.send(
      .post, "legs/rows", #"{"scope":"list/1","id":"b","values":{"name":"B","hours":2.5}}"#)
    #expect(try made.status == .created && values(made)["hours"] == "2.5")
  }

  @Test func `A value that is outdated by that of a former release is left out`() async throws {
    let ida = try await RowClient(service, "ida")
    _ = await ida.makeList()
    let insertion = op(
      .put, ["listID": "1", "title": "T", "hours": 1.5, "minutes": 90], at: 900)
    #expect(try await service.push(1, device: 1, token: ida.token, [insertion])?.range != nil)
    #expect(try values(await ida.get("\(path)&form=message"))["minutes"] == "90")
    let edit = op(.patch, ["hours": 2.5], at: 950)
    #expect(try await service.push(2, device: 1, token: ida.token, [edit])?.range != nil)
    let outdated = try values(await ida.get("\(path)&form=message"))
    #expect(outdated["hours"] == "2.5" && outdated["minutes"] == nil)
    #expect(try values(await ida.get(path))["minutes"] == "90")
  }

  @Test func `A replacement in the form of messages leaves other columns as they are`()
    async throws
  {
    let ida = try await RowClient(service, "ida")
    _ = await ida.makeList()
    _ = await ida.send(.put, path, #"{"values":{"name":"T","note":"n","minutes":60}}"#)
    let kept = await ida.send(.put, "\(path)&form=message", #"{"values":{"title":"U"}}"#)
    #expect(try values(kept) == ["listID": "1", "title": "U", "note": "n", "minutes": "60"])
    let cleared = await ida.send(.put, path, #"{"values":{"name":"U"}}"#)
    #expect(cleared.text.contains(#""minutes":null,"note":null,"name":"U""#))
    let made = await ida.send(
      .put, "legs/rows/b?scope=list/1&form=message", #"{"values":{"title":"B"}}"#)
    #expect(try values(made) == ["listID": "1", "title": "B"])
  }

  @Test func `A row without a value has an empty object`() async throws {
    let days = SyncedTable("days", scopeKind: "list", scopeColumn: "id", columns: [])
    let row = SyncedRow(RowID(table: "days", id: "1"), seq: 1, state: RowState(stamp: .at(1)))
    for form in [RowJSON.Form.release, .message] {
      let manifest = try Manifest(version: 1, tables: [days])
      let json = RowJSON(table: days, manifest: manifest, form: form)
        .row(row, in: try Lists.scope())
      #expect(String(decoding: json, as: UTF8.self).hasSuffix(#","values":{}}"#))
    }
  }

  @Test(arguments: ["", "messages", "Message"])
  func `An unknown form is refused before anything is written`(form: String) async throws {
    let ida = try await RowClient(service, "ida")
    _ = await ida.makeList()
    let body = #"{"values":{"title":"T"}}"#
    for answer in [
      await ida.send(.put, "\(path)&form=\(form)", body),
      await ida.get("legs/rows?form=\(form)"),
    ] {
      #expect(answer.status == .badRequest && answer.code == "malformed")
      #expect(try answer.json()["field"] as? String == "form")
    }
    #expect(await ida.get(path).status == .notFound)
  }
}
