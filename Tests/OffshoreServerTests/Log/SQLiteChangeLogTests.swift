import Foundation
import Offshore
import OffshoreWire
import Testing

@testable import OffshoreServer

/// The behaviour of a log in a file, in addition to that of every log.
struct SQLiteChangeLogTests {
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
      let log = try SQLiteChangeLog(path, epoch: 7)
      let pragma: SQL = "PRAGMA cache_size"
      let writer = try await log.write { try pragma.first($0.access, as: Int.self) }
      let reader = try await log.read { try pragma.first($0.access, as: Int.self) }
      #expect(writer == -65_536)
      #expect(try #require(reader) > -65_536)
      await log.close()
    }
  }

  @Test func `Devices from an older file have no account yet`() async throws {
    try await withFile { path in
      let scope = try ScopeID("list/1")
      let former = try SQLiteChangeLog(path, epoch: 7)
      try await former.write { log in
        try log.setDevice(.sample(1), in: scope, DeviceState(lastNumber: 4, acknowledged: 3))
        try SQL("DROP INDEX device_owner").run(log.access)
        for column in ["account", "forbidden_ops"] {
          try SQL(raw: "ALTER TABLE device DROP COLUMN \(column)").run(log.access)
        }
        try SQL("DROP TABLE tombstone_mark").run(log.access)
        try SQL("DELETE FROM _migrations WHERE name >= 'v1.5.0'").run(log.access)
      }
      await former.close()
      let log = try SQLiteChangeLog(path, epoch: 9)
      let state = try await log.read { try $0.device(.sample(1), in: scope) }
      #expect(state == DeviceState(lastNumber: 4, acknowledged: 3))
      await log.close()
    }
  }
}
