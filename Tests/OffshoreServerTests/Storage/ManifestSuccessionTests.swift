import OffshoreWire
import Testing

@testable import OffshoreServer

/// The manifests that may follow one that the server has already used.
struct ManifestSuccessionTests {
  private static func manifest(
    version: Int = 2, _ columns: [SyncedColumn] = columns, table: String = "tasks",
    kind: String = "list"
  ) throws -> Manifest {
    try Manifest(
      version: version,
      tables: [SyncedTable(table, scopeKind: kind, scopeColumn: "list", columns: columns)])
  }

  private static let columns = [SyncedColumn("list", .text), SyncedColumn("title", .text)]

  @Test func `A log adopts the same manifest again, and one with more columns`() async throws {
    let log = try SQLiteStorage.temporary(epoch: 7)
    try await log.adopt(Self.manifest())
    try await log.adopt(Self.manifest())
    let more = try Self.manifest(version: 3, Self.columns + [SyncedColumn("done", .integer)])
    try await log.adopt(more)
    #expect(try await log.read { try $0.manifest() } == more)
    await #expect(throws: WireError.self) { try await log.adopt(Self.manifest(version: 3)) }
    #expect(try await log.read { try $0.manifest() } == more)
    await log.close()
  }

  @Test(arguments: [
    (1, columns, "tasks", "list", "version"),
    (3, columns, "others", "list", "tables.tasks"),
    (2, columns, "tasks", "person", "tables.tasks"),
    (2, [columns[0]], "tasks", "list", "tables.tasks.columns.title"),
    (
      2, [columns[0], SyncedColumn("title", .integer)], "tasks", "list",
      "tables.tasks.columns.title"
    ),
    (
      2, [columns[0], SyncedColumn("title", .text, isSealed: true)], "tasks", "list",
      "tables.tasks.columns.title"
    ),
  ])
  func `An incompatible manifest is refused with the place of the difference`(
    version: Int, columns: [SyncedColumn], table: String, kind: String, place: String
  ) throws {
    let succession = ManifestSuccession(
      former: try Self.manifest(),
      next: try Self.manifest(version: version, columns, table: table, kind: kind))
    let error = try #require(throws: WireError.self) { try succession.check() }
    #expect(error.code == .invalidManifest && error.place == place)
    if place != "version" { #expect(error.message.contains(place)) }
  }
}
