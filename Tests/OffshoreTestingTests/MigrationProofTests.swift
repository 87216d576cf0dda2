import Foundation
import Offshore
import OffshoreTesting
import TestSupport
import Testing

// An app in its third version: charters, and a crew for each.

private struct Voyage: Record, Equatable {
  var id: UUID
  var title: String
  var guests: Int

  static let table = Table(
    "voyages", Voyage.init,
    Column("id", \.id).primaryKey(), Column("title", \.title),
    Column("guests", \.guests).default(0).check("guests >= 0"))
}

private struct Sailor: Record, Equatable {
  var id: Int
  var voyage: UUID
  var name: String

  static let table = Table(
    "sailors", Sailor.init,
    Column("id", \.id).primaryKey(),
    Column("voyage", \.voyage).references("voyages", onDelete: .cascade).indexed(),
    Column("name", \.name))
}

private let appMigrations: Migrations = [
  Migration("1.0_createVoyages") { writer in
    try writer.connection.run("CREATE TABLE voyages (id TEXT PRIMARY KEY NOT NULL, name TEXT)")
  },
  Migration("1.1_createSailors") { writer in
    try writer.connection.run(
      """
      CREATE TABLE sailors (
        id INTEGER PRIMARY KEY NOT NULL,
        voyage TEXT NOT NULL REFERENCES voyages (id) ON DELETE CASCADE,
        name TEXT NOT NULL);
      CREATE INDEX idx_sailors_voyage ON sailors (voyage)
      """)
  },
  Migration("2.0_requireTitles") { writer in
    try writer.rebuild(
      "voyages",
      as: """
        CREATE TABLE voyages (
          id TEXT PRIMARY KEY NOT NULL, title TEXT NOT NULL,
          guests INTEGER NOT NULL DEFAULT 0 CHECK (guests >= 0))
        """,
      copying: [
        "title": "coalesce(name, 'Untitled')",
        "guests": "(SELECT count(*) FROM sailors WHERE voyage = voyages.id)",
      ])
  },
]

/// The schemas as they were released, never to be changed.
private let released = [
  "1.0": SchemaSnapshot(
    """
    CREATE TABLE voyages (
      id TEXT PRIMARY KEY NOT NULL,
      name TEXT
    );

    CREATE TABLE _migrations (
      name TEXT PRIMARY KEY NOT NULL,
      position INTEGER NOT NULL,
      appliedAt TEXT
    );
    INSERT INTO _migrations VALUES ('1.0_createVoyages', 1, NULL);

    """),
  "1.1": SchemaSnapshot(
    """
    CREATE TABLE sailors (
      id INTEGER PRIMARY KEY NOT NULL,
      voyage TEXT NOT NULL REFERENCES voyages(id) ON DELETE CASCADE,
      name TEXT NOT NULL
    );

    CREATE TABLE voyages (
      id TEXT PRIMARY KEY NOT NULL,
      name TEXT
    );

    CREATE INDEX idx_sailors_voyage ON sailors(voyage);

    CREATE TABLE _migrations (
      name TEXT PRIMARY KEY NOT NULL,
      position INTEGER NOT NULL,
      appliedAt TEXT
    );
    INSERT INTO _migrations VALUES ('1.0_createVoyages', 1, NULL);
    INSERT INTO _migrations VALUES ('1.1_createSailors', 2, NULL);

    """),
  "2.0": SchemaSnapshot(
    """
    CREATE TABLE sailors (
      id INTEGER PRIMARY KEY NOT NULL,
      voyage TEXT NOT NULL REFERENCES voyages(id) ON DELETE CASCADE,
      name TEXT NOT NULL
    );

    CREATE TABLE voyages (
      id TEXT PRIMARY KEY NOT NULL,
      title TEXT NOT NULL,
      guests INTEGER NOT NULL DEFAULT 0 CHECK (guests >= 0)
    );

    CREATE INDEX idx_sailors_voyage ON sailors(voyage);

    CREATE TABLE _migrations (
      name TEXT PRIMARY KEY NOT NULL,
      position INTEGER NOT NULL,
      appliedAt TEXT
    );
    INSERT INTO _migrations VALUES ('1.0_createVoyages', 1, NULL);
    INSERT INTO _migrations VALUES ('1.1_createSailors', 2, NULL);
    INSERT INTO _migrations VALUES ('2.0_requireTitles', 3, NULL);

    """),
]

