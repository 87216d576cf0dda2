import OffshoreWire
import Testing

@testable import OffshoreServer

/// The differences between the manifests of two releases.
struct ManifestComparisonTests {
  private static let scope = SyncedColumn("list", .text)
  private static let title = SyncedColumn("title", .text)

  private static func table(
    _ columns: [SyncedColumn] = [scope, title], name: String = "tasks", idColumn: String = "id",
    kind: String = "list", scopeColumn: String = "list", keys: [[String]] = [],
    source: [String] = [], writers: TableWriters = .members, renamed: String? = nil,
    isRetired: Bool = false
  ) -> SyncedTable {
    SyncedTable(
      name, idColumn: idColumn, scopeKind: kind, scopeColumn: scopeColumn, columns: columns,
      uniqueKeys: keys, idSource: source, writers: writers, renamed: renamed, isRetired: isRetired)
  }

  private static func differences(
    _ former: [SyncedTable], _ next: [SyncedTable], version: Int = 2
  ) throws -> [ManifestDifference] {
    ManifestComparison(
      try Manifest(version: 1, tables: former), try Manifest(version: version, tables: next)
    ).differences
  }

  @Test func `Equal manifests have no differences`() throws {
    #expect(try Self.differences([Self.table()], [Self.table()], version: 1) == [])
    #expect(try Self.differences([Self.table()], [Self.table()], version: 2) == [])
  }

  @Test func `The version grows with the tables`() throws {
    let more = Self.table([Self.scope, Self.title, SyncedColumn("note", .text, isNullable: true)])
    let same = try Self.differences([Self.table()], [more], version: 1)
    #expect(same.map(\.place) == ["tables.tasks.columns.note", "version"])
    #expect(same.map(\.verdict) == [.safe, .refused])
    let lower = ManifestComparison(
      try Manifest(version: 3, tables: []), try Manifest(version: 2, tables: []))
    #expect(lower.differences.map(\.verdict) == [.refused])
  }

  // MARK: - Tables

  private static let tables: [(SyncedTable?, ManifestDifference.Verdict, part: String)] = [
    (nil, .refused, "retired()"),
    (table(renamed: "todos"), .safe, "Renamed to “todos”"),
    (table(isRetired: true), .noticed, "Retired"),
    (table(kind: "person"), .refused, "belonged to scopes"),
    (table(scopeColumn: "title"), .refused, "belonged to scopes"),
    (table(idColumn: "list2", scopeColumn: "list2"), .refused, "belonged to scopes"),
    (table(writers: .owners), .noticed, "Fewer members"),
    (table(writers: .author("title")), .noticed, "Fewer members"),
    (table(source: ["title"]), .refused, "derived from nothing, now from “title”"),
  ]

  @Test(arguments: tables.indices) func `A difference of tables has its effect`(index: Int) throws {
    let (next, verdict, part) = Self.tables[index]
    let found = try Self.differences([Self.table()], next.map { [$0] } ?? [])
    #expect(found.map(\.place) == ["tables.tasks"] && found.map(\.verdict) == [verdict])
    #expect(found.first?.message.contains(part) == true, "\(found)")
  }

  @Test func `Tables are added, and return`() throws {
    let added = try Self.differences([], [Self.table()])
    #expect(added.map(\.verdict) == [.safe] && added[0].message.contains("Added"))
    #expect(!added[0].message.contains("blob"))
    let files = try Self.differences([], [Self.table([Self.scope, Self.column(isFile: true)])])
    #expect(files.map(\.verdict) == [.safe] && files[0].message.contains("deletes a blob"))
    let back = try Self.differences([Self.table(isRetired: true)], [Self.table()])
    #expect(back.map(\.verdict) == [.safe] && back[0].message.contains("not retired"))
    let all = try Self.differences([Self.table(writers: .owners)], [Self.table()])
    #expect(all.map(\.verdict) == [.noticed] && all[0].message.contains("All members"))
  }

  @Test func `The name of the id column may change`() throws {
    let id = Self.table(idColumn: "key")
    #expect(try Self.differences([Self.table()], [id]) == [])
  }

