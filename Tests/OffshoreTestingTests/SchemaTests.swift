import Foundation
import Offshore
import TestSupport
import Testing

@testable import OffshoreTesting

struct SchemaTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The schema that statements make.
  private func schema(_ sql: SQL) throws -> Schema {
    let connection = try Connection(folder.file("\(UUID().uuidString).sqlite"))
    defer { connection.close() }
    try connection.execute(sql)
    return try connection.read { try Schema($0) }
  }

  private func table(_ sql: SQL) throws -> Schema.Table {
    try #require(try schema(sql).tables.first)
  }

  @Test func `Columns have types, nullability, defaults, and places in the key`() throws {
    let table = try table(
      """
      CREATE TABLE a (
        x varchar( 10 ) NOT NULL DEFAULT ('it''s'), y DEFAULT -1, z TEXT COLLATE nocase,
        PRIMARY KEY (z, x))
      """)
    #expect(
      table.columns.map(\.line)
        == ["VARCHAR(10) NOT NULL DEFAULT 'it''s'", "untyped DEFAULT -1", "TEXT COLLATE NOCASE"])
    #expect(table.columns.map(\.keyPosition) == [2, 0, 1])
    #expect(table.primaryKey == ["z", "x"])
  }

  @Test func `Generated columns are distinguished`() throws {
    let table = try table("CREATE TABLE a (x INTEGER, y AS (x + 1), z AS (x + 2) STORED)")
    #expect(table.columns.map(\.isGenerated) == [false, true, true])
  }

  @Test func `Options of a table are read`() throws {
    #expect(try table("CREATE TABLE a (x TEXT PRIMARY KEY) WITHOUT ROWID").isWithoutRowID)
    #expect(try table("CREATE TABLE a (x TEXT) STRICT").isStrict)
    let plain = try table("CREATE TABLE a (x TEXT)")
    #expect(!plain.isStrict && !plain.isWithoutRowID)
  }

  @Test func `Indexes are read with expressions, conditions and orders`() throws {
    let table = try table(
      """
      CREATE TABLE a (x TEXT PRIMARY KEY, y TEXT UNIQUE, z TEXT COLLATE NOCASE);
      CREATE INDEX i1 ON a (z, y);
      CREATE UNIQUE INDEX i2 ON a (z);
      CREATE INDEX i3 ON a (y DESC);
      CREATE INDEX i4 ON a (y) WHERE z > 1;
      CREATE INDEX i5 ON a (lower(y));
      CREATE INDEX i6 ON a (z COLLATE BINARY);
      """)
    #expect(
      Set(table.indexes.map(\.line)) == [
        "unique (y)", "index (z, y) i1", "unique (z) i2", "CREATE INDEX i3 ON a(y DESC)",
        "CREATE INDEX i4 ON a(y) WHERE z > 1", "CREATE INDEX i5 ON a(lower(y))",
        "CREATE INDEX i6 ON a(z COLLATE BINARY)",
      ])
  }

  @Test func `References are read with actions and delay`() throws {
    let table = try table(
      """
      CREATE TABLE a (
        v REFERENCES b, w REFERENCES b (x) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
        x REFERENCES c NOT DEFERRABLE INITIALLY DEFERRED, y REFERENCES d DEFERRABLE, z,
        FOREIGN KEY (y, z) REFERENCES e (p, q) ON UPDATE SET NULL)
      """)
    #expect(
      table.foreignKeys.map(\.line) == [
        "foreign key (v) references b",
        "foreign key (w) references b (x) ON DELETE CASCADE DEFERRED",
        "foreign key (x) references c",
        "foreign key (y) references d",
        "foreign key (y, z) references e (p, q) ON UPDATE SET NULL",
      ])
  }

  @Test func `Checks of columns and tables are read`() throws {
    let table = try table(
      "CREATE TABLE a (x INT CHECK(x>0), y TEXT, CONSTRAINT c CHECK ((y) IN ('a,(', 'b')))")
    #expect(table.checks == ["(y) IN ('a,(', 'b')", "x > 0"])
  }

  @Test func `Views, triggers, and virtual tables are kept by their statements`() throws {
    let schema = try schema(
      """
      CREATE TABLE a (x TEXT);
      CREATE VIEW v AS SELECT  x FROM a;
      CREATE TRIGGER t AFTER DELETE ON a BEGIN SELECT 1; END;
      CREATE VIRTUAL TABLE f USING fts5(x, content='a');
      """)
    #expect(schema.tables.map(\.name) == ["a"])
    #expect(
      schema.objects.map { "\($0.kind) \($0.name)" }
        == ["trigger t", "view v", "virtual table f"])
    #expect(schema.objects.first { $0.name == "v" }?.sql == "CREATE VIEW v AS SELECT x FROM a")
  }

  @Test func `Objects named with an underscore are left out`() throws {
    let schema = try schema(
      """
      CREATE TABLE _outbox (x TEXT);
      CREATE INDEX i ON _outbox (x);
      CREATE TABLE a (x TEXT);
      CREATE INDEX _i ON a (x);
      CREATE TRIGGER _t AFTER DELETE ON a BEGIN SELECT 1; END;
      CREATE VIEW _v AS SELECT 1;
      CREATE TABLE a_b (x INTEGER PRIMARY KEY AUTOINCREMENT);
      """)
    #expect(schema.tables.map(\.name) == ["a", "a_b"])
    #expect(schema.tables[0].indexes.isEmpty)
    #expect(schema.objects.isEmpty)
  }

  @Test func `The text has a line for each part and is the same for equal schemas`() throws {
    let first = try schema(
      """
      CREATE TABLE "b" (x TEXT PRIMARY KEY NOT NULL, y INTEGER REFERENCES a, CHECK (y > 0)) STRICT;
      CREATE TABLE a (x INTEGER PRIMARY KEY);
      CREATE INDEX i ON b (y);
      CREATE VIEW v AS SELECT x FROM a;
      """)
    let second = try schema(
      """
      CREATE VIEW v AS SELECT x FROM a /* the only column */;
      CREATE TABLE a (x integer primary key);
      CREATE TABLE b (x text not null primary key, y INTEGER REFERENCES "a", CHECK(y>0)) STRICT;
      CREATE INDEX i ON b (y);
      """)
    #expect(first == second)
    #expect(
      second.description == """
        table a
          x INTEGER
          primary key (x)

        table b strict
          x TEXT NOT NULL
          y INTEGER
          primary key (x)
          index (y) i
          foreign key (y) references a
          check (y > 0)

        view v
          CREATE VIEW v AS SELECT x FROM a

        """)
  }

  @Test(arguments: [
    ("x INTEGER NOT NULL", "a.x: expected INTEGER, found INTEGER NOT NULL"),
    ("x TEXT", "a.x: expected INTEGER, found TEXT"),
    ("x INTEGER DEFAULT 1", "a.x: expected INTEGER, found INTEGER DEFAULT 1"),
    ("y INTEGER", "a.x: expected INTEGER, found nothing"),
    ("x INTEGER, y TEXT", "a.y: expected nothing, found TEXT"),
    ("x INTEGER PRIMARY KEY", "a: primary key: expected nothing, found (x)"),
    ("x INTEGER UNIQUE", "a: unique (x): expected nothing, found a constraint"),
    ("x INTEGER REFERENCES b", "a: foreign key (x): expected nothing, found b"),
    ("x INTEGER CHECK (x > 0)", "a: check (x > 0): expected nothing, found the constraint"),
    ("x INTEGER) STRICT --", "a: strict: expected nothing, found STRICT"),
  ])
  func `Each difference is a sentence`(_ columns: String, _ sentence: String) throws {
    let expected = try schema("CREATE TABLE a (x INTEGER)")
    let found = try schema(
      SQL(raw: "CREATE TABLE a (\(columns)\n" + (columns.hasSuffix("--") ? "" : ")")))
    #expect(found.differences(from: expected).contains(sentence))
    #expect(found != expected)
  }

  @Test func `Missing and unexpected tables and views are sentences`() throws {
    let expected = try schema("CREATE TABLE a (x); CREATE VIEW v AS SELECT 1")
    let found = try schema("CREATE TABLE b (x); CREATE VIEW v AS SELECT 2")
    #expect(
      found.differences(from: expected) == [
        "a: expected a table, found none", "b: expected no such table, found one",
        "view v: expected CREATE VIEW v AS SELECT 1, found CREATE VIEW v AS SELECT 2",
      ])
  }

  @Test func `Another order of columns is a sentence`() throws {
    let expected = try schema("CREATE TABLE a (x, y)")
    let found = try schema("CREATE TABLE a (y, x)")
    #expect(
      found.differences(from: expected)
        == ["a: expected the columns in order x, y, found y, x"])
  }

  @Test func `Equal schemas have no differences`() throws {
    let sql = SQL(raw: "CREATE TABLE charters (id TEXT PRIMARY KEY);" + ExecutionState.creation)
    #expect(try schema(sql).differences(from: try schema(sql)) == [])
  }

  @Test func `A new file has an empty schema`() throws {
    let connection = try Connection(folder.file("new.sqlite"))
    #expect(try Schema(connection) == Schema())
    #expect(Schema().description == "")
  }
}

struct SQLTokensLayoutTests {
  @Test func `A layout has the tokens of the statement`() {
    let sql = "CREATE TRIGGER t AFTER INSERT ON a WHEN new.x <> -1 BEGIN SELECT 'a;b'; END"
    #expect(SQLTokens(SQLTokens(sql).layout).text == sql)
  }

  @Test func `A table is laid out by columns, with its options`() {
    let sql = "create table a(x TEXT, /* key */ PRIMARY KEY(x)) WITHOUT ROWID"
    #expect(
      SQLTokens(sql).layout == """
        create table a (
          x TEXT,
          PRIMARY KEY (x)
        ) WITHOUT ROWID
        """)
  }

  @Test func `A trigger is laid out by statements`() {
    let sql = "CREATE TRIGGER t AFTER INSERT ON a BEGIN DELETE FROM b; SELECT 1; END"
    #expect(
      SQLTokens(sql).layout == """
        CREATE TRIGGER t AFTER INSERT ON a BEGIN
          DELETE FROM b;
          SELECT 1;
        END
        """)
  }
}