struct MigrationProofTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Inserts rows as a version did.
  private static func fill(_ version: String, _ writer: Writer) throws {
    let id = UUID().uuidString
    switch version {
    case "2.0": try writer.connection.run("INSERT INTO voyages VALUES (\(id), 'Title', 3)")
    default:
      let other = UUID().uuidString
      try writer.connection.run("INSERT INTO voyages VALUES (\(id), NULL), (\(other), 'x')")
    }
    guard version != "1.0" else { return }
    try writer.connection.run("INSERT INTO sailors VALUES (7, \(id), 'Ada'), (9, \(id), 'Ben')")
  }

  private func problems(
    _ migrations: Migrations = appMigrations, _ snapshots: [String: SchemaSnapshot] = released,
    records: [any Record.Type] = [Voyage.self, Sailor.self],
    fill: (String, Writer) throws -> Void = fill
  ) throws -> [String] {
    try MigrationProof(migrations, records: records)
      .problems(startingFrom: snapshots, in: folder.path, fill: fill)
  }

  @Test func `Files of every released version arrive at the declared schema`() throws {
    #expect(try problems() == [])
  }

  @Test func `The last release's snapshot equals that of a new file`() throws {
    let connection = try Connection(folder.file("new.sqlite"))
    try connection.migrate(appMigrations)
    #expect(try connection.read { try SchemaSnapshot($0) } == released["2.0"])
  }

  // MARK: - What a proof finds

  @Test func `A released migration that was changed`() throws {
    var steps = appMigrations.all
    steps[1] = Migration(steps[1].name) { writer in
      try writer.connection.run(
        """
        CREATE TABLE sailors (
          id INTEGER PRIMARY KEY NOT NULL, voyage TEXT NOT NULL, name TEXT NOT NULL);
        CREATE INDEX idx_sailors_voyage ON sailors (voyage)
        """)
    }
    let problems = try problems(Migrations(steps))
    #expect(
      problems.contains(
        "new file: sailors: foreign key (voyage): expected voyages (id) ON DELETE CASCADE, "
          + "found nothing"))
    #expect(
      problems.contains {
        $0.hasPrefix("1.1: sailors: foreign key") && $0.hasSuffix("unlike a new file")
      })
    #expect(!problems.contains { $0.hasPrefix("1.0: ") && $0.hasSuffix("unlike a new file") })
  }

  @Test func `A declaration that moved on without a migration`() throws {
    let problems = try problems(
      Migrations(Array(appMigrations.all.prefix(2))), released.filter { $0.key == "1.0" })
    #expect(problems.contains("new file: voyages.title: expected TEXT NOT NULL, found nothing"))
  }

  @Test func `Rows that a migration cannot copy`() throws {
    var steps = appMigrations.all
    steps[2] = Migration(steps[2].name) { writer in
      try writer.rebuild(
        "voyages",
        as: """
          CREATE TABLE voyages (
            id TEXT PRIMARY KEY NOT NULL, title TEXT NOT NULL,
            guests INTEGER NOT NULL DEFAULT 0 CHECK (guests >= 0))
          """,
        copying: ["title": "name"])
    }
    let problems = try problems(Migrations(steps))
    #expect(problems.count == 2)
    #expect(problems.allSatisfy { $0.contains("migrationFailed") && $0.contains("voyages.title") })
  }

  @Test func `Rows that can no longer be read`() throws {
    let problems = try problems { version, writer in
      try Self.fill(version, writer)
      guard version == "1.1" else { return }
      try writer.connection.run("INSERT INTO voyages VALUES ('no UUID', 'x')")
    }
    #expect(problems.count == 1)
    #expect(problems.first?.hasPrefix("1.1: invalidValue (voyages.id)") == true)
  }

  @Test func `A table that the test left empty`() throws {
    let problems = try problems { version, writer in
      if version != "1.1" { try Self.fill(version, writer) }
    }
    #expect(
      problems == [
        "1.1: the file to begin with has no rows in “sailors”",
        "1.1: the file to begin with has no rows in “voyages”",
      ])
  }

  @Test func `A snapshot of a version that is still to come`() throws {
    let problems = try problems(
      Migrations(Array(appMigrations.all.prefix(2))), records: [])
    #expect(problems.count == 1)
    #expect(problems.first?.hasPrefix("2.0: newerVersion") == true)
  }

  @Test func `A released step that was edited`() throws {
    let old: Migrations = [Migration("1", .sql("CREATE TABLE a (x); CREATE VIEW v AS SELECT 1"))]
    let connection = try Connection(folder.file("released.sqlite"))
    try connection.migrate(old)
    let snapshot = try connection.read { try SchemaSnapshot($0) }
    #expect(snapshot.text.contains("digest TEXT"))
    #expect(snapshot.text.contains("VALUES ('1', 1, NULL, '"))
    let fill: (String, Writer) throws -> Void = { _, writer in
      try writer.connection.run("INSERT INTO a VALUES (1)")
    }
    #expect(try problems(old, ["1.0": snapshot], records: [], fill: fill) == [])
    let edited: Migrations = [Migration("1", .sql("CREATE TABLE a (x); CREATE VIEW v AS SELECT 2"))]
    let problems = try problems(edited, ["1.0": snapshot], records: [], fill: fill)
    #expect(
      problems.first
        == "1.0: Migration “1” has changed since the file ran it, and files that have it do not run it "
        + "again. Restore it, and add a migration with the change.")
  }
}
