import Foundation
import Testing

@testable import OffshoreWire

struct ManifestTests {
  @Test func `Tables and columns are found by name`() throws {
    let manifest = try Fleet.manifest()
    #expect(manifest["charters"]?["miles"]?.policy == .counter)
    #expect(manifest["charters"]?["none"] == nil)
    #expect(manifest["none"] == nil)
  }

  @Test func `The order of declarations does not matter`() throws {
    let members = SyncedTable(
      "members", scopeKind: "charter", scopeColumn: "charterID",
      columns: Fleet.members.columns.reversed(), uniqueKeys: [["person", "charterID"]],
      idSource: ["charterID", "person"])
    let other = try Manifest(version: 1, tables: [members, Fleet.messages, Fleet.charters])
    #expect(try other == Fleet.manifest())
    #expect(try other.hash == Fleet.manifest().hash)
    #expect(try other.json() == Fleet.manifest().json())
  }

  /// Tables that each differ from the first in one property.
  private static let variants: [SyncedTable] = [
    table([SyncedColumn("a", .text)]),
    table([SyncedColumn("b", .text)]),
    table([SyncedColumn("a", .integer)]),
    table([SyncedColumn("a", .text, isNullable: true)]),
    table([SyncedColumn("a", .text, policy: .serverOrder)]),
    table([SyncedColumn("a", .text, policy: .ordered(["x", "y"]))]),
    table([SyncedColumn("a", .text, policy: .ordered(["y", "x"]))]),
    table([SyncedColumn("a", .text, policy: .rule("x"))]),
    table([SyncedColumn("a", .text, policy: .rule("y"))]),
    table([SyncedColumn("a", .text, isSealed: true)]),
    table([SyncedColumn("a", .text, reference: "t")]),
    table([SyncedColumn("a", .text), SyncedColumn("b", .text)]),
    table([SyncedColumn("a", .text)], idSource: ["a"]),
    table([SyncedColumn("a", .text)], uniqueKeys: [["a"]], idSource: ["a"]),
    table([SyncedColumn("a", .text)], idColumn: "key", scopeColumn: "key"),
    table([SyncedColumn("a", .text)], scopeColumn: "a"),
    table([SyncedColumn("a", .text)], scopeKind: "person"),
    table([SyncedColumn("a", .text)], writers: .owners),
    table([SyncedColumn("a", .text)], writers: .author("a")),
    table([SyncedColumn("a", .text)], renamed: "u"),
    table([SyncedColumn("a", .text)], isRetired: true),
    table([SyncedColumn("a", .text, renamed: "b")]),
    table([SyncedColumn("a", .text, isRetired: true)]),
    table([SyncedColumn("a", .text, hasDefault: true)]),
    table([SyncedColumn("a", .text, derivedFrom: "b")]),
    table([SyncedColumn("a", .text, isFile: true)]),
  ]

  private static func table(
    _ columns: [SyncedColumn], idColumn: String = "id", scopeKind: String = "fleet",
    scopeColumn: String = "id", uniqueKeys: [[String]] = [], idSource: [String] = [],
    writers: TableWriters = .members, renamed: String? = nil, isRetired: Bool = false
  ) -> SyncedTable {
    SyncedTable(
      "t", idColumn: idColumn, scopeKind: scopeKind, scopeColumn: scopeColumn, columns: columns,
      uniqueKeys: uniqueKeys, idSource: idSource, writers: writers, renamed: renamed,
      isRetired: isRetired)
  }

  @Test func `Tables and columns are found by both of their names`() throws {
    let columns = [SyncedColumn("a", .text, renamed: "b"), SyncedColumn("c", .text)]
    let manifest = try Manifest(version: 1, tables: [Self.table(columns, renamed: "u")])
    #expect(manifest.table(named: "t") == manifest.table(named: "u"))
    #expect(manifest.table(named: "t")?.column(named: "b") == columns[0])
    #expect(manifest["t"]?.column(named: "a") == columns[0] && manifest["u"] == nil)
    #expect(manifest["t"]?["b"] == nil && manifest["t"]?.column(named: "d") == nil)
  }

  @Test func `The present release lacks retired tables and columns, and their kinds`() throws {
    let old = SyncedTable(
      "old", scopeKind: "person", scopeColumn: "id", columns: [], isRetired: true)
    let manifest = try Manifest(
      version: 1,
      tables: [
        Self.table([SyncedColumn("a", .text), SyncedColumn("b", .text, isRetired: true)]), old,
      ], claimableKinds: ["fleet"], personalKinds: ["person"])
    let present = try manifest.withoutRetired()
    #expect(present.tables.map(\.name) == ["t"] && present["t"]?.columns.map(\.name) == ["a"])
    #expect(present.claimableKinds == ["fleet"] && present.personalKinds == [])
    let needed = try Manifest(
      version: 1,
      tables: [Self.table([SyncedColumn("a", .text, isRetired: true)], scopeColumn: "a")])
    #expect(throws: WireError.self) { try needed.withoutRetired() }
  }

  @Test func `Different manifests have different hashes`() throws {
    var hashes = try Self.variants.map { try Manifest(version: 1, tables: [$0]).hash }
    hashes.append(try Manifest(version: 2, tables: [Self.variants[0]]).hash)
    hashes.append(try Manifest(version: 1, tables: []).hash)
    #expect(Set(hashes).count == Self.variants.count + 2)
  }

  // MARK: - JSON

