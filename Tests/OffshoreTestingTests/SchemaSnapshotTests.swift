import Foundation
import Offshore
import OffshoreTesting
import TestSupport
import Testing

struct SchemaSnapshotTests {
  private let folder: TemporaryFolder
  private let connection: Connection

  init() throws {
    folder = try TemporaryFolder()
    connection = try Connection(folder.file("app.sqlite"))
  }

  private static let migrations: Migrations = [
    Migration("v1") { writer in
      try writer.connection.run(
        """
        create table "charters"(id TEXT PRIMARY KEY NOT NULL, -- the key
          name TEXT DEFAULT '--');
        CREATE TABLE crew (charter TEXT REFERENCES charters, berth INTEGER CHECK(berth>0)) STRICT
        """)
    },
    Migration("it's v2") { writer in
      try writer.connection.run(
        """
        CREATE INDEX idx_name ON charters (name);
        CREATE VIEW names AS SELECT name FROM charters;
        CREATE TRIGGER gone AFTER DELETE ON charters BEGIN
          DELETE FROM crew WHERE charter = old.id; SELECT ';';
        END;
        CREATE VIRTUAL TABLE found USING fts5(name, tokenize = 'porter');
        CREATE TABLE _own (x)
        """)
    },
  ]

  private func snapshot() throws -> SchemaSnapshot {
    try connection.migrate(Self.migrations)
    return try connection.read { try SchemaSnapshot($0) }
  }

  @Test func `The text is a script that can be read`() throws {
    #expect(
      try snapshot().text == """
        CREATE TABLE charters (
          id TEXT PRIMARY KEY NOT NULL,
          name TEXT DEFAULT '--'
        );

        CREATE TABLE crew (
          charter TEXT REFERENCES charters,
          berth INTEGER CHECK (berth > 0)
        ) STRICT;

        CREATE VIRTUAL TABLE found USING fts5(name, tokenize = 'porter');

        CREATE INDEX idx_name ON charters(name);

        CREATE VIEW names AS SELECT name FROM charters;

        CREATE TRIGGER gone AFTER DELETE ON charters BEGIN
          DELETE FROM crew WHERE charter = old.id;
          SELECT ';';
        END;

        CREATE TABLE _migrations (
          name TEXT PRIMARY KEY NOT NULL,
          position INTEGER NOT NULL,
          appliedAt TEXT
        );
        INSERT INTO _migrations VALUES ('v1', 1, NULL);
        INSERT INTO _migrations VALUES ('it''s v2', 2, NULL);

        """)
  }

  @Test func `A file made from the text has the schema and the migrations`() throws {
    let snapshot = try snapshot()
    let path = folder.file("restored.sqlite")
    try snapshot.restore(to: path)
    let restored = try Connection(path)
    #expect(try Schema(restored).differences(from: Schema(connection)) == [])
    #expect(try restored.appliedMigrations() == ["v1", "it's v2"])
    #expect(try restored.migrate(Self.migrations) == [])
    #expect(try restored.read { try SchemaSnapshot($0) } == snapshot)
  }

  @Test func `A text that went through a file is the same`() throws {
    let snapshot = try snapshot()
    let path = folder.file("2.0.0.sql")
    try snapshot.text.write(toFile: path, atomically: true, encoding: .utf8)
    #expect(SchemaSnapshot(try String(contentsOfFile: path, encoding: .utf8)) == snapshot)
  }

  @Test func `A restored file can be migrated`() throws {
    let path = folder.file("restored.sqlite")
    try snapshot().restore(to: path)
    let more = Migration("v3") {
      _ = try $0.connection.run("ALTER TABLE crew ADD COLUMN role TEXT")
    }
    let ran = try Connection(path).migrate(Migrations(Self.migrations.all + [more]))
    #expect(ran == ["v3"])
  }

  @Test func `A snapshot of a new file can be restored`() throws {
    let snapshot = try connection.read { try SchemaSnapshot($0) }
    try snapshot.restore(to: folder.file("restored.sqlite"))
    #expect(try Connection(folder.file("restored.sqlite")).appliedMigrations() == [])
  }

  @Test func `An existing file is never overwritten`() throws {
    let path = folder.file("precious.sqlite")
    try Data("precious".utf8).write(to: URL(filePath: path))
    let error = #expect(throws: DatabaseError.self) { try snapshot().restore(to: path) }
    #expect(error?.code == .cannotOpen)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "precious")
  }

  @Test(arguments: ["", "no SQL", "CREATE TABLE a (x); CREATE TABLE a (x);", "COMMIT;", "-- empty"])
  func `A text that is not a snapshot leaves no file`(_ text: String) throws {
    let path = folder.file("restored.sqlite")
    #expect(throws: DatabaseError.self) { try SchemaSnapshot(text).restore(to: path) }
    for suffix in ["", "-wal", "-shm"] {
      #expect(!FileManager.default.fileExists(atPath: path + suffix))
    }
  }

  @Test func `A folder that is missing is an error`() throws {
    let error = #expect(throws: DatabaseError.self) {
      try snapshot().restore(to: folder.file("no/such/folder"))
    }
    #expect(error?.code == .cannotOpen)
  }
}
