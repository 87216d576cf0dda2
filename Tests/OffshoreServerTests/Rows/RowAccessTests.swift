import Foundation
import OffshoreHTTP
import OffshoreWire
import Testing

@testable import OffshoreServer

/// The permission to read and write rows, and the pages of rows.
struct RowAccessTests {
  private let service: TestService

  init() throws { service = try TestService() }

  /// Sends all requests that name a row or a list, and returns the answers.
  private func answers(_ client: RowClient, list: String, task: String) async -> [Response] {
    let path = "tasks/rows/\(task)?scope=list/\(list)"
    return [
      await client.get("tasks/rows?scope=list/\(list)"), await client.get(path),
      await client.get(path, ["If-None-Match": "*"]),
      await client.send(.patch, path, #"{"values":{"title":"T"}}"#),
      await client.send(.patch, path, #"{"values":{"colour":1}}"#),
      await client.delete(path), await client.delete(path, ["If-Match": "\"x\""]),
      await client.get("lists/rows/\(list)"),
    ]
  }

  @Test func `An account without a grant gets the same answer for existing and missing rows`()
    async throws
  {
    let (ida, eve) = (try await RowClient(service, "ida"), try await RowClient(service, "eve"))
    _ = await ida.makeList(tasks: ["a"])
    let there = await answers(eve, list: "1", task: "a")
    let nowhere = await answers(eve, list: "2", task: "a")
    #expect(there.map(\.text) == nowhere.map(\.text))
    #expect(there.allSatisfy { $0.status == .notFound && $0.code == "notFound" })
    #expect(there.map(\.comparableHeaders) == nowhere.map(\.comparableHeaders))
    #expect(await eve.get("lists/rows").text == #"{"next":null,"rows":[]}"#)
    for id in ["a", "b"] {
      let body = #"{"scope":"list/1","id":"\#(id)","values":{"title":"T"}}"#
      let response = await eve.send(.post, "tasks/rows", body)
      #expect(response.status == .forbidden && response.code == "forbidden")
    }
    #expect(try await service.tasks(device: 1, token: ida.token) == ["a"])
  }

  @Test func `A device id of another account is refused, and nothing is reported as written`()
    async throws
  {
    let (ida, eve) = (try await RowClient(service, "ida"), try await RowClient(service, "eve"))
    _ = await eve.makeList("1", tasks: ["a"])
    try await ida.grant(.editor)
    let device = try RowWriting(
      service.server.push, AccountID(ida.id),
      token: Secret(ida.token)?.hash ?? Secret.sample(1).hash,
      at: 0
    ).device
    let scope = try Lists.scope()
    try await service.log.write { log in
      try log.setDevice(device, in: scope, StoredDevice(account: AccountID(eve.id)))
    }
    let body = #"{"values":{"note":"n"}}"#
    let refused = await ida.send(.patch, "tasks/rows/a?scope=list/1", body)
    #expect(refused.status == .conflict && refused.code == "nameTaken")
  }

  @Test func `A viewer reads but cannot write, and a revoked member can do neither`() async throws {
    let (ida, ben) = (try await RowClient(service, "ida"), try await RowClient(service, "ben"))
    _ = await ida.makeList(tasks: ["a"])
    try await ben.grant(.viewer)
    let path = "tasks/rows/a?scope=list/1"
    #expect(await ben.get(path).status == .ok)
    let body = #"{"scope":"list/1","id":"b","values":{"title":"T"}}"#
    for response in [
      await ben.send(.post, "tasks/rows", body), await ben.delete(path),
      await ben.send(.patch, path, #"{"values":{"title":"T"}}"#),
      await ben.send(.patch, path, #"{"values":{"title":"a task"}}"#),
    ] { #expect(response.status == .forbidden) }
    try await ben.grant(.editor)
    #expect(await ben.send(.post, "tasks/rows", body).status == .created)
    let key: Headers = ["Idempotency-Key": "k"]
    #expect(await ben.send(.patch, path, #"{"values":{"note":"n"}}"#, key).status == .ok)
    try await ben.grant(.revoked)
    #expect(await ben.send(.patch, path, #"{"values":{"note":"n"}}"#, key).status == .notFound)
    #expect(await ben.get(path).status == .notFound)
    #expect(await ben.send(.post, "tasks/rows", body).status == .forbidden)
  }

  @Test func `Requests without a token, a table or a valid query are refused`() async throws {
    let ida = try await RowClient(service, "ida")
    for path in ["lists/rows", "lists/rows/1", "nothing/rows"] {
      let response = await service.send(.get, "/v1/tables/\(path)")
      #expect(response.status == .unauthorized && response.code == "unauthorized")
    }
    let unknown = await ida.get("nothing/rows")
    #expect(unknown.status == .notFound && unknown.code == "unknownTable")
    for query in [
      "scope=list", "scope=", "after=x", "after=list/1", "limit=0", "limit=1001", "limit=x",
    ] {
      let response = await ida.get("tasks/rows?\(query)")
      #expect(response.status == .badRequest && response.code == "malformed", "\(query)")
    }
    let large = [UInt8](repeating: 0x20, count: WireLimits.bodyBytes + 1)
    let response = await service.send(.post, "/v1/tables/lists/rows", token: ida.token, body: large)
    #expect(response.status == .contentTooLarge)
    for (type, status) in [
      (nil, 415), ("application/jsonx", 415), ("application/json ; charset=utf-8", 201),
    ] as [(String?, Int)] {
      var headers = Headers()
      headers["Content-Type"] = type
      let body = Array(#"{"scope":"list/9","values":{"title":"T"}}"#.utf8)
      let response = await service.send(
        .post, "/v1/tables/lists/rows", token: ida.token, headers: headers, body: body)
      #expect(response.status.rawValue == status)
    }
  }

  // MARK: - Pages

  @Test(arguments: [1, 2, 3, 7, 1_000])
  func `Pages have each row once, in row order, over all scopes or one`(limit: Int) async throws {
    let ida = try await RowClient(service, "ida")
    for list in ["1", "2", "3"] {
      _ = await ida.makeList(list, tasks: list == "2" ? [] : ["c", "a", "b", "z/1", "d"])
    }
    _ = await ida.delete("tasks/rows/c?scope=list/1")
    for (query, lists) in [("", ["1", "3"]), ("scope=list/1&", ["1"]), ("scope=list/2&", [])] {
      var (places, after, pages) = ([String](), String?.none, 0)
      repeat {
        let next = after.map { "&" + (["after": $0] as Fields).encoded } ?? ""
        let page = try await ida.get("tasks/rows?\(query)limit=\(limit)\(next)").json()
        let rows = try #require(page["rows"] as? [[String: Any]])
        #expect(rows.count <= limit)
        places += rows.map { "\($0["scope"] as? String ?? "")/\($0["id"] as? String ?? "")" }
        after = page["next"] as? String
        pages += 1
      } while after != nil && pages < 100
      let expected = lists.flatMap { list in
        (list == "1" ? ["a", "b", "d", "z/1"] : ["a", "b", "c", "d", "z/1"]).map {
          "list/\(list)/\($0)"
        }
      }
      #expect(places == expected)
    }
  }

  @Test func `A page of large rows ends before it is too large`() async throws {
    let ida = try await RowClient(service, "ida")
    _ = await ida.makeList()
    let text = String(repeating: "x", count: 1_000_000)
    for number in 0..<6 {
      let body = #"{"scope":"list/1","id":"\#(number)","values":{"title":"\#(text)"}}"#
      #expect(await ida.send(.post, "tasks/rows", body).status == .created)
    }
    let first = try await ida.get("tasks/rows?scope=list/1").json()
    #expect((first["rows"] as? [Any])?.count == 4 && first["next"] as? String == "list/1/3")
    let second = try await ida.get("tasks/rows?after=list/1/3").json()
    #expect((second["rows"] as? [Any])?.count == 2 && second["next"] is NSNull)
  }
}
