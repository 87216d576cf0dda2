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
      return (error as? SyncError).map { $0.code == .declaration ? $0.message : "another error" }
    }
  }

  @Test func `the manifest has the tables, their columns, policies and references`() throws {
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

  @Test func `a local column is not in the manifest`() throws {
    #expect(try SyncSchema.fleet().manifest["tasks"]?["isOpen"] == nil)
  }

  @Test func `a synced table has a key that is a text`() {
    let message = problem {
      try SyncSchema(version: 1, SyncTable(Numbered.self, scopeKind: "n", scopeColumn: "name"))
    }
    #expect(message?.contains("primary key column") == true)
  }

  @Test func `a column that is named and not declared is told`() {
    let message = problem {
      try SyncSchema(
        version: 1,
        SyncTable(
          Charter.self, scopeKind: "charter", scopeColumn: "id", columns: ["nam": .local]))
    }
    #expect(message?.contains("“nam”") == true)
  }

  @Test func `the scope column cannot be local`() {
    let message = problem {
      try SyncSchema(
        version: 1, SyncTable(Charter.self, scopeKind: "charter", scopeColumn: "id"),
        SyncTable(
          Task.self, scopeKind: "charter", scopeColumn: "charterID", columns: ["charterID": .local])
      )
    }
    #expect(message?.contains("scope column") == true)
  }

  @Test func `a policy that does not suit its column is told`() {
    let message = problem {
      try SyncSchema(
        version: 1,
        SyncTable(
          Charter.self, scopeKind: "charter", scopeColumn: "id",
          columns: ["name": .merged(.counter)]))
    }
    #expect(message?.contains("counter") == true)
  }
}

private struct Numbered: Record {
  let id: Int
  var name: String
  static let table = Table(
    "numbered", Numbered.init, Column("id", \.id).primaryKey(), Column("name", \.name))
}
