import Foundation
import Offshore
import OffshoreTesting
import TestSupport
import Testing

/// A table of which tests make slightly other ones.
private struct Boat: Record, Equatable {
  var id: Int
  var name: String
  var berths: Int?
  var owner: String

  static let table = Table(
    "boats", Boat.init,
    Column("id", \.id).primaryKey(),
    Column("name", \.name).unique().collate(.noCase),
    Column("berths", \.berths).check("berths > 0").indexed(),
    Column("owner", \.owner).default("club").references("people", onDelete: .restrict))
}

/// Two columns in each other's place.
private struct Swapped: Record, Equatable {
  var first: String
  var second: String

  static let table = Table(
    "swapped", Swapped.init, Column("second", \.second), Column("first", \.first))
}

struct SchemaDeclarationsTests {
  private let folder: TemporaryFolder
  private let connection: Connection

  init() throws {
    folder = try TemporaryFolder()
    connection = try Connection(folder.file("app.sqlite"))
  }

  private static let people = "CREATE TABLE people (name TEXT PRIMARY KEY NOT NULL);"
  private static let lines = [
    "id INTEGER PRIMARY KEY", "name TEXT NOT NULL UNIQUE COLLATE NOCASE",
    "berths INTEGER CHECK (berths > 0)",
    "owner TEXT NOT NULL DEFAULT 'club' REFERENCES people ON DELETE RESTRICT",
  ]
  private static let index = "CREATE INDEX idx_boats_berths ON boats (berths)"

  /// The differences of a table that is made of these lines.
  private func differences(
    _ lines: [String] = lines, options: String = "", index: String = index
  ) throws -> [String] {
    let table = "CREATE TABLE boats (\(lines.joined(separator: ", "))) \(options);"
    try connection.execute(SQL(raw: Self.people + table + index))
    return try Schema(connection).differences(from: [Boat.self])
  }

  /// The differences of a table in which one line is replaced.
  private func differences(_ line: Int, _ text: String) throws -> [String] {
    var lines = Self.lines
    lines[line] = text
    return try differences(lines)
  }

  // MARK: - What agrees

  @Test func `A created table agrees with its declaration`() throws {
    try connection.write { writer in
      try writer.connection.run("CREATE TABLE charters (id TEXT PRIMARY KEY NOT NULL)")
      try writer.connection.run(SQL(raw: Self.people))
      try writer.create(Boat.table)
      try writer.create(ExecutionState.table)
    }
    #expect(try Schema(connection).differences(from: [Boat.self, ExecutionState.self]) == [])
  }

  @Test func `A table of another origin agrees by types, defaults, references, and indexes`() throws
  {
    try connection.execute(
      SQL(raw: "CREATE TABLE charters (id TEXT PRIMARY KEY);" + ExecutionState.creation))
    #expect(try Schema(connection).differences(from: [ExecutionState.self]) == [])
  }

