import Foundation
import Offshore
import OffshoreTesting
import OffshoreWire
import Testing

@testable import OffshoreServer

/// The behaviour of a log in a file, in addition to that of every log.
struct SQLiteStorageTests {
  /// Runs a test with the path of a temporary file, and removes the file afterwards.
  private func withFile(_ body: (String) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "offshore-log-\(UUID().uuidString)").path(percentEncoded: false)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await body("\(folder)/data")
  }

  @Test func `Only the connection that writes has a large page cache`() async throws {
    try await withFile { path in
      let log = try SQLiteStorage(path, epoch: 7)
      let pragma: SQL = "PRAGMA cache_size"
      let writer = try await log.write { try pragma.first(try $0.reader, as: Int.self) }
      let reader = try await log.read { try pragma.first(try $0.reader, as: Int.self) }
      #expect(writer == -65_536)
      #expect(try #require(reader) > -65_536)
      await log.close()
    }
  }

  @Test func `The write-ahead log is limited to 128 MiB`() async throws {
    try await withFile { path in
      let log = try SQLiteStorage(path, epoch: 7)
      let pragma: SQL = "PRAGMA journal_size_limit"
      #expect(try await log.write { try pragma.first(try $0.reader, as: Int.self) } == 128 << 20)
      await log.close()
    }
  }

  @Test func `The rows of one table are found by the primary key`() async throws {
    let storage = try SQLiteStorage.temporary(epoch: 7)
    let query = RowRecord.select(RowRecord.of("tasks", after: "a", in: try Lists.scope()), limit: 5)
    let plan = try await storage.read { transaction in
      try SQL("EXPLAIN QUERY PLAN \(query)").all(
        transaction.reader, as: Int.self, Int.self, Int.self, String.self)
    }
    #expect(
      plan.map(\.3) == [
        "SEARCH row USING INDEX sqlite_autoindex_row_1 (scope=? AND tbl=? AND id>?)"
      ])
  }

  @Test func `The tables are declared as the migrations create them`() async throws {
    let storage = try SQLiteStorage.temporary(epoch: 7)
    let records: [any Record.Type] = [
      EpochRecord.self, ManifestRecord.self, ScopeRecord.self, RowRecord.self,
      ReferenceRecord.self, ConflictRecord.self, TombstoneMark.self, DeviceRecord.self,
      ResultRecord.self, RefusalRecord.self, GrantRecord.self, ClaimRecord.self, Account.self,
      RemovedAccountRecord.self, AccessToken.self, Invitation.self, IdempotencyRecord.self,
      StoredBlob.self, BlobReferenceRecord.self, BlobUpload.self,
    ]
    let (differences, tables) = try await storage.read { transaction in
      let schema = try Schema(try transaction.reader)
      return (schema.differences(from: records), schema.tables.map(\.name))
    }
    #expect(differences == [])
    func name<Row: Record>(of _: Row.Type) -> String { Row.table.name }
    #expect(Set(records.map { name(of: $0) }) == Set(tables).subtracting(["_migrations"]))
  }

  @Test func `Pages are read by an index, without sorting`() async throws {
    let storage = try SQLiteStorage.temporary(epoch: 7)
    let scope = try Lists.scope()
    let plans = try await storage.read { transaction in
      let reader = try transaction.reader
      return try [
        RowRecord.after(seq: 7, in: scope), RowRecord.after(nil, in: scope),
        RowRecord.after(Lists.task("a"), in: scope),
      ].map { try RowRecord.select($0, limit: 5).explain(reader) }
    }
    for plan in plans {
      #expect(plan.contains("SEARCH row USING") && !plan.contains("TEMP B-TREE"), "\(plan)")
    }
    #expect(plans[2].contains("(tbl,id)>(?,?)"))
  }

  @Test func `Unused blobs and references to a blob are found by an index, without sorting`()
    async throws
  {
    let storage = try SQLiteStorage.temporary(epoch: 7)
    let (scope, hash) = (try Lists.scope(), ContentHash(of: [1]))
    let (unused, used, sum) = try await storage.read { transaction in
      let reader = try transaction.reader
      return (
        try StoredBlob.unused(since: 7, limit: 5).explain(reader),
        try BlobReferenceRecord.where { $0.scope == scope && $0.hash == hash }.explain(reader),
        try StoredBlob.where { $0.scope == scope }.select { $0.byteCount.sum() }.explain(reader)
      )
    }
    #expect(sum.contains("COVERING INDEX blob_scope"), "\(sum)")
    #expect(unused.contains("blob_unused") && !unused.contains("TEMP B-TREE"), "\(unused)")
    #expect(used.contains("blob_reference_hash"), "\(used)")
  }

  @Test func `A read cannot write`() async throws {
    let storage = try SQLiteStorage.temporary(epoch: 7)
    let error = await #expect(throws: DatabaseError.self) {
      try await storage.read { transaction in
        var transaction = transaction
        try transaction.setEpoch(8)
      }
    }
    #expect(error?.code == .readOnly)
    #expect(try await storage.read { try $0.epoch() } == 7)
  }
}

extension StorageTransaction {
  /// The access to the file of an SQLite storage.
  fileprivate var reader: Reader {
    get throws { try #require(self as? SQLiteTransaction).reader }
  }
}
