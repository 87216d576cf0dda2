import Synchronization
import TestSupport
import Testing

@testable import Offshore

private struct DigestedNote: Record {
  var id: Int
  var text: String
  static let table = Table(
    "notes", DigestedNote.init, Column("id", \.id).primaryKey(), Column("text", \.text))
  static let index = TextIndex(of: table, \.text)
}

struct MigrationDigestTests {
  private let folder: TemporaryFolder
  private let problems = Problems()
  private let connection: Connection

  init() throws {
    folder = try TemporaryFolder()
    var configuration = DatabaseConfiguration()
    configuration.reportProblem = { [problems] in problems.add($0) }
    connection = try Connection(folder.file("app.sqlite"), configuration: configuration)
  }

  private static func sql(_ text: String) -> Migration { Migration("v1", .sql(SQL(raw: text))) }

  @Test func `A change of a released migration is reported`() throws {
    try connection.migrate([Self.sql("CREATE TABLE a (x)")])
    try connection.migrate([Self.sql("CREATE TABLE a (x, y)")])
    #expect(
      problems.all == [
        "Migration “v1” has changed since the file ran it, and files that have it do not run it again. "
          + "Restore it, and add a migration with the change."
      ])
  }

  @Test func `Space and comments may change`() throws {
    try connection.migrate([Self.sql("CREATE TABLE a (x)")])
    try connection.migrate([Self.sql("CREATE  TABLE a( x ) -- notes")])
    #expect(problems.all == [])
  }

  @Test func `A declaration may change later, and values may differ`() throws {
    struct Later: Record {
      var id: Int
      var text: String
      var date: String?
      static let table = Table(
        "notes", Later.init, Column("id", \.id).primaryKey(), Column("text", \.text),
        Column("date", \.date))
    }
    let first = Migration(
      "v1", .create(DigestedNote.table), .sql("INSERT INTO notes VALUES (1, \("one"))"))
    let again = Migration(
      "v1", .create(Later.table), .sql("INSERT INTO notes VALUES (1, \("two"))"))
    try connection.migrate([first])
    try connection.migrate([again, Migration("v2", .addColumn("date", to: Later.table))])
    #expect(problems.all == [])
  }

  @Test(arguments: [
    (
      MigrationStep.addColumn("a", to: DigestedNote.table),
      MigrationStep.addColumn("b", to: DigestedNote.table)
    ),
    (
      .addColumn("a", to: DigestedNote.table), .addColumn("a", to: DigestedNote.table, filling: "1")
    ),
    (
      .renameColumn("a", to: "b", in: DigestedNote.table),
      .renameColumn("a", to: "c", in: DigestedNote.table)
    ),
    (
      .dropColumn("a", from: DigestedNote.table, formerDefinition: "TEXT"),
      .dropColumn("a", from: DigestedNote.table, formerDefinition: "TEXT NOT NULL")
    ),
    (.rebuild(DigestedNote.table), .rebuild(DigestedNote.table, formerDefinitions: ["a": "TEXT"])),
    (
      .rebuild(DigestedNote.table, adding: ["a"]), .rebuild(DigestedNote.table, copying: ["a": "1"])
    ),
    (.createIndex("a", on: DigestedNote.table), .createIndex("b", on: DigestedNote.table)),
    (
      .dropIndex("a", on: DigestedNote.table, columns: ["text"]),
      .dropIndex("a", on: DigestedNote.table, columns: ["text"], isUnique: true)
    ),
    (.drop("a"), .rename("a", to: DigestedNote.table)), (.create(DigestedNote.table), .sql("")),
    (.create(DigestedNote.index), .create(DigestedNote.table)),
    (.create(DigestedNote.index), .drop(DigestedNote.index)),
  ])
  func `All hand-written SQL counts`(_ one: MigrationStep, _ other: MigrationStep) {
    #expect(Migration("v", one).digest != Migration("v", other).digest)
    #expect(Migration("v", one, other).digest != Migration("v", other, one).digest)
    #expect(Migration("v", one).digest == Migration("w", one).digest)
    #expect(Migration("v", one).digest?.count == 16)
  }

  @Test func `The digest of a migration is the same across releases of the library`() {
    #expect(Migration("v1").digest == "cbf29ce484222325")
    #expect(Migration("v1", .create(DigestedNote.table)).digest == "e1a0f918568a16e7")
  }

  @Test func `Closures have no digest, and change nothing in the library's table`() throws {
    try connection.migrate([Migration("v1") { _ in }])
    #expect(Migration("v1", .create(DigestedNote.table), .perform { _ in }).digest == nil)
    #expect(
      try connection.texts("SELECT name FROM pragma_table_info('_migrations')")
        == ["name", "position", "appliedAt"])
  }

  @Test func `A file without digests gets them silently with its next migration`() throws {
    try connection.migrate([Migration("v1") { _ in }])
    let steps = [Self.sql("CREATE TABLE a (x)")]
    try connection.migrate(Migrations(steps))
    #expect(try connection.migrationDigests() == [:])
    try connection.migrate(Migrations(steps + [Migration("v2", .sql("CREATE TABLE b (x)"))]))
    #expect(try connection.migrationDigests().keys.sorted() == ["v1", "v2"])
    #expect(problems.all == [])
    try connection.migrate([Self.sql("SELECT 1"), Migration("v2") { _ in }])
    #expect(problems.all.count == 1)
  }
}

/// The messages that a database has reported.
final class Problems: Sendable {
  private let sentences = Mutex<[String]>([])
  var all: [String] { sentences.withLock { $0 } }
  func add(_ sentence: String) { sentences.withLock { $0.append(sentence) } }
}
