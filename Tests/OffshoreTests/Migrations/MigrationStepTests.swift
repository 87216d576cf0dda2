import OffshoreTesting
import TestSupport
import Testing

@testable import Offshore

/// A harbour, which had been a port until its table was renamed.
private struct Harbour: Record, Equatable {
  var code: String
  var title: String
  var depth: Double

  static let table = Table(
    "harbours", Harbour.init, Column("code", \.code).primaryKey(),
    Column("title", \.title).indexed(), Column("depth", \.depth).check("depth > 0"))
}

private struct Pontoon: Record, Equatable {
  var id: Int
  var harbour: String
  var number: Int
  var owner: Int?

  static let table = Table(
    "berths", Pontoon.init, Column("id", \.id).primaryKey(),
    Column("harbour", \.harbour).references("harbours", column: "code", onDelete: .cascade),
    Column("number", \.number),
    Column("owner", \.owner).references("berths")
  )
  .index(\.harbour, \.number, isUnique: true)
}

struct MigrationStepTests {
  private let folder: TemporaryFolder
  private let connection: Connection

  init() throws {
    folder = try TemporaryFolder()
    var configuration = DatabaseConfiguration()
    configuration.reportProblem = { Issue.record("\($0)") }
    connection = try Connection(folder.file("app.sqlite"), configuration: configuration)
  }

  private func columns(_ table: String) throws -> [String] {
    try connection.texts("SELECT name FROM pragma_table_info(\(table))")
  }

  private var indexes: [String] {
    get throws {
      try connection.texts(
        "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL ORDER BY 1")
    }
  }

  // MARK: - Tables

  private static let harbours: Migrations = [
    Migration("v1", .create(Harbour.table), .create(Pontoon.table)),
    Migration("v2") { writer in
      try writer.connection.run("INSERT INTO ports (code, name, depth) VALUES ('HR', 'Split', 4)")
      try writer.connection.run(
        "INSERT INTO berths (id, port, number) VALUES (1, 'HR', 1), (2, 'HR', 2)")
    },
    Migration("v3", .rename("ports", to: Harbour.table)),
    Migration(
      "v4", .renameColumn("name", to: "title", in: Harbour.table),
      .renameColumn("port", to: "harbour", in: Pontoon.table)),
  ]

  @Test func `A table is created under its former name, and references follow its renaming`() throws
  {
    try connection.migrate(Self.harbours)
    let schema = try connection.read { try Schema($0) }
    #expect(schema.differences(from: [Harbour.self, Pontoon.self]) == [])
    #expect(try indexes == ["idx_berths_harbour_number", "idx_harbours_title"])
    #expect(try connection.read { try Pontoon.all.count($0) } == 2)
    #expect(databaseError { try connection.change("DELETE FROM harbours") } == nil)
    #expect(try connection.read { try Pontoon.all.count($0) } == 0)
  }

  @Test func `A dropped table may be followed by another with its name`() throws {
    try connection.migrate([
      Migration("v1", .sql("CREATE TABLE harbours (old)"), .sql("INSERT INTO harbours VALUES (1)")),
      Migration("v2", .drop("harbours"), .create(Harbour.table)),
    ])
    #expect(try columns("harbours") == ["code", "title", "depth"])
    #expect(try connection.read { try Harbour.all.count($0) } == 0)
  }

  @Test func `Steps after a drop do not affect the former table`() throws {
    struct Pier: Record {
      var id: Int
      static let table = Table("harbours", Pier.init, Column("id", \.id).primaryKey())
    }
    try connection.migrate([
      Migration("v1", .create(Pier.table)),
      Migration("v2", .drop("harbours"), .create(Harbour.table)),
      Migration("v3", .addColumn("depth", to: Harbour.table, filling: "1")),
    ])
    #expect(try columns("harbours") == ["code", "title", "depth"])
  }

  @Test func `A rebuild changes types, and drops and adds columns`() throws {
    try connection.migrate([
      Migration("v1", .create(Harbour.table)),
      Migration("v2", .sql("INSERT INTO harbours (code, feet, title) VALUES ('A', '12', 'B')")),
      Migration(
        "v3",
        .rebuild(
          Harbour.table, formerDefinitions: ["feet": "TEXT", "title": "TEXT"], adding: ["depth"],
          copying: ["depth": "feet * 0.3"])),
    ])
    let rows = try connection.read { try Harbour.all.all($0) }
    #expect(rows.map(\.code) == ["A"])
    #expect(rows.first.map { ($0.depth * 10).rounded() } == 36)
    #expect(try connection.read { try Schema($0) }.differences(from: [Harbour.self]) == [])
  }