  @Test func `A manifest is decoded from its JSON as it was encoded`() throws {
    for table in Self.variants + [Fleet.charters] {
      let manifest = try Manifest(version: 3, tables: [table])
      #expect(try Manifest(json: manifest.json()) == manifest)
    }
    let fleet = try Fleet.manifest()
    #expect(try Manifest(json: fleet.json()) == fleet)
    let owned = try Manifest(
      version: 3, tables: fleet.tables, personalKinds: [Fleet.charters.scopeKind])
    #expect(try Manifest(json: owned.json()) == owned)
    #expect(owned != fleet)
  }

  @Test func `The JSON has sorted keys`() throws {
    let manifest = try Manifest(
      version: 1,
      tables: [Self.table([SyncedColumn("a", .text, policy: .ordered(["x", "y"]))])],
      claimableKinds: ["fleet"])
    let text = String(decoding: try manifest.json(), as: UTF8.self)
    #expect(
      text == """
        {
          "claimableKinds" : [
            "fleet"
          ],
          "personalKinds" : [

          ],
          "tables" : [
            {
              "columns" : [
                {
                  "isNullable" : false,
                  "isSealed" : false,
                  "name" : "a",
                  "policy" : {
                    "ordered" : [
                      "x",
                      "y"
                    ]
                  },
                  "type" : "text"
                }
              ],
              "idColumn" : "id",
              "idSource" : [

              ],
              "name" : "t",
              "scopeColumn" : "id",
              "scopeKind" : "fleet",
              "uniqueKeys" : [

              ]
            }
          ],
          "version" : 1
        }
        """)
  }

  private static let column = #""name":"a","type":"text","isNullable":false,"isSealed":false"#

  private static func json(_ column: String, table: String = "") -> String {
    """
    {"version":1,"tables":[{"name":"t","idColumn":"id","scopeKind":"fleet","scopeColumn":"id",\
    "uniqueKeys":[],"idSource":[],\(table)"columns":[{\(column)}]}]}
    """
  }

  @Test(
    arguments: [
      ("", nil, "a text that is not JSON"),
      ("[", nil, "a text that is not JSON"),
      ("[]", nil, "a value of another type"),
      ("{}", "version", "a key that is missing"),
      (#"{"version":1,"tables":[],"view":1}"#, "view", "an unknown key"),
      (json(#"\#(column),"policy":"max","extra":1"#), "tables.0.columns.0.extra", "an unknown key"),
      (json(#"\#(column),"policy":"most""#), "tables.0.columns.0.policy", "that is not known here"),
      (
        json(#"\#(column),"policy":{"rule":"a","ordered":[]}"#), "tables.0.columns.0.policy",
        "not exactly one merge policy"
      ),
      (
        json(#"\#(column),"policy":{"least":1}"#), "tables.0.columns.0.policy.least",
        "an unknown key"
      ),
      (json(#"\#(column),"policy":{}"#), "tables.0.columns.0.policy", "not exactly one"),
      (json(#"\#(column),"policy":"max""#, table: #""x":1,"#), "tables.0.x", "an unknown key"),
      (
        json(#"\#(column),"policy":"max""#, table: #""writers":"all","#), "tables.0.writers",
        "that are not known here"
      ),
      (
        json(#"\#(column),"policy":"max""#, table: #""writers":{"sender":"a"},"#),
        "tables.0.writers.sender", "an unknown key"
      ),
      (json(#""name":"a""#), "tables.0.columns.0.type", "a key that is missing"),
      (json(#""name":null"#), "tables.0.columns.0.name", "a value of another type"),
      (json(#""name":"a","type":"date""#), "tables.0.columns.0.type", "Cannot initialize"),
    ] as [(String, String?, String)])
  func `Malformed JSON is refused with its place`(
    json: String, place: String?, reason: String
  ) throws {
    let error = try expect(.invalidManifest) { _ = try Manifest(json: Data(json.utf8)) }
    #expect(error.place == place)
    #expect(error.message.contains(reason), "\(error)")
  }

  @Test func `JSON of a contradictory manifest is refused`() throws {
    let json = Self.json(#"\#(Self.column),"policy":"counter""#)
    let error = try expect(.invalidManifest) { _ = try Manifest(json: Data(json.utf8)) }
    #expect(error.place == "tables.t.columns.a")
  }

  @Test func `Writers that all members are have no JSON, as in former versions`() throws {
    let manifest = try Manifest(version: 1, tables: [Self.variants[0]])
    #expect(!String(decoding: try manifest.json(), as: UTF8.self).contains("writers"))
  }

  @Test func `Only file columns are marked in JSON, as former versions have no mark`() throws {
    for isFile in [true, false] {
      let table = Self.table([SyncedColumn("a", .text, isFile: isFile)])
      let json = String(decoding: try Manifest(version: 1, tables: [table]).json(), as: UTF8.self)
      #expect(json.contains(#""file" : true"#) == isFile && json.contains("file") == isFile)
    }
    let plain = try Manifest(json: Data(Self.json(#"\#(Self.column),"policy":"max""#).utf8))
    #expect(plain["t"]?["a"]?.isFile == false)
  }

  @Test func `JSON without scope kinds has neither claimable nor personal kinds`() throws {
    let json = Self.json(#"\#(Self.column),"policy":"max""#)
    let manifest = try Manifest(json: Data(json.utf8))
    #expect(manifest.claimableKinds == [] && manifest.personalKinds == [])
  }
}
