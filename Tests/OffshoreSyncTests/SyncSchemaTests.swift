import Offshore
import OffshoreSync
import OffshoreWire
import Testing

struct SyncSchemaTests {
  private func problem(_ make: () throws -> SyncSchema) -> String? {
    do {
      _ = try make()
      return nil
    } catch {
      return (error as? ReplicaError).map { $0.code == .declaration ? $0.message : "another error" }
    }
  }

  @Test func `The manifest has the tables, their columns, policies and references`() throws {
    let manifest = try SyncSchema.fleet().manifest
    let tasks = try #require(manifest["tasks"])
    #expect(tasks.idColumn == "id")
    #expect(tasks.scopeColumn == "charterID")
    #expect(
      tasks.columns == [
        SyncedColumn("charterID", .text, reference: "charters"),
        SyncedColumn("hours", .real, isNullable: true),
        SyncedColumn("items", .text, isNullable: true, policy: .keyed),
        SyncedColumn("note", .text, isNullable: true), SyncedColumn("title", .text),
        SyncedColumn("votes", .integer, policy: .counter),
      ])
  }

  @Test func `A local column is not in the manifest`() throws {
    #expect(try SyncSchema.fleet().manifest["tasks"]?["isOpen"] == nil)
  }

  @Test func `A synced table must have a text as its key`() {
    let message = problem {
      try SyncSchema(version: 1, SyncTable(Numbered.self, scope: .kind("n", \.name)))
    }
    #expect(message?.contains("primary key column") == true)
  }

  @Test func `A property without a column is reported with the remedy`() {
    let noted = SyncTable(Noted.self, scope: .kind("note", \.id), .local(\.note))
    let scoped = SyncTable(Noted.self, scope: .kind("note", \.note))
    let derived = SyncTable(Noted.self, scope: .kind("note", \.id), idSource: [\.note])
    for table in [noted, scoped, derived] {
      let message = problem { try SyncSchema(version: 1, table) }
      #expect(message?.contains("Table “notes” cannot be synced") == true)
      #expect(message?.contains("Noted.note is not a column of it. Declare it") == true)
    }
  }

  @Test func `A column with two rules is refused`() {
    let table = SyncTable(
      Charter.self, scope: .kind("charter", \.id), .local(\.name), .merged(\.name, .max))
    #expect(problem { try SyncSchema(version: 1, table) }?.contains("“name” has two rules") == true)
  }

  @Test func `The manifest has the names of columns, not of their properties`() throws {
    let table = SyncTable(
      Renamed.self, scope: .kind("seat", \.boat), idSource: [\.boat, \.person],
      .merged(\.count, .counter), .local(\.isOpen, \.note))
    let manifest = try SyncSchema(version: 1, table).manifest
    let seats = try #require(manifest["seats"])
    #expect(seats.scopeKind == "seat")
    #expect(seats.scopeColumn == "boat_id")
    #expect(seats.idSource == ["boat_id", "person_id"])
    #expect(seats.columns.map(\.name) == ["boat_id", "number", "person_id"])
    #expect(seats["number"]?.policy == .counter)
  }

  @Test func `The scope column cannot be local`() {
    let message = problem {
      try SyncSchema(
        version: 1, SyncTable(Charter.self, scope: .kind("charter", \.id)),
        SyncTable(Task.self, scope: .kind("charter", \.charterID), .local(\.charterID)))
    }
    #expect(message?.contains("scope column") == true)
  }

  @Test func `A policy that does not suit its column is refused`() {
    let message = problem {
      try SyncSchema(
        version: 1,
        SyncTable(Charter.self, scope: .kind("charter", \.id), .merged(\.name, .counter)))
    }
    #expect(message?.contains("counter") == true)
  }

  // MARK: - Access rules

  private func schema(_ rule: AccessRule) throws -> SyncSchema {
    try SyncSchema(
      version: 1, SyncTable(Charter.self, scope: .kind("charter", \.id)),
      SyncTable(
        Renamed.self, scope: .kind("seat", \.person), idSource: [\.boat, \.person],
        formerly: "places",
        .formerly(\.note, "remark")),
      SyncTable(Diary.self, scope: .kind("diary", \.id)), personalKinds: ["seat", "diary"],
      memberLimits: ["charter": 10], membershipLimits: ["charter": 10], accessRules: [rule])
  }

  @Test func `An access rule has the names of tables and columns in messages`() throws {
    let rule = AccessRule.members(of: "charter", read: "diary")
      .choice(\Renamed.boat, \.note, ["yes", "all"]).block(\Renamed.note)
    let schema = try schema(rule)
    #expect(
      schema.manifest.accessRules == [
        AccessRule(
          "diary", sharedKind: "charter",
          choice: .init(
            table: "places", scopeColumn: "boat_id", column: "remark", values: ["all", "yes"]),
          block: .init(table: "places", column: "remark"))
      ])
  }

  @Test func `An access rule with a property that is not a column is refused`() {
    for rule in [
      AccessRule.members(of: "charter", read: "diary").block(\Noted.note),
      .members(of: "charter", read: "diary").choice(\Noted.note, \.note, ["a"]),
      .members(of: "charter", read: "diary").choice(\Renamed.boat, \.count, ["a"]),
      .members(of: "charter", read: "charter"),
    ] {
      #expect(problem { try schema(rule) }?.contains("accessRules") == true)
    }
  }
}

/// A row that is its own personal scope.
private struct Diary: Record {
  let id: String
  static let table = Table("diaries", { Diary(id: $0) }, Column("id", \.id).primaryKey())
}

/// A row with a property that is not declared as a column.
private struct Noted: Record {
  let id: String
  var note = ""
  static let table = Table("notes", { Noted(id: $0) }, Column("id", \.id).primaryKey())
}

/// A row whose columns have other names than its properties.
private struct Renamed: Record {
  let id: String
  var boat: String
  var person: String
  var count: Int
  var isOpen: Bool
  var note: String?
  static let table = Table(
    "seats", Renamed.init, Column("id", \.id).primaryKey(), Column("boat_id", \.boat),
    Column("person_id", \.person), Column("number", \.count),
    Column("is_open", \.isOpen).default(true), Column("note", \.note)
  ).index(\.boat, \.person, isUnique: true)
}

private struct Numbered: Record {
  let id: Int
  var name: String
  static let table = Table(
    "numbered", Numbered.init, Column("id", \.id).primaryKey(), Column("name", \.name))
}
