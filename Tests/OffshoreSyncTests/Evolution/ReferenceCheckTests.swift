import Offshore
import OffshoreSync
import Testing

/// Declared references that decide whether a deletion from the server can be applied.
struct ReferenceCheckTests {
  private func problem(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch {
      return (error as? ReplicaError).map { $0.code == .declaration ? $0.message : "another error" }
    }
  }

  private func installing(_ tables: SQL...) throws -> String? {
    let device = try TestDevice(isInstalled: false)
    for sql in tables { try device.connection.execute(sql) }
    return problem { try device.install() }
  }

  @Test(arguments: ["", "ON DELETE RESTRICT", "ON DELETE NO ACTION"])
  func `A local table's reference that would block a deletion is refused`(_ action: String) throws {
    let message = try installing(
      "CREATE TABLE photos (id INTEGER, taskID TEXT REFERENCES Tasks \(SQL(raw: action)))")
    #expect(message?.contains("“photos.taskID” refers to the synced table “Tasks”") == true)
    #expect(message?.contains("CASCADE") == true)
  }

  @Test func `A reference that cannot become NULL as declared is refused`() throws {
    let message = try installing(
      "CREATE TABLE photos (taskID TEXT NOT NULL REFERENCES tasks ON DELETE SET NULL)")
    #expect(message?.contains("“photos.taskID”") == true)
  }

  @Test func `References that cascade, and those to unsynced tables, are accepted`() throws {
    let message = try installing(
      "CREATE TABLE albums (id TEXT PRIMARY KEY)",
      """
      CREATE TABLE photos (
        a TEXT NOT NULL REFERENCES tasks ON DELETE CASCADE,
        b TEXT REFERENCES tasks ON DELETE SET NULL,
        c TEXT DEFAULT 'none' REFERENCES tasks ON DELETE SET DEFAULT, d TEXT REFERENCES albums)
      """, "CREATE VIRTUAL TABLE words USING fts5(content)")
    #expect(message == nil)
  }

  @Test func `A refused file is not changed`() throws {
    let device = try TestDevice(isInstalled: false)
    try device.connection.execute("CREATE TABLE photos (taskID TEXT REFERENCES tasks)")
    #expect(throws: ReplicaError.self) { try device.install() }
    #expect(
      try device.number("SELECT count(*) FROM sqlite_schema WHERE name LIKE '\\_%' ESCAPE '\\'")
        == 0)
  }

  // MARK: - Declared tables

  private func declaring(_ table: SyncTable) -> String? {
    problem {
      _ = try SyncSchema(
        version: 1, SyncTable(Charter.self, scope: .kind("charter", \.id)), table)
    }
  }

  @Test func `An optional reference must become NULL`() {
    let message = declaring(SyncTable(FollowingNote.self, scope: .kind("charter", \.scope)))
    #expect(message?.contains("makes “charterID” NULL") == true)
    #expect(message?.contains("ON DELETE SET NULL") == true)
  }

  @Test func `A required reference must cascade`() {
    let message = declaring(SyncTable(KeepingNote.self, scope: .kind("charter", \.scope)))
    #expect(message?.contains("deletes the rows") == true)
    #expect(message?.contains("ON DELETE CASCADE") == true)
  }

  @Test func `A local reference to a synced row must become NULL`() {
    let following = SyncTable(
      FollowingNote.self, scope: .kind("charter", \.scope), .local(\.charterID))
    #expect(declaring(following)?.contains("is local") == true)
    let loose = SyncTable(LooseNote.self, scope: .kind("charter", \.scope), .local(\.charterID))
    #expect(declaring(loose) == nil)
    #expect(declaring(SyncTable(LooseNote.self, scope: .kind("charter", \.scope))) == nil)
  }
}

private struct FollowingNote: Record {
  let id: String
  var scope: String
  var charterID: String?
  static let table = Table(
    "notes", FollowingNote.init, Column("id", \.id).primaryKey(), Column("scope", \.scope),
    Column("charterID", \.charterID).references("charters", onDelete: .cascade))
}

private struct KeepingNote: Record {
  let id: String
  var scope: String
  var charterID: String
  static let table = Table(
    "notes", KeepingNote.init, Column("id", \.id).primaryKey(), Column("scope", \.scope),
    Column("charterID", \.charterID).references("charters"))
}

private struct LooseNote: Record {
  let id: String
  var scope: String
  var charterID: String?
  static let table = Table(
    "notes", LooseNote.init, Column("id", \.id).primaryKey(), Column("scope", \.scope),
    Column("charterID", \.charterID).references("charters", onDelete: .setNull))
}
