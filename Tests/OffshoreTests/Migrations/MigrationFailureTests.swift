import Foundation
import TestSupport
import Testing

@testable import Offshore

struct MigrationFailureTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("app.sqlite")
    let connection = try Connection(path)
    try connection.migrate([Self.first])
    try connection.change("INSERT INTO charters VALUES ('a'), ('b')")
  }

  private static let first = Migration("v1") { writer in
    try writer.connection.run("CREATE TABLE charters (id TEXT PRIMARY KEY NOT NULL)")
  }

  /// Returns the error of a second migration, and whether the file's bytes are unchanged.
  private func failure(
    _ body: @escaping @Sendable (Writer) throws -> Void
  ) throws -> (error: DatabaseError?, isUnchanged: Bool) {
    let before = try Data(contentsOf: URL(filePath: path))
    let error = databaseError {
      let connection = try Connection(path)
      defer { connection.close() }
      try connection.migrate([Self.first, Migration("v2", body)])
    }
    return (error, try Data(contentsOf: URL(filePath: path)) == before)
  }

  @Test func `A migration that throws leaves the file unchanged`() throws {
    let (error, isUnchanged) = try failure { writer in
      try writer.connection.run("DELETE FROM charters")
      try writer.connection.run("CREATE TABLE more (x)")
      throw CocoaError(.userCancelled)
    }
    #expect(error?.code == .migrationFailed)
    #expect(error?.message.contains("“v2” was undone") == true)
    #expect(error?.cause is CocoaError)
    #expect(isUnchanged)
  }

  @Test func `A statement that SQLite refuses is named with the reason`() throws {
    let (error, isUnchanged) = try failure { try $0.connection.run("CREATE TABLE charters (x)") }
    #expect(error?.message.contains("table charters already exists") == true)
    #expect(error?.sql == "CREATE TABLE charters (x)")
    #expect((error?.cause as? DatabaseError)?.code == .invalidSQL)
    #expect(isUnchanged)
  }

  @Test func `The connection can be used after a failed migration`() throws {
    let connection = try Connection(path)
    let bad = Migration("v2") { _ in throw CocoaError(.userCancelled) }
    #expect(throws: DatabaseError.self) { try connection.migrate([Self.first, bad]) }
    #expect(try connection.number("PRAGMA foreign_keys") == 1)
    try connection.change("INSERT INTO charters VALUES ('c')")
    #expect(try connection.migrate([Self.first, Migration("v2") { _ in }]) == ["v2"])
  }

  @Test func `Migrations before the failed one stay applied and are named`() throws {
    let connection = try Connection(path)
    let error = databaseError {
      try connection.migrate([
        Self.first, Migration("v2") { try $0.connection.run("CREATE TABLE more (x)") },
        Migration("v3") { try $0.connection.run("CREATE TABLE more (x)") },
      ])
    }
    #expect(error?.message.contains("Those before it are complete: “v2”.") == true)
    #expect(try connection.appliedMigrations() == ["v1", "v2"])
    #expect(try connection.number("SELECT count(*) FROM more") == 0)
  }

  @Test func `A first migration that fails leaves no trace in a new file`() throws {
    let connection = try Connection(folder.file("new.sqlite"))
    #expect(throws: DatabaseError.self) {
      try connection.migrate([Migration("v1") { _ in throw CocoaError(.userCancelled) }])
    }
    #expect(try connection.number("SELECT count(*) FROM sqlite_schema") == 0)
  }

  @Test func `A cancellation is not reported as a failure`() throws {
    let connection = try Connection(path)
    #expect(throws: CancellationError.self) {
      try connection.migrate([Self.first, Migration("v2") { _ in throw CancellationError() }])
    }
    #expect(try connection.appliedMigrations() == ["v1"])
  }

  // MARK: - Rules of a migration

  @Test(arguments: [
    "COMMIT", "ROLLBACK", "BEGIN", "SAVEPOINT mine", "RELEASE offshore",
    "PRAGMA foreign_keys = ON", "PRAGMA journal_mode = DELETE", "ATTACH 'x' AS y",
    "PRAGMA writable_schema = ON",
  ])
  func `A migration cannot control transactions or the connection`(_ sql: String) throws {
    let (error, isUnchanged) = try failure { writer in
      try writer.connection.run("DELETE FROM charters")
      try writer.connection.run(SQL(raw: sql))
    }
    #expect(error?.code == .migrationFailed)
    #expect((error?.cause as? DatabaseError)?.code == .transaction)
    #expect(isUnchanged)
  }

  @Test func `A conflict clause that ends the transaction fails the migration`() throws {
    let (error, isUnchanged) = try failure { writer in
      _ = try? writer.connection.run("INSERT OR ROLLBACK INTO charters VALUES ('a')")
    }
    #expect(error?.code == .migrationFailed)
    #expect(isUnchanged)
  }

  @Test func `References to missing rows are counted by table`() throws {
    let (error, isUnchanged) = try failure { writer in
      try writer.connection.run(
        """
        CREATE TABLE crew (charter TEXT REFERENCES charters);
        CREATE TABLE log (charter TEXT REFERENCES charters DEFERRABLE INITIALLY DEFERRED);
        INSERT INTO crew VALUES ('a'), ('x'), ('y'), (NULL);
        INSERT INTO log VALUES ('z');
        """)
    }
    #expect(error?.code == .migrationFailed)
    #expect((error?.cause as? DatabaseError)?.code == .danglingReference)
    #expect(error?.message.contains("2 in “crew”, 1 in “log”") == true)
    #expect(isUnchanged)
  }

  @Test func `A reference to columns that are not a key is reported`() throws {
    let (error, isUnchanged) = try failure { writer in
      try writer.connection.run(
        """
        CREATE TABLE boats (name TEXT);
        CREATE TABLE crew (boat TEXT REFERENCES boats (name));
        INSERT INTO crew VALUES ('Alma');
        """)
    }
    #expect(error?.message.contains("foreign key mismatch") == true)
    #expect(isUnchanged)
  }

  @Test func `A view of a removed column fails the migration`() throws {
    let (error, isUnchanged) = try failure { writer in
      try writer.connection.run(
        """
        CREATE TABLE boats (id INTEGER PRIMARY KEY, name TEXT);
        CREATE VIEW names AS SELECT name FROM boats;
        DROP TABLE boats;
        """)
    }
    #expect(error?.message.contains("view names") == true)
    #expect(isUnchanged)
  }

  @Test func `A trigger that names a missing column fails the migration`() throws {
    let (error, isUnchanged) = try failure { writer in
      try writer.connection.run(
        """
        CREATE TRIGGER touch AFTER INSERT ON charters BEGIN
          UPDATE charters SET updated = 1 WHERE id = new.id;
        END
        """)
    }
    #expect(error?.message.contains("trigger of “charters”") == true)
    #expect(isUnchanged)
  }

  // MARK: - Files and disks

  @Test func `A full disk leaves the file unchanged`() throws {
    let before = try Data(contentsOf: URL(filePath: path))
    var configuration = DatabaseConfiguration()
    configuration.prepareConnection = { try $0.execute("PRAGMA max_page_count = 20") }
    let error = databaseError {
      let connection = try Connection(path, configuration: configuration)
      defer { connection.close() }
      try connection.migrate([
        Self.first,
        Migration("v2") { writer in
          try writer.connection.run("CREATE TABLE photos (bytes BLOB)")
          for _ in 0..<100 {
            try writer.connection.run("INSERT INTO photos VALUES (zeroblob(4000))")
          }
        },
      ])
    }
    #expect(error?.code == .migrationFailed)
    #expect((error?.cause as? DatabaseError)?.code == .diskFull)
    #expect(error?.message.contains("Free some space") == true)
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
  }

  @Test func `A read-only connection leaves the file unchanged`() throws {
    var configuration = DatabaseConfiguration()
    configuration.prepareConnection = { try $0.execute("PRAGMA query_only = ON") }
    let connection = try Connection(path, configuration: configuration)
    let error = databaseError {
      try connection.migrate([
        Self.first, Migration("v2") { try $0.connection.run("DELETE FROM charters") },
      ])
    }
    #expect(error?.code == .readOnly)
    #expect(try connection.texts("SELECT id FROM charters") == ["a", "b"])
  }

  @Test(.enabled(if: geteuid() != 0, "The superuser may write everywhere."))
  func `A read-only file is refused at opening`() throws {
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path)
    #expect(databaseError { _ = try Connection(path) }?.code == .readOnly)
  }

  @Test func `A file that is not a database is refused and unchanged`() throws {
    let garbage = folder.file("garbage.sqlite")
    let bytes = Data((0..<8192).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ 7) })
    try bytes.write(to: URL(filePath: garbage))
    let error = databaseError { try Connection(garbage).migrate([Self.first]) }
    #expect(error?.code == .notADatabase)
    #expect(try Data(contentsOf: URL(filePath: garbage)) == bytes)
  }

  @Test func `A table of migrations made by another program is refused, not overwritten`() throws {
    let connection = try Connection(folder.file("other.sqlite"))
    try connection.execute("CREATE TABLE _migrations (version INTEGER)")
    let error = databaseError { try connection.migrate([Self.first]) }
    #expect(error?.code == .invalidSQL)
    #expect(try connection.texts("SELECT name FROM sqlite_schema") == ["_migrations"])
  }
}
