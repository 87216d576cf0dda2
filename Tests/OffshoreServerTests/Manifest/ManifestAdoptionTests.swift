import OffshoreWire
import Testing

@testable import OffshoreServer

/// The manifests that may follow one that the server has already used.
struct ManifestAdoptionTests {
  private static func manifest(
    version: Int = 2, _ columns: [SyncedColumn] = columns
  ) throws -> Manifest {
    try Manifest(
      version: version,
      tables: [SyncedTable("tasks", scopeKind: "list", scopeColumn: "list", columns: columns)])
  }

  private static let columns = [SyncedColumn("list", .text), SyncedColumn("title", .text)]

  @Test func `A log adopts the same manifest again, and one with more columns`() async throws {
    let log = try SQLiteStorage.temporary(epoch: 7)
    try await log.adopt(Self.manifest())
    try await log.adopt(Self.manifest())
    let more = try Self.manifest(
      version: 3, Self.columns + [SyncedColumn("done", .integer, isNullable: true)])
    try await log.adopt(more)
    #expect(try await log.read { try $0.manifest() } == more)
    let error = try await #require(throws: WireError.self) {
      try await log.adopt(Self.manifest(version: 3))
    }
    #expect(error.code == .invalidManifest && error.place == "tables.tasks.columns.done")
    #expect(try await log.read { try $0.manifest() } == more)
    await log.close()
  }
}
