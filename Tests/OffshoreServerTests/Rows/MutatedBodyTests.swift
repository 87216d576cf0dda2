import Foundation
import OffshoreHTTP
import OffshoreWire
import TestSupport
import Testing

@testable import OffshoreServer

/// Broken bodies of requests about rows.
struct MutatedBodyTests {
  @Test func `Mutated bodies are refused or accepted, and none of them traps`() async throws {
    let columns = [
      SyncedColumn("listID", .text), SyncedColumn("tags", .text, policy: .set),
      SyncedColumn("marks", .text, policy: .keyed), SyncedColumn("size", .real),
      SyncedColumn("photo", .blob, isNullable: true), SyncedColumn("other", .any, isNullable: true),
    ]
    let things = SyncedTable(
      "things", scopeKind: "list", scopeColumn: "listID", columns: columns)
    let service = try TestService(
      manifest: Manifest(version: 1, tables: [Lists.lists, things], claimableKinds: ["list"]))
    let ida = try await RowClient(service, "ida")
    _ = await ida.makeList()
    let sound = #"""
      {"scope":"list/1","values":{"tags":["a",1,null],"marks":{"x":{"y":[1.5]},"ö":"\u00e9"},
      "size":1e3,"photo":{"base64":"AAEC"},"other":{"real":"Infinity"}}}
      """#
    #expect(await ida.send(.post, "things/rows", sound).status == .created)
    var random = SeededRandom(seed: 5)
    let awkward = Array("{}[]\",:\\/u0e.-\u{0}".utf8) + [0xFF, 0xC0]
    for _ in 0..<3_000 {
      var body = Array(sound.utf8)
      for _ in 0...random.number(below: 4) {
        let index = random.number(below: body.count)
        switch random.number(below: 3) {
        case 0: body[index] = awkward[random.number(below: awkward.count)]
        case 1: body.remove(at: index)
        default: body.insert(awkward[random.number(below: awkward.count)], at: index)
        }
      }
      service.clock.now += 10
      let response = await service.send(
        .post, "/v1/tables/things/rows", token: ida.token,
        headers: ["Content-Type": "application/json"], body: body)
      #expect([201, 400, 403, 422].contains(response.status.rawValue), "\(response.text)")
      #expect(try JSONSerialization.jsonObject(with: Data(response.bytes)) is [String: Any])
    }
    let scopes = try await service.log.read { log in
      try log.grants(of: AccountID(ida.id), after: 0).map(\.scope)
    }
    for scope in scopes {
      let rows = try await service.log.read { try $0.rows(in: scope, after: 0, limit: 10_000) }
      let digest = try await service.log.read { try $0.scope(scope).digest }
      var expected = Digest()
      for row in rows { expected.replace(nil, with: row.state, of: row.row) }
      #expect(digest == expected)
    }
  }
}
