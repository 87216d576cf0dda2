import Foundation
import Offshore
import OffshoreSync
import OffshoreWire
import Testing

struct InstallTests {
  private static let schemaText: SQL = """
    SELECT coalesce(sql, name) FROM sqlite_schema WHERE name LIKE '\\_%' ESCAPE '\\' ORDER BY name
    """

  @Test func `Preparing a file again has no effect`() throws {
    let device = try TestDevice()
    let before = try device.texts(Self.schemaText)
    try device.install()
    #expect(try device.texts(Self.schemaText) == before)
    #expect(before.count > 10)
  }

  @Test func `A write after preparing twice uses one number`() throws {
    let device = try TestDevice()
    try device.install()
    let before = try device.number("SELECT batch FROM _state")
    try device.run("INSERT INTO charters VALUES ('c1', 'Alma')")
    #expect(try device.number("SELECT batch FROM _state") == before + 1)
  }

  @Test func `A file of a newer layout is not changed`() throws {
    let device = try TestDevice()
    try device.run("UPDATE _state SET version = 99")
    let before = try device.texts(Self.schemaText)
    #expect { try device.install() } throws: { ($0 as? ReplicaError)?.code == .newerLayout }
    #expect(try device.texts(Self.schemaText) == before)
  }

  @Test func `If a table is missing, no table is created`() throws {
    let device = try TestDevice(isInstalled: false)
    try device.run("DROP TABLE tasks")
    #expect { try device.install() } throws: { ($0 as? ReplicaError)?.code == .missingTable }
    #expect(try device.texts(Self.schemaText) == [])
  }

  @Test func `A connection that would miss replaced rows is refused`() throws {
    let device = try TestDevice(isInstalled: false)
    try device.connection.execute("PRAGMA recursive_triggers = OFF")
    #expect { try device.install() } throws: { ($0 as? ReplicaError)?.code == .notInstalled }
  }

  @Test func `Existing rows are captured as inserted`() throws {
    let device = try TestDevice(isInstalled: false)
    try device.run("INSERT INTO charters VALUES ('c1', 'Alma')")
    try device.install()
    #expect(try device.journal() == ["charters/c1 insert"])
    try device.install()
    #expect(try device.journal().count == 1)
  }

  @Test func `Changes of a migration are not captured`() throws {
    let device = try TestDevice()
    try device.addCharters("c1")
    try device.connection.migrate([
      Migration("v1_rename") { try SQL("UPDATE charters SET name = 'Luna'").run($0) }
    ])
    #expect(try device.journal() == [])
    try device.install()
    try device.run("UPDATE charters SET name = 'Alma'")
    #expect(try device.journal() == ["charters/c1 update 1"])
  }

  @Test func `A column that a migration removes is no longer captured`() throws {
    let device = try TestDevice()
    try device.addCharters("c1")
    try device.connection.write { try Task("t1").insert($0) }
    try device.connection.migrate([
      Migration("v1_drop") { try SQL("ALTER TABLE tasks DROP COLUMN note").run($0) }
    ])
    try device.install(
      try SyncSchema(
        version: 2, SyncTable(Charter.self, scope: .kind("charter", \.id)),
        SyncTable(ShorterTask.self, scope: .kind("charter", \.charterID))))
    try device.run("UPDATE tasks SET isOpen = 0")
    // The dropped column keeps its bit, because a change of the table is pending.
    #expect(try device.journal().last == "tasks/t1 update \(1 << 6)")
  }

  @Test func `A column that a migration adds is captured`() throws {
    let device = try TestDevice()
    try device.addCharters("c1")
    try device.connection.migrate([
      Migration("v1_add") { try SQL("ALTER TABLE charters ADD COLUMN port TEXT").run($0) }
    ])
    try device.install(
      try SyncSchema(
        version: 2, SyncTable(LongerCharter.self, scope: .kind("charter", \.id))))
    try device.run("UPDATE charters SET port = 'Pula'")
    #expect(try device.journal().last == "charters/c1 update 2")
  }

  @Test func `A table that is no longer synced is no longer captured`() throws {
    let device = try TestDevice()
    try device.install(
      try SyncSchema(version: 2, SyncTable(Charter.self, scope: .kind("charter", \.id))))
    try device.run("INSERT INTO charters VALUES ('c1', 'Alma')")
    try device.connection.write { try Task("t1").insert($0) }
    #expect(try device.journal() == ["charters/c1 insert"])
  }

  @Test func `Capture continues after the file was opened again`() throws {
    let device = try TestDevice()
    try device.reopen()
    try device.run("INSERT INTO charters VALUES ('c1', 'Alma')")
    #expect(try device.journal() == ["charters/c1 insert"])
  }
}

private struct ShorterTask: Record {
  let id: String
  var charterID: String
  var title: String
  var isOpen: Bool
  static let table = Table(
    "tasks", ShorterTask.init, Column("id", \.id).primaryKey(),
    Column("charterID", \.charterID).references("charters", onDelete: .cascade),
    Column("title", \.title),
    Column("isOpen", \.isOpen))
}

private struct LongerCharter: Record {
  let id: String
  var name: String
  var port: String?
  static let table = Table(
    "charters", LongerCharter.init, Column("id", \.id).primaryKey(), Column("name", \.name),
    Column("port", \.port))
}