  @Test func `Unique keys are added and removed`() throws {
    let plain = Self.table(source: ["title"])
    let unique = Self.table(keys: [["title"]], source: ["title"])
    let added = try Self.differences([plain], [unique])
    let removed = try Self.differences([unique], [plain])
    #expect(
      added.map(\.verdict) == [.noticed] && added[0].message.contains("“title” became unique"))
    #expect(removed.map(\.verdict) == [.noticed] && removed[0].message.contains("was removed"))
  }

  // MARK: - Columns

  private typealias Case = (
    former: SyncedColumn?, next: SyncedColumn?, verdict: ManifestDifference.Verdict, part: String
  )

  private static func column(
    _ type: StorageType = .text, isNullable: Bool = false, _ policy: MergePolicy = .lastWriter,
    isSealed: Bool = false, reference: String? = nil, renamed: String? = nil,
    isRetired: Bool = false, hasDefault: Bool = false, derivedFrom: String? = nil,
    isFile: Bool = false
  ) -> SyncedColumn {
    SyncedColumn(
      "a", type, isNullable: isNullable, policy: policy, isSealed: isSealed, reference: reference,
      renamed: renamed, isRetired: isRetired, hasDefault: hasDefault, derivedFrom: derivedFrom,
      isFile: isFile)
  }

  private static let columns: [Case] = [
    (nil, column(), .refused, "Give it a default"),
    (nil, column(isNullable: true), .safe, "Added"),
    (nil, column(hasDefault: true), .safe, "Added"),
    (nil, column(derivedFrom: "b"), .safe, "Added"),
    (column(), nil, .refused, ".retired(…)"),
    (column(), column(renamed: "b"), .safe, "Renamed to “b”"),
    (column(renamed: "b"), column(renamed: "c"), .safe, "Renamed to “c”"),
    (column(), column(isRetired: true), .refused, "initially:"),
    (column(), column(isRetired: true, hasDefault: true), .noticed, "Retired"),
    (column(hasDefault: true), column(isRetired: true), .noticed, "Retired"),
    (column(isNullable: true), column(isNullable: true, isRetired: true), .noticed, "Retired"),
    (column(isRetired: true, hasDefault: true), column(), .safe, "not retired any more"),
    (column(isRetired: true), column(hasDefault: true), .safe, "not retired any more"),
    (column(isRetired: true), column(), .refused, "Give it a default"),
    (
      column(isRetired: true, hasDefault: true), column(isRetired: true), .refused,
      "any more, and devices of former releases could not show them"
    ),
    (column(hasDefault: true), column(), .noticed, "default was removed"),
    (column(), column(hasDefault: true), .safe, "has a default"),
    (
      column(isNullable: true, hasDefault: true), column(isNullable: true), .safe,
      "have NULL"
    ),
    (column(), column(derivedFrom: "b"), .noticed, "derived from “b”"),
    (column(derivedFrom: "b"), column(), .noticed, "hide rows without a value"),
    (
      column(hasDefault: true, derivedFrom: "b"), column(hasDefault: true), .noticed,
      "what former releases write there. Keep"
    ),
    (column(.integer), column(.any), .noticed, "any type"),
    (column(.integer), column(.real), .refused, "It stored integer"),
    (column(.any), column(.text), .refused, "It stored any"),
    (column(), column(isNullable: true), .noticed, "may be NULL"),
    (column(isNullable: true), column(), .refused, "may be NULL in stored rows"),
    (
      column(reference: "tasks"), column(isNullable: true, reference: "tasks"), .refused,
      "delete a row"
    ),
    (column(), column(isSealed: true), .refused, "not sealed"),
    (column(), column(.text, .serverOrder), .noticed, "merged by “serverOrder”"),
    (column(.text, .rule("x")), column(.text, .max), .noticed, "merged by “max”"),
    (column(.integer, .counter), column(.integer), .refused, "merged by “counter”"),
    (column(), column(.text, .set), .refused, "merged by “lastWriter”"),
    (
      column(.text, .ordered(["a", "c"])), column(.text, .ordered(["a", "b", "c"])), .noticed,
      "more states"
    ),
    (
      column(.text, .ordered(["a", "c"])), column(.text, .ordered(["c", "b", "a"])), .refused,
      "merged by “ordered”"
    ),
    (column(.text, .ordered(["a", "c"])), column(), .noticed, "no state"),
    (column(), column(.text, .ordered(["a", "c"])), .refused, "merged by “lastWriter”"),
    (column(), column(reference: "tasks"), .refused, "referred to nothing"),
    (nil, column(isNullable: true, isFile: true), .safe, "update. The server deletes a blob"),
    (column(), column(isFile: true), .safe, "became a file column. The server deletes a blob"),
    (column(isFile: true), column(), .refused, "It was a file column. Devices of former releases"),
    (column(isFile: true), column(renamed: "b", isFile: true), .safe, "Renamed to “b”"),
    (
      column(isNullable: true, isFile: true),
      column(isNullable: true, isRetired: true, isFile: true), .noticed, "Retired"
    ),
  ]

  @Test(arguments: columns.indices) func `A difference of columns has its effect`(index: Int) throws
  {
    let (former, next, verdict, part) = Self.columns[index]
    let found = try Self.differences(
      [Self.table([Self.scope] + [former].compactMap(\.self))],
      [Self.table([Self.scope] + [next].compactMap(\.self))])
    #expect(found.map(\.place) == ["tables.tasks.columns.a"] && found.map(\.verdict) == [verdict])
    #expect(found.first?.message.contains(part) == true, "\(found)")
  }

  @Test func `A file column is not retired as another one`() throws {
    let (former, next) = (
      Self.column(isNullable: true, isFile: true), Self.column(isNullable: true, isRetired: true)
    )
    let found = try Self.differences(
      [Self.table([Self.scope, former])], [Self.table([Self.scope, next])])
    #expect(found.map(\.verdict) == [.noticed, .refused])
    #expect(found.last?.message.contains("“.retired(…, isFile: true)”") == true, "\(found)")
    #expect(found.last?.message.contains("“.file(…)”") == false)
  }

  // MARK: - Refusals

  private typealias Refusal = (former: [SyncedTable], next: [SyncedTable])

  private static let refusals: [Refusal] = {
    var refusals: [Refusal] = []
    for (next, verdict, _) in tables where verdict == .refused {
      refusals.append(([table()], [next].compactMap(\.self)))
    }
    for (former, next, verdict, _) in columns where verdict == .refused {
      let pair = [former, next].map { table([scope] + [$0].compactMap(\.self)) }
      refusals.append(([pair[0]], [pair[1]]))
    }
    return refusals
  }()

  @Test(arguments: refusals.indices)
  func `A server refuses a manifest with the place and the text of the check`(index: Int)
    async throws
  {
    let (former, next) = Self.refusals[index]
    let refused = try Self.differences(former, next).filter { $0.verdict == .refused }
    #expect(refused.count == 1)
    let log = try SQLiteStorage.temporary(epoch: 7)
    let served = try Manifest(version: 1, tables: former)
    try await log.adopt(served)
    let error = try await #require(throws: WireError.self) {
      try await log.adopt(Manifest(version: 2, tables: next))
    }
    #expect(error.place == refused.first?.place)
    for difference in refused {
      #expect(error.message.contains("\(difference.place): \(difference.message)"))
    }
    #expect(try await log.read { try $0.manifest() } == served)
    await log.close()
  }

  @Test func `All other differences are served`() async throws {
    for (former, next, verdict, _) in Self.columns where verdict != .refused {
      let log = try SQLiteStorage.temporary(epoch: 7)
      for (version, column) in [(1, former), (2, next)] {
        let columns = [Self.scope] + [column].compactMap(\.self)
        try await log.adopt(Manifest(version: version, tables: [Self.table(columns)]))
      }
      #expect(try await log.read { try $0.manifest() }?.version == 2)
      await log.close()
    }
  }

  // MARK: - Scopes

  @Test func `Kinds of scopes and limits may change`() throws {
    let tables = [Self.table()]
    let former = try Manifest(
      version: 1, tables: tables, claimableKinds: ["list"], admittingKinds: ["list"],
      memberLimits: ["list": 3])
    let next = try Manifest(version: 1, tables: tables, membershipLimits: ["list": 4])
    let found = ManifestComparison(former, next).differences
    #expect(
      found.map(\.place) == [
        "claimableKinds.list", "admittingKinds.list", "memberLimits.list", "membershipLimits.list",
      ])
    #expect(found.allSatisfy { $0.verdict == .noticed })
    #expect(found[2].message.contains("was 3, and is none"))
    #expect(ManifestComparison(next, former).differences.first?.verdict == .safe)
  }

  @Test func `Access rules may change, and others notice it`() throws {
    let profile = AccessRule("profile", sharedKind: "circle")
    let rules = [[], [profile], Circles.rules, [Circles.rules[0], unlimitedWeek]]
    func found(_ former: Int, _ next: Int) throws -> [ManifestDifference] {
      ManifestComparison(
        try Circles.manifest(rules: rules[former]), try Circles.manifest(rules: rules[next])
      ).differences
    }
    #expect(try found(2, 2).isEmpty)
    let (profiles, weeks) = ("accessRules.profile.circle", "accessRules.week.circle")
    #expect(try found(0, 2).map(\.place) == [profiles, weeks])
    #expect(try found(1, 2).map(\.place) == [weeks])
    for (former, next, part) in [(0, 1, "Added."), (1, 0, "Removed."), (2, 3, "other rows")] {
      let differences = try found(former, next)
      #expect(differences.map(\.verdict) == [.noticed])
      #expect(differences.first?.message.contains(part) == true)
    }
  }

  private var unlimitedWeek: AccessRule { AccessRule("week", sharedKind: "circle") }

  // MARK: - The check

  @Test func `The check names all refusals`() throws {
    let comparison = ManifestComparison(
      try Manifest(version: 1, tables: [Self.table(), Self.table(name: "lists")]),
      try Manifest(version: 2, tables: [Self.table([Self.scope])]))
    let error = try #require(throws: WireError.self) { try comparison.check() }
    #expect(error.place == "tables.lists")
    for part in ["tables.lists: It is missing", "tables.tasks.columns.title: It is missing"] {
      #expect(error.message.contains(part), "\(error)")
    }
  }
}