  @Test func `An equivalent statement agrees`() throws {
    #expect(
      try differences([
        "owner text not null default ('club')", "berths integer",
        "name TEXT NOT NULL COLLATE nocase",
        "\"id\" integer NOT NULL", "PRIMARY KEY (id)", "UNIQUE (name)", "CHECK(berths>0)",
        "FOREIGN KEY (owner) REFERENCES \"people\" (name) ON DELETE RESTRICT",
      ]) == [])
  }

  @Test func `A unique index agrees with a constraint`() throws {
    #expect(
      try differences(
        [Self.lines[0], "name TEXT NOT NULL COLLATE NOCASE", Self.lines[2], Self.lines[3]],
        index: Self.index + "; CREATE UNIQUE INDEX other ON boats (name)") == [])
  }

  @Test func `Indexes that cannot be declared are left to migrations`() throws {
    #expect(
      try differences(
        index: Self.index + "; CREATE INDEX partial ON boats (owner) WHERE berths > 4;"
          + "CREATE INDEX expression ON boats (lower(owner))") == [])
  }

  @Test func `Generated columns and defaults that are not declared agree`() throws {
    #expect(
      try differences(
        [
          "id INTEGER PRIMARY KEY", "name TEXT NOT NULL UNIQUE COLLATE NOCASE DEFAULT 'x'",
          Self.lines[2], Self.lines[3], "double AS (berths * 2)",
        ]) == [])
  }

  @Test func `Tables that are not declared are no difference`() throws {
    #expect(try differences(index: Self.index + "; CREATE TABLE more (x)") == [])
  }

  // MARK: - What does not

  @Test func `A table that is missing is named`() throws {
    #expect(
      try Schema(connection).differences(from: [Boat.self])
        == ["boats: expected a table, found none"])
  }

  @Test(arguments: [
    (
      1, "name TEXT UNIQUE COLLATE NOCASE",
      "boats.name: expected TEXT NOT NULL COLLATE NOCASE, found TEXT COLLATE NOCASE"
    ),
    (
      1, "name BLOB NOT NULL UNIQUE COLLATE NOCASE",
      "boats.name: expected TEXT NOT NULL COLLATE NOCASE, found BLOB NOT NULL COLLATE NOCASE"
    ),
    (
      1, "name TEXT NOT NULL UNIQUE",
      "boats.name: expected TEXT NOT NULL COLLATE NOCASE, found TEXT NOT NULL"
    ),
    (
      1, "name TEXT NOT NULL COLLATE NOCASE",
      "boats: unique (name): expected a constraint, found nothing"
    ),
    (0, "id INTEGER", "boats: primary key: expected (id), found nothing"),
    (2, "berths INTEGER", "boats: check (berths > 0): expected the constraint, found nothing"),
    (
      2, "berths INTEGER CHECK (berths > 0) CHECK (berths < 9)",
      "boats: check (berths < 9): expected nothing, found the constraint"
    ),
    (
      2, "berths INTEGER NOT NULL CHECK (berths > 0)",
      "boats.berths: expected INTEGER, found INTEGER NOT NULL"
    ),
    (
      3, "owner TEXT NOT NULL DEFAULT 'club'",
      "boats: foreign key (owner): expected people (name) ON DELETE RESTRICT, found nothing"
    ),
    (
      3, "owner TEXT NOT NULL DEFAULT 'club' REFERENCES people ON DELETE CASCADE",
      "boats: foreign key (owner): expected people (name) ON DELETE RESTRICT, "
        + "found people (name) ON DELETE CASCADE"
    ),
    (
      3, "owner TEXT NOT NULL DEFAULT 'Club' REFERENCES people ON DELETE RESTRICT",
      "boats.owner: expected TEXT NOT NULL DEFAULT 'club', found TEXT NOT NULL DEFAULT 'Club'"
    ),
    (
      3, "owner TEXT NOT NULL REFERENCES people ON DELETE RESTRICT",
      "boats.owner: expected TEXT NOT NULL DEFAULT 'club', found TEXT NOT NULL"
    ),
  ])
  func `What differs is one sentence`(_ line: Int, _ text: String, _ sentence: String) throws {
    let differences = try differences(line, text)
    #expect(differences.filter { !$0.hasPrefix("boats.id") } == [sentence])
  }

  @Test func `A column that is not declared is named`() throws {
    #expect(
      try differences(Self.lines + ["flag INTEGER NOT NULL"])
        == ["boats.flag: expected nothing, found INTEGER NOT NULL"])
  }

  @Test func `A missing index is named`() throws {
    #expect(
      try differences(index: "")
        == ["boats: index (berths): expected idx_boats_berths, found nothing"])
  }

  @Test func `An index of another name is named`() throws {
    #expect(
      try differences(index: "CREATE INDEX other ON boats (berths)")
        == ["boats: index (berths): expected idx_boats_berths, found other"])
  }

  @Test func `A constraint that is not declared is named`() throws {
    #expect(
      try differences(Self.lines + ["UNIQUE (owner, name)"])
        == ["boats: unique (owner, name): expected nothing, found a constraint"])
  }

  @Test func `Options of the table are compared`() throws {
    #expect(try differences(options: "STRICT") == ["boats: strict: expected nothing, found STRICT"])
  }

  @Test func `A declaration that contradicts itself is a difference`() throws {
    try connection.execute("CREATE TABLE swapped (first TEXT NOT NULL, second TEXT NOT NULL)")
    let differences = try Schema(connection).differences(from: [Swapped.self])
    #expect(differences.count == 1)
    #expect(differences.first?.contains("in each other's place") == true)
  }
}
