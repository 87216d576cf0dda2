import Foundation
import Testing

@testable import OffshoreWire

/// The access rules of a manifest, their contradictions, their JSON and their hash.
struct AccessRuleTests {
  private static let choice = AccessRule.Choice(
    table: "sharings", scopeColumn: "groupID", column: "shows", values: ["week", "busy"])
  private static let block = AccessRule.Block(table: "blocks", column: "blockedID")
  private static let profile = AccessRule("profile", sharedKind: "group")
  private static let week = AccessRule("week", sharedKind: "group", choice: choice, block: block)

  private static func sharings(
    _ columns: [SyncedColumn]? = nil, kind: String = "person", isRetired: Bool = false
  ) -> SyncedTable {
    SyncedTable(
      "sharings", scopeKind: kind, scopeColumn: "userID",
      columns: [SyncedColumn("userID", .text)]
        + (columns ?? [
          SyncedColumn("groupID", .text), SyncedColumn("shows", .text, isNullable: true),
        ]), isRetired: isRetired)
  }

  private static func blocks(_ column: SyncedColumn? = nil) -> SyncedTable {
    SyncedTable(
      "blocks", scopeKind: "person", scopeColumn: "userID",
      columns: [SyncedColumn("userID", .text), column ?? SyncedColumn("blockedID", .text)])
  }

  private static func manifest(
    _ rules: [AccessRule], sharings: SyncedTable? = nil, blocks: SyncedTable? = nil,
    members: Int? = 30, memberships: Int? = 12
  ) throws(WireError) -> Manifest {
    let others = ["group", "profile", "week"].map { kind in
      SyncedTable("\(kind)s", scopeKind: kind, scopeColumn: "id", columns: [])
    }
    return try Manifest(
      version: 1,
      tables: others + [sharings ?? Self.sharings(), blocks ?? Self.blocks()],
      claimableKinds: ["group"], personalKinds: ["person", "profile", "week"],
      memberLimits: members.map { ["group": $0] } ?? [:],
      membershipLimits: memberships.map { ["group": $0] } ?? [:], accessRules: rules)
  }