  // MARK: - Columns

  @Test func `A column that refuses NULL is filled in existing rows`() throws {
    try connection.migrate([
      Migration("v1", .create(Harbour.table)),
      Migration("v2", .sql("INSERT INTO harbours (code, title) VALUES ('A', 'Aba'), ('B', 'B')")),
      Migration("v3", .addColumn("depth", to: Harbour.table, filling: "length(title)")),
    ])
    #expect(try connection.read { try Harbour.order { $0.code }.all($0) }.map(\.depth) == [3, 1])
    #expect(databaseError { try connection.change("UPDATE harbours SET depth = 0") } != nil)
  }

  @Test func `A column that refuses NULL needs a default, even if the table has no row yet`() throws
  {
    let steps: [(MigrationStep, String)] = [
      (.addColumn("depth", to: Harbour.table), "filling"),
      (.rebuild(Harbour.table, adding: ["depth"]), "copying"),
    ]
    for (step, parameter) in steps {
      let error = databaseError {
        try connection.migrate([Migration("v1", .create(Harbour.table)), Migration("v2", step)])
      }
      #expect(error?.column == "depth")
      #expect(
        error?.message.contains(
          "The new column refuses NULL, so rows that exist need a value. Pass one by "
            + "`\(parameter)`, or declare a default.") == true)
    }
  }

  @Test func `A unique column that is dropped again is added to new files in between`() throws {
    try connection.migrate([
      Migration("v1", .create(Harbour.table)),
      Migration("v2", .sql("INSERT INTO harbours VALUES ('A', 'a', 1)")),
      Migration("v3", .addColumn("radio", to: Harbour.table)),
      Migration("v4", .sql("UPDATE harbours SET radio = 'VHF'")),
      Migration("v5", .dropColumn("radio", from: Harbour.table, formerDefinition: "TEXT UNIQUE")),
    ])
    #expect(try columns("harbours") == ["code", "title", "depth"])
    #expect(try connection.read { try Harbour.all.count($0) } == 1)
  }

  @Test func `An added column comes with its indexes and its reference`() throws {
    try connection.migrate([
      Migration("v1", .create(Harbour.table), .create(Pontoon.table)),
      Migration("v2", .addColumn("number", to: Pontoon.table, filling: "id")),
      Migration("v3", .addColumn("owner", to: Pontoon.table)),
    ])
    #expect(try indexes.contains("idx_berths_harbour_number"))
    #expect(
      try connection.read { try Schema($0) }.differences(from: [Harbour.self, Pontoon.self]) == [])
  }

  @Test func `A unique column is added by a rebuild that preserves the file's constraints`() throws
  {
    struct Boat: Record {
      var id: Int
      var sail: String?
      static let table = Table(
        "boats", Boat.init, Column("id", \.id).primaryKey(), Column("sail", \.sail).unique())
    }
    try connection.migrate([
      Migration(
        "v1",
        .sql("CREATE TABLE boats (id INTEGER PRIMARY KEY NOT NULL, CHECK (id > 0) /* , */)"),
        .sql("INSERT INTO boats VALUES (7)")),
      Migration("v2", .addColumn("sail", to: Boat.table)),
    ])
    #expect(databaseError { try connection.change("INSERT INTO boats VALUES (0, 'x')") } != nil)
    try connection.change("INSERT INTO boats VALUES (8, 'x')")
    let error = databaseError { try connection.change("INSERT INTO boats VALUES (9, 'x')") }
    #expect(error?.violation == .unique(columns: ["sail"]))
    #expect(try connection.number("SELECT count(*) FROM boats") == 2)
  }

  @Test(arguments: [
    "TEXT", "TEXT NOT NULL DEFAULT 'x'", "TEXT REFERENCES harbours", "TEXT UNIQUE",
  ])
  func `A column is dropped with its indexes, whatever its constraints`(
    _ definition: String
  ) throws {
    try connection.migrate([
      Migration("v1", .create(Harbour.table), .create(Pontoon.table)),
      Migration(
        "v2", .sql("CREATE INDEX pilots ON berths (pilot)"),
        .sql("INSERT INTO harbours VALUES ('A', 'a', 1)"),
        .sql("INSERT INTO berths (id, harbour, number, pilot) VALUES (1, 'A', 2, 'A')")),
      Migration("v3", .dropColumn("pilot", from: Pontoon.table, formerDefinition: definition)),
    ])
    #expect(try columns("berths") == ["id", "harbour", "number", "owner"])
    #expect(try indexes == ["idx_berths_harbour_number", "idx_harbours_title"])
    #expect(try connection.read { try Pontoon.all.first($0) }?.number == 2)
  }

  @Test func `Indexes are created and dropped`() throws {
    try connection.migrate([
      Migration("v1", .create(Harbour.table)),
      Migration("v2", .sql("INSERT INTO harbours VALUES ('A', 'a', 1)")),
      Migration(
        "v3", .dropIndex("depths", on: Harbour.table, columns: ["depth"]),
        .createIndex("idx_harbours_title", on: Harbour.table)),
    ])
    #expect(try indexes == ["idx_harbours_title"])
  }

  @Test func `A file that got a column before its migration continues to migrate`() throws {
    try connection.migrate([Migration("v1", .create(Harbour.table))])
    try connection.change("INSERT INTO harbours VALUES ('A', 'a', 5)")
    try connection.migrate([
      Migration("v1", .create(Harbour.table)),
      Migration("v2", .addColumn("depth", to: Harbour.table, filling: "1")),
    ])
    #expect(try connection.read { try Harbour.all.first($0) }?.depth == 5)
  }

  @Test func `A column that the file declares differently is an error`() throws {
    try connection.migrate([
      Migration("v1", .sql("CREATE TABLE harbours (code TEXT PRIMARY KEY, title TEXT, depth TEXT)"))
    ])
    let error = databaseError {
      try connection.migrate([
        Migration("v1") { _ in },
        Migration("v2", .addColumn("depth", to: Harbour.table, filling: "1")),
      ])
    }
    #expect(error?.code == .migrationFailed)
    #expect(error?.message.contains("duplicate column name: depth") == true)
  }

  @Test func `Dropping a missing index is an error`() throws {
    let old = Migration("v1", .sql("CREATE TABLE harbours (code, title, depth)"))
    let error = databaseError {
      try connection.migrate([
        old, Migration("v2", .dropIndex("depht", on: Harbour.table, columns: ["depth"])),
      ])
    }
    #expect(error?.message.contains("no such index: depht") == true)
  }

  @Test func `Constraints of a dropped column are found under earlier names`() throws {
    try connection.migrate([
      Migration("v1", .create(Harbour.table), .create(Pontoon.table)),
      Migration(
        "v2", .sql("INSERT INTO berths (id, harbour, number, pier) VALUES (1, NULL, 2, 3)")),
      Migration("v3", .renameColumn("pier", to: "quay", in: Pontoon.table)),
      Migration("v4", .rename("ports", to: Harbour.table)),
      Migration(
        "v5",
        .rebuild(
          Pontoon.table,
          formerDefinitions: [
            "quay": "INTEGER CHECK (quay > 0 AND max(quay, 1) > 0)",
            "harbour": "TEXT REFERENCES harbours",
          ],
          copying: ["harbour": "ifnull(harbour, 'A')"]),
        .sql("INSERT INTO harbours VALUES ('A', 'a', 1)")),
      Migration("v6", .sql("SELECT 1")),
    ])
    #expect(try columns("berths") == ["id", "harbour", "number", "owner"])
  }

  // MARK: - SQL

  @Test(arguments: [
    "ALTER TABLE harbours ADD COLUMN depth REAL NOT NULL DEFAULT 1 CHECK (depth > 0)",
    "alter table main.\"harbours\" add depth REAL /* metres */ NOT NULL DEFAULT 1",
    "SELECT 1; ALTER TABLE Harbours ADD COLUMN [Depth] REAL; SELECT 2",
  ])
  func `A column that SQL adds later is not created earlier`(_ sql: String) throws {
    try connection.migrateQuietly([
      Migration("v1", .create(Harbour.table)), Migration("v2", .sql(SQL(raw: sql))),
    ])
    #expect(try columns("harbours").map { $0.lowercased() } == ["code", "title", "depth"])
  }

  @Test func `Names and indexes that SQL changes are created in their former state`() throws {
    try connection.migrate([
      Migration("v1", .create(Harbour.table)),
      Migration("v2", .sql("INSERT INTO ports (code, name, depth) VALUES ('A', 'a', 1)")),
      Migration(
        "v3",
        .sql(
          """
          ALTER TABLE ports RENAME TO harbours;
          ALTER TABLE harbours RENAME COLUMN name TO title;
          CREATE INDEX idx_harbours_title ON harbours (title, code)
          """)),
    ])
    #expect(try connection.read { try Harbour.all.first($0) }?.title == "a")
    #expect(try indexes == ["idx_harbours_title"])
  }

  @Test func `A closure that adds a column by SQL fails with the reason`() throws {
    let error = databaseError {
      try connection.migrate([
        Migration("v1", .create(Harbour.table)),
        Migration("v2") { writer in
          try SQL("ALTER TABLE harbours ADD COLUMN depth REAL").run(writer)
        },
      ])
    }
    #expect(error?.message.contains("duplicate column name: depth") == true)
    #expect(
      error?.message.contains(
        "“harbours”: created in this run by declaration, which has moved on since. Change such "
          + "tables by steps, like .addColumn") == true)
  }

  // MARK: - Steps with a wrong result

  @Test func `A step must lead to the declaration`() throws {
    let steps: [(MigrationStep, String)] = [
      (
        .addColumn("length", to: Harbour.table),
        "The step “add column length” does not lead to the declaration: the table has no column "
          + "“length” after it, only code, title, depth. Declare it, correct its name, or add the step "
          + "that renames or drops it later."
      ),
      (
        .renameColumn("depth", to: "metres", in: Harbour.table),
        "the table has no column “metres” after it"
      ),
      (
        .dropColumn("depth", from: Harbour.table, formerDefinition: "REAL"),
        "the declaration has it still. Remove it there, or remove the step."
      ),
      (
        .createIndex("names", on: Harbour.table),
        "the declaration has no such index. Declare it, or correct its name."
      ),
      (.rebuild(Harbour.table, adding: ["x"]), "the table has no column “x” after it"),
    ]
    for (step, sentence) in steps {
      let error = databaseError {
        try connection.migrate([Migration("v1", .create(Harbour.table)), Migration("v2", step)])
      }
      #expect(error?.code == .migrationFailed)
      #expect(error?.message.contains("Migration “v1” was undone") == true)
      #expect(error?.message.contains(sentence) == true, "\(error?.message ?? "")")
    }
    #expect(try connection.texts("SELECT name FROM sqlite_schema") == [])
  }

  @Test func `A column that two migrations add is an error`() throws {
    let error = databaseError {
      try connection.migrate([
        Migration("v1", .create(Harbour.table)),
        Migration("v2", .addColumn("depth", to: Harbour.table)),
        Migration("v3", .addColumn("depth", to: Harbour.table)),
      ])
    }
    #expect(error?.message.contains("no column “depth” after it") == true)
  }

  @Test func `The failed step is named with its number and its statement`() throws {
    let error = databaseError {
      try connection.migrate([
        Migration(
          "v1", .create(Harbour.table), .sql("INSERT INTO harbours VALUES ('secret', 'x', -1)"))
      ])
    }
    #expect(
      error?.message.contains(
        "Step 2, run SQL, failed. A constraint refused the change: CHECK constraint failed: depth > 0."
      ) == true)
    #expect(
      error?.message.contains("The statement: INSERT INTO harbours VALUES ('…', '…', -1)") == true)
    #expect(error?.message.contains("secret") == false)
  }
}

extension Connection {
  /// Migrates a file that a debug build would report to differ from the declarations.
  fileprivate func migrateQuietly(_ migrations: Migrations) throws {
    let path = path
    var configuration = DatabaseConfiguration()
    configuration.reportProblem = { _ in }
    let other = try Connection(path, configuration: configuration)
    defer { other.close() }
    try other.migrate(migrations)
  }
}
