import Foundation
import TestSupport
import Testing

@testable import Offshore

struct MigrationsTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("app.sqlite")
  }

  /// Three steps that depend on each other.
  private static let migrations: Migrations = [
    Migration("v1_create") { writer in
      try writer.connection.run("CREATE TABLE charters (id TEXT PRIMARY KEY NOT NULL)")
    },
    Migration("v2_name") { writer in
      try writer.connection.run("ALTER TABLE charters ADD COLUMN name TEXT NOT NULL DEFAULT ''")
    },
    Migration("v3_index") { writer in
      try writer.connection.run("CREATE INDEX idx_name ON charters (name)")
    },
  ]

  private static func first(_ count: Int) -> Migrations {
    Migrations(Array(migrations.all.prefix(count)))
  }

  @Test func `A new file runs all migrations in order`() throws {
    let connection = try Connection(path)
    let ran = try connection.migrate(Self.migrations)
    #expect(ran == ["v1_create", "v2_name", "v3_index"])
    #expect(try connection.appliedMigrations() == ran)
    #expect(
      try connection.texts("SELECT name FROM pragma_table_info('charters')") == ["id", "name"])
  }

  @Test func `A partially migrated file runs only the others`() throws {
    do { try Connection(path).migrate(Self.first(1)) }
    let connection = try Connection(path)
    #expect(try connection.migrate(Self.migrations) == ["v2_name", "v3_index"])
  }

  @Test func `A fully migrated file is not written to`() throws {
    let connection = try Connection(path)
    try connection.migrate(Self.migrations)
    let observer = try Connection(path)
    let version = try observer.number("PRAGMA data_version")
    #expect(try connection.migrate(Self.migrations) == [])
    #expect(try observer.number("PRAGMA data_version") == version)
  }

  @Test func `Migrations that a file has do not run again`() throws {
    let connection = try Connection(path)
    try connection.migrate(Self.migrations)
    let names = Self.migrations.all.map(\.name)
    let refusing = Migrations(
      names.map { Migration($0) { _ in throw CocoaError(.fileNoSuchFile) } })
    #expect(try connection.migrate(refusing) == [])
  }

  @Test func `An empty list does nothing to a new file`() throws {
    let connection = try Connection(path)
    #expect(try connection.migrate([]) == [])
    #expect(try connection.number("SELECT count(*) FROM sqlite_schema") == 0)
  }

  @Test func `Applied migrations carry their positions and a time`() throws {
    let connection = try Connection(path)
    try connection.migrate(Self.migrations)
    let positions = try connection.fetch("SELECT position FROM _migrations ORDER BY name") {
      try $0.value(Int.self)
    }
    #expect(positions == [1, 2, 3])
    let times = try connection.texts("SELECT appliedAt FROM _migrations")
    #expect(times.allSatisfy { $0.wholeMatch(of: /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}/) != nil })
  }

  @Test func `Names with quotes, slashes and other scripts are allowed`() throws {
    let names = ["it's", "a \"b\"", "v1/../x", "Überfahrt; DROP TABLE _migrations", "名前"]
    let migrations = Migrations(names.map { Migration($0) { _ in } })
    let connection = try Connection(path)
    try connection.migrate(Migrations([migrations.all[0]]))
    #expect(try connection.migrate(migrations) == Array(names.dropFirst()))
    #expect(try connection.appliedMigrations() == names)
  }

  @Test func `References are enforced again after a run`() throws {
    let connection = try Connection(path)
    try connection.migrate(Self.migrations)
    #expect(try connection.number("PRAGMA foreign_keys") == 1)
  }

  @Test func `A migration may break references temporarily`() throws {
    let connection = try Connection(path)
    try connection.migrate([
      Migration("v1") { writer in
        try writer.connection.run(
          """
          CREATE TABLE a (id INTEGER PRIMARY KEY);
          CREATE TABLE b (a INTEGER REFERENCES a);
          INSERT INTO b VALUES (7);
          INSERT INTO a VALUES (7);
          """)
      }
    ])
    #expect(try connection.number("SELECT count(*) FROM b") == 1)
  }

  @Test func `A script may end with a comment`() throws {
    let connection = try Connection(path)
    try connection.migrate([
      Migration("v1") { writer in
        try writer.connection.run("CREATE TABLE a (x); -- the end\n/* really */ ;")
      }
    ])
    #expect(try connection.texts("SELECT name FROM sqlite_schema WHERE name = 'a'") == ["a"])
  }

  @Test func `Steps at the end of writes do not run for migrations`() throws {
    let connection = try Connection(path)
    connection.beforeRelease.append { _ in throw CocoaError(.userCancelled) }
    #expect(try connection.migrate(Self.migrations).count == 3)
  }

  @Test func `A migration removes the library's own triggers and leaves those of the app`() throws {
    let connection = try Connection(path)
    try connection.execute("CREATE TABLE notes (x); CREATE TABLE _notes (x)")
    for name in ["_note", "note"] {
      try connection.execute(
        """
        CREATE TRIGGER \(identifier: name) AFTER INSERT ON notes
        BEGIN INSERT INTO _notes VALUES (1); END
        """)
    }
    try connection.migrate([
      Migration("v1") { try $0.connection.run("INSERT INTO notes VALUES (1)") }
    ])
    #expect(
      try connection.texts("SELECT name FROM sqlite_schema WHERE type = 'trigger'") == ["note"])
    #expect(try connection.number("SELECT count(*) FROM _notes") == 1)
  }

  @Test func `A migration can undo a part of itself`() throws {
    let connection = try Connection(path)
    try connection.migrate([
      Migration("v1") { writer in
        try writer.connection.run("CREATE TABLE a (x)")
        try? writer.savepoint { inner in
          try inner.connection.run("INSERT INTO a VALUES (1)")
          throw CocoaError(.userCancelled)
        }
      }
    ])
    #expect(try connection.number("SELECT count(*) FROM a") == 0)
  }

  // MARK: - Inconsistent lists

  @Test func `Two migrations with the same name are refused before anything runs`() throws {
    let connection = try Connection(path)
    let twice = Migrations(Self.migrations.all + [Self.migrations.all[0]])
    let error = databaseError { try connection.migrate(twice) }
    #expect(error?.code == .declaration)
    #expect(error?.message.contains("v1_create") == true)
    #expect(try connection.number("SELECT count(*) FROM sqlite_schema") == 0)
  }

  @Test func `A migration without a name is refused`() throws {
    let connection = try Connection(path)
    let error = databaseError { try connection.migrate([Migration("") { _ in }]) }
    #expect(error?.code == .declaration)
  }

  @Test func `A file of a newer version is refused and unchanged`() throws {
    do { try Connection(path).migrate(Self.migrations) }
    let before = try Data(contentsOf: URL(filePath: path))
    let error = databaseError { try Connection(path).migrate(Self.first(2)) }
    #expect(error?.code == .newerVersion)
    #expect(error?.message.contains("v3_index") == true)
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
  }

  @Test func `A file of a newer version is refused even if a migration is pending`() throws {
    do { try Connection(path).migrate(Self.first(1)) }
    let other: Migrations = [Migration("other") { _ in }, Self.migrations.all[1]]
    let error = databaseError { try Connection(path).migrate(other) }
    #expect(error?.code == .newerVersion)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["app.sqlite"])
  }

  @Test func `Known migrations in another order are refused`() throws {
    let connection = try Connection(path)
    try connection.migrate(Self.first(2))
    let steps = Self.migrations.all
    let error = databaseError { try connection.migrate([steps[1], steps[0], steps[2]]) }
    #expect(error?.code == .newerVersion)
    #expect(error?.message.contains("“v1_create” where") == true)
  }

  @Test func `A migration inserted between released ones is refused`() throws {
    let connection = try Connection(path)
    try connection.migrate(Self.first(2))
    let steps = Self.migrations.all
    let between = Migration("v1.5") { _ in }
    let error = databaseError { try connection.migrate([steps[0], between, steps[1]]) }
    #expect(error?.code == .newerVersion)
    #expect(error?.message.contains("v1.5") == true)
  }

  @Test func `Migrating inside a transaction is refused`() throws {
    let connection = try Connection(path)
    let error = try connection.write { writer in
      databaseError { try writer.connection.migrate(Self.migrations) }
    }
    #expect(error?.code == .transaction)
  }
}