  private func expectRefusal(
    _ part: String, at place: String = "accessRules.week.group",
    sourceLocation: SourceLocation = #_sourceLocation, _ manifest: () throws -> Manifest
  ) {
    let error = #expect(throws: WireError.self, sourceLocation: sourceLocation) {
      _ = try manifest()
    }
    #expect(error?.code == .invalidManifest, sourceLocation: sourceLocation)
    #expect(error?.place == place, sourceLocation: sourceLocation)
    #expect(error?.message.contains(part) == true, "\(error)", sourceLocation: sourceLocation)
  }

  // MARK: - Valid rules

  @Test func `Rules are part of a manifest's JSON and hash, in any order`() throws {
    let plain = try Self.manifest([])
    let rules = [[Self.profile], [Self.week], [Self.profile, Self.week]]
    let manifests = try [plain] + rules.map { try Self.manifest($0) }
    #expect(Set(manifests.map(\.hash)).count == 4)
    for manifest in manifests { #expect(try Manifest(json: manifest.json()) == manifest) }
    #expect(try !String(decoding: plain.json(), as: UTF8.self).contains("accessRules"))
    let reversed = try Self.manifest([Self.week, Self.profile])
    #expect(reversed == manifests[3] && reversed.hash == manifests[3].hash)
    #expect(try reversed.json() == manifests[3].json())
    #expect(reversed.accessRules == [Self.profile, Self.week])
  }

  @Test func `The JSON of a rule names kinds, tables, columns and values`() throws {
    let json = String(decoding: try Self.manifest([Self.week]).json(), as: UTF8.self)
    #expect(
      json.contains(
        """
          "accessRules" : [
            {
              "block" : {
                "column" : "blockedID",
                "table" : "blocks"
              },
              "choice" : {
                "column" : "shows",
                "scopeColumn" : "groupID",
                "table" : "sharings",
                "values" : [
                  "busy",
                  "week"
                ]
              },
              "kind" : "week",
              "sharedKind" : "group"
            }
          ],
        """), "\(json)")
  }

  @Test(arguments: ["kind", "sharedKind", "table", "column", "scopeColumn", "values"])
  func `A rule without one of its keys is refused`(key: String) throws {
    let json = String(decoding: try Self.manifest([Self.week]).json(), as: UTF8.self)
    let broken = json.replacing("\"\(key)\" :", with: "\"other\" :", maxReplacements: 1)
    #expect(broken != json)
    let error = #expect(throws: WireError.self) { try Manifest(json: Data(broken.utf8)) }
    #expect(error?.code == .invalidManifest)
  }

  @Test(arguments: [
    (#""sharedKind" : "group""#, #""sharedKind" : 7"#, "accessRules.0.sharedKind", "another type"),
    (#""kind" : "week","#, #""kind" : "week", "readers" : 3,"#, "accessRules.0.readers", "unknown"),
    (
      #""table" : "blocks""#, #""table" : "blocks", "until" : 3"#, "accessRules.0.block.until",
      "unknown"
    ),
    (
      #""column" : "shows","#, #""column" : "shows", "until" : 3,"#, "accessRules.0.choice.until",
      "unknown"
    ),
    (#""busy","#, "null,", "accessRules.0.choice.values.0", "another type"),
  ])
  func `A rule in another form is refused, with its place`(
    part: String, other: String, place: String, reason: String
  ) throws {
    let json = String(decoding: try Self.manifest([Self.week]).json(), as: UTF8.self)
    let broken = json.replacing(part, with: other)
    #expect(broken != json)
    let error = #expect(throws: WireError.self) { try Manifest(json: Data(broken.utf8)) }
    #expect(error?.code == .invalidManifest && error?.place == place)
    #expect(error?.message.contains(reason) == true, "\(error)")
  }

  @Test func `Each part of a rule changes the hash`() throws {
    let block = AccessRule.Block(table: "sharings", column: "shows")
    let variants: [AccessRule] = [
      Self.week, AccessRule("week", sharedKind: "group", choice: Self.choice),
      AccessRule("week", sharedKind: "group", block: Self.block),
      AccessRule("week", sharedKind: "group", block: block),
      AccessRule(
        "week", sharedKind: "group",
        choice: .init(
          table: "sharings", scopeColumn: "groupID", column: "shows", values: ["week"])),
      AccessRule(
        "week", sharedKind: "group",
        choice: .init(
          table: "sharings", scopeColumn: "shows", column: "groupID", values: ["week", "busy"])),
    ]
    let hashes = try variants.map { try Self.manifest([$0]).hash }
    #expect(Set(hashes).count == variants.count)
  }

  @Test func `Rules of retired kinds are not among the present declarations`() throws {
    let profiles = SyncedTable(
      "profiles", scopeKind: "profile", scopeColumn: "id", columns: [], isRetired: true)
    let groups = SyncedTable("groups", scopeKind: "group", scopeColumn: "id", columns: [])
    let manifest = try Manifest(
      version: 1, tables: [profiles, groups], personalKinds: ["profile"],
      memberLimits: ["group": 2], membershipLimits: ["group": 2], accessRules: [Self.profile])
    #expect(try manifest.withoutRetired().accessRules == [])
    #expect(try Self.manifest([Self.week]).withoutRetired().accessRules == [Self.week])
  }

  @Test func `A rule tells the tables and columns that limit it`() {
    #expect(Self.profile.sources.isEmpty)
    #expect(Self.week.sources.map(\.table) == ["sharings", "blocks"])
    #expect(Self.week.sources.map(\.columns) == [["groupID", "shows"], ["blockedID"]])
    #expect(Self.week.isLimited(by: "sharings") && Self.week.isLimited(by: "blocks"))
    #expect(!Self.week.isLimited(by: "weeks") && !Self.profile.isLimited(by: "sharings"))
  }

  // MARK: - Contradictions

  @Test func `A rule is for personal scopes and members of shared ones`() {
    for (kind, shared) in [("group", "group"), ("other", "group")] {
      expectRefusal("personal", at: "accessRules.\(kind).\(shared)") {
        try Self.manifest([AccessRule(kind, sharedKind: shared)])
      }
    }
    for shared in ["person", "other"] {
      expectRefusal("not a kind of shared scopes", at: "accessRules.week.\(shared)") {
        try Self.manifest([AccessRule("week", sharedKind: shared)])
      }
    }
    expectRefusal("Two rules") {
      try Self.manifest([Self.week, AccessRule("week", sharedKind: "group")])
    }
  }

  @Test(
    arguments: [
      (nil, 12), (30, nil), (nil, nil), (101, 100), (.max, 12), (1, 10_001),
    ] as [(Int?, Int?)])
  func `The members of a shared kind are limited, so that few accounts are concerned`(
    members: Int?, memberships: Int?
  ) {
    expectRefusal("at most 10000") {
      try Self.manifest([Self.week], members: members, memberships: memberships)
    }
  }

  @Test func `The largest product of limits is allowed, for all kinds together`() throws {
    #expect(try Self.manifest([Self.week], members: 100, memberships: 100).accessRules.count == 1)
    let tables = ["group", "team", "week"].map {
      SyncedTable("\($0)s", scopeKind: $0, scopeColumn: "id", columns: [])
    }
    func manifest(_ members: Int) throws -> Manifest {
      try Manifest(
        version: 1, tables: tables, personalKinds: ["week"],
        memberLimits: ["group": 100, "team": members],
        membershipLimits: ["group": 50, "team": 50],
        accessRules: ["group", "team"].map { AccessRule("week", sharedKind: $0) })
    }
    #expect(try manifest(100).accessRules.count == 2)
    expectRefusal("at most 10000") { try manifest(101) }
  }

  @Test func `A manifest has few rules`() {
    let kinds = (0...WireLimits.accessRules).map { "k\($0)" }
    let tables = (kinds + ["group"]).map {
      SyncedTable("\($0)s", scopeKind: $0, scopeColumn: "id", columns: [])
    }
    expectRefusal("more than 20", at: "accessRules") {
      try Manifest(
        version: 1, tables: tables, personalKinds: Set(kinds), memberLimits: ["group": 1],
        membershipLimits: ["group": 1],
        accessRules: kinds.map { AccessRule($0, sharedKind: "group") })
    }
  }

  @Test func `The rows that limit a rule are present, and of their owner alone`() {
    expectRefusal("not a present table") {
      try Self.manifest([Self.week], sharings: Self.sharings(isRetired: true))
    }
    let missing = AccessRule("week", sharedKind: "group", block: .init(table: "x", column: "y"))
    expectRefusal("not a present table") { try Self.manifest([missing]) }
    for kind in ["group", "profile"] {
      expectRefusal("others could read", at: "accessRules.week.group") {
        try Self.manifest([Self.profile, Self.week], sharings: Self.sharings(kind: kind))
      }
    }
  }

  @Test(arguments: [
    SyncedColumn("shows", .integer), SyncedColumn("shows", .text, isSealed: true),
    SyncedColumn("shows", .text, policy: .set), SyncedColumn("other", .text),
    SyncedColumn("shows", .text, isRetired: true),
    SyncedColumn("shows", .text, derivedFrom: "former"),
  ])
  func `A column that limits a rule is a present text`(column: SyncedColumn) {
    let sharings = Self.sharings([SyncedColumn("groupID", .text), column])
    expectRefusal("sharings.shows") { try Self.manifest([Self.week], sharings: sharings) }
    let blocks = Self.blocks(SyncedColumn("blockedID", .blob))
    expectRefusal("blocks.blockedID") { try Self.manifest([Self.week], blocks: blocks) }
  }

  @Test(arguments: [
    [], ["week", "week"], [""], [String(repeating: "x", count: 201)],
    (0...100).map { "\($0)" },
  ])
  func `A choice has few different values`(values: [String]) {
    let choice = AccessRule.Choice(
      table: "sharings", scopeColumn: "groupID", column: "shows", values: values)
    expectRefusal("different values") {
      try Self.manifest([AccessRule("week", sharedKind: "group", choice: choice)])
    }
  }

  @Test func `A block names another column than that of the owner`() {
    let block = AccessRule.Block(table: "blocks", column: "userID")
    expectRefusal("column of the owner") {
      try Self.manifest([AccessRule("week", sharedKind: "group", block: block)])
    }
  }
}
