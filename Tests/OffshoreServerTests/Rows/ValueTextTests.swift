import Foundation
import OffshoreHTTP
import OffshoreWire
import TestSupport
import Testing

@testable import OffshoreServer

/// The representation of values in JSON.
struct ValueTextTests {
  private static let any = SyncedColumn("v", .any, isNullable: true)

  @Test(
    arguments: [
      (.null, "null"), (0, "0"), (.integer(.max), "9223372036854775807"),
      (.integer(.min), "-9223372036854775808"), (1.0, "1.0"), (0.1, "0.1"),
      (.real(-0.0), "-0.0"), (.real(.leastNonzeroMagnitude), "5e-324"),
      (.real(.greatestFiniteMagnitude), "1.7976931348623157e+308"),
      (.real(.infinity), #"{"real":"Infinity"}"#), (.real(-.infinity), #"{"real":"-Infinity"}"#),
      ("", #""""#), ("a\"\\\n\u{1}é\u{2028}𝄞", "\"a\\\"\\\\\\u000a\\u0001é\u{2028}𝄞\""),
      (.text([0xFF, 0x41]), #"{"textBase64":"/0E="}"#), (.blob([]), #"{"base64":""}"#),
      (.blob([0, 255]), #"{"base64":"AP8="}"#), ("{\"a\":1}", #""{\"a\":1}""#),
    ] as [(WireValue, String)])
  func `Each value has one JSON text, which is parsed as that value`(
    value: WireValue, json: String
  ) throws {
    #expect(String(decoding: ValueText.json(value, of: Self.any), as: UTF8.self) == json)
    #expect(try ValueText.value(Array(json.utf8), of: Self.any) == value)
    let foundation = try JSONSerialization.jsonObject(with: Data("[\(json)]".utf8))
    #expect(foundation is [Any])
  }

  @Test func `A finite real is preserved bit for bit`() throws {
    var random = SeededRandom(seed: 27)
    for _ in 0..<10_000 {
      let number = Double(bitPattern: random.next())
      guard number.isFinite else { continue }
      let json = ValueText.json(.real(number), of: Self.any)
      #expect(try ValueText.value(json, of: Self.any) == .real(number))
    }
  }

  @Test func `Sets and maps are JSON, and a malformed one is a text`() throws {
    let set = SyncedColumn("v", .text, isNullable: true, policy: .set)
    let map = SyncedColumn("v", .text, isNullable: true, policy: .keyed)
    for (column, text, json) in [
      (set, #"["b", 1,"a"]"#, #"["a","b",1]"#), (set, "[]", "[]"),
      (map, #"{"b": [1, 2], "a":1e2}"#, #"{"a":1e2,"b":[1, 2]}"#), (map, "{}", "{}"),
      (map, "null", #""null""#), (set, "{}", #""{}""#),
    ] {
      let spelled = ValueText.json(WireValue(text), of: column)
      #expect(String(decoding: spelled, as: UTF8.self) == json)
      let read = try ValueText.value(spelled, of: column)
      #expect(column.fields(of: read) == column.fields(of: WireValue(text)))
    }
    #expect(ValueText.json(.null, of: map) == Array("null".utf8))
    for (column, json) in [(set, "[[1]]"), (set, "{}"), (map, "[]"), (map, #"{"base64":"#)] {
      #expect(throws: ResourceError.self) { try ValueText.value(Array(json.utf8), of: column) }
    }
    let sealed = SyncedColumn("v", .blob, isSealed: true)
    #expect(ValueText.json(.blob([1]), of: sealed) == Array(#"{"base64":"AQ=="}"#.utf8))
  }

  @Test(arguments: [
    "true", "false", "9223372036854775808", "1e999", #""\ud800""#, "[]", "{}",
    #"{"base64":"?"}"#, #"{"base64":1}"#, #"{"real":"NaN"}"#, #"{"base64":"","real":""}"#, "",
    "\u{1}", "\"", "-", "0x1p3", "nan", "nul", "inf",
  ])
  func `A text that is not a value is refused`(json: String) {
    #expect(throws: ResourceError.self) {
      try ValueText.value(Array(json.utf8), of: Self.any)
    }
  }

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
