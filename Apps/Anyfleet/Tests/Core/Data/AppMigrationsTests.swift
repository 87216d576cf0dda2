import Foundation
import Offshore
import OffshoreTesting
import TestSupport
import Testing

@testable import Anyfleet

struct AppMigrationsTests {
  private let folder: TemporaryFolder
  private static let versions = [
    "1.0.0", "1.1.0", "1.2.0", "1.3.0", "1.4.0", "1.5.0", "1.6.0", "1.7.0", "1.8.0", "1.9.0",
    "1.10.0", "1.11.0",
  ]
  private static let records: [any Record.Type] = [
    CharterRow.self, Checklist.self, ExecutionRow.self, ItemNoteRow.self, SettingRow.self,
    PracticeGuide.self, FlashcardDeck.self, CardProgressRow.self, CharterChecklistRow.self,
    ActiveCharterRow.self,
  ]

  init() throws { folder = try TemporaryFolder() }

  /// The schema of a released version, which never changes.
  private static func snapshot(_ version: String) throws -> SchemaSnapshot {
    let file = URL(filePath: #filePath)
      .appending(path: "../../../../Schemas/\(version).sql").standardized
    return SchemaSnapshot(try String(contentsOf: file, encoding: .utf8))
  }

  /// Inserts the rows of a version.
  private static func fill(_ version: String, _ writer: Writer) throws {
    let rows = VersionRows()
    let number = try #require(versions.firstIndex(of: version))
    for statements in rows.statements.prefix(number + 1) {
      for sql in statements { try sql.run(writer) }
    }
  }

  @Test func `Files of every released version are migrated to the declared schema`() throws {
    let snapshots = try Dictionary(
      uniqueKeysWithValues: Self.versions.map { ($0, try Self.snapshot($0)) })
    let problems = try MigrationProof(AppMigrations.all, records: Self.records)
      .problems(startingFrom: snapshots, in: folder.path, fill: Self.fill)
    #expect(problems == [])
  }

  @Test(arguments: Array(versions.enumerated()).map { ($0.offset + 1, $0.element) })
  func `Each migration creates the schema of its release`(_ count: Int, _ version: String)
    async throws
  {
    let migrations = Migrations(Array(AppMigrations.all.all.prefix(count)))
    let database = try Database.temporary(migrations: migrations)
    let made = try await database.read { try SchemaSnapshot($0) }
    #expect(made == (try Self.snapshot(version)))
  }

  @Test func `The migrations have the names that files record`() {
    #expect(
      AppMigrations.all.all.map(\.name) == [
        "v1.0.0_createInitialSchema", "v1.1.0_createLibrarySchema",
        "v1.2.0_createChecklistExecutionSchema", "v1.3.0_createItemNotesAndSettings",
        "v1.4.0_addArchiveToCharters", "v1.5.0_addSearchTextToCharters",
        "v1.6.0_createPracticeGuides", "v1.7.0_createFlashcards",
        "v1.8.0_createCharterChecklists", "v1.9.0_snapshotBegunChecklists",
        "v1.10.0_createActiveCharters", "v1.11.0_keepCharterDaysInUTC",
      ])
  }

  @Test func `The table of execution states is exactly the specified one`() async throws {
    let database = try AppDatabase.makeEmpty().database
    let columns = try await database.read { reader in
      try SQL(
        """
        SELECT name || ' ' || type || iif("notnull", ' NOT NULL', '')
          || coalesce(' DEFAULT ' || dflt_value, '') || iif(pk, ' KEY', '')
        FROM pragma_table_info('checklistExecutionStates') ORDER BY cid
        """
      ).all(reader, as: String.self)
    }
    #expect(
      columns == [
        "id TEXT NOT NULL KEY", "checklistID TEXT NOT NULL", "charterID TEXT NOT NULL",
        "itemStates TEXT NOT NULL DEFAULT '{}'", "progressPercentage REAL",
        "createdAt DATETIME NOT NULL", "lastUpdated DATETIME NOT NULL", "completedAt DATETIME",
        "syncStatus TEXT NOT NULL DEFAULT 'pending'",
      ])
    let keys = try await database.read { reader in
      try SQL(
        """
        SELECT "from" || ' ' || "table" || ' ' || "to" || ' ' || on_delete || ' ' || on_update
        FROM pragma_foreign_key_list('checklistExecutionStates')
        """
      ).all(reader, as: String.self)
    }
    #expect(keys == ["charterID charters id CASCADE CASCADE"])
    let schema = try await database.read { try Schema($0) }
    let indexes = schema.table("checklistExecutionStates")?.indexes ?? []
    #expect(indexes.filter { $0.name == nil }.map(\.columns) == [["checklistID", "charterID"]])
    #expect(
      Dictionary(
        uniqueKeysWithValues: indexes.compactMap { index in
          index.name.map { ($0, index.columns) }
        }) == [
          "idx_executionStates_charter": ["charterID"],
          "idx_executionStates_checklist": ["checklistID"],
          "idx_executionStates_updated": ["lastUpdated"],
        ])
  }
}

/// The table of settings, which belongs to the library now.
private struct SettingRow: Record {
  var name: String
  var value: String
  static let table = Table(
    "settings", SettingRow.init,
    Column("name", \.name).primaryKey(), Column("value", \.value))
}
