import Foundation
import Offshore
import OffshoreSync
import OffshoreWire
import TestSupport
import Testing

/// The description of a device's file.
struct InspectTests {
  private struct Note: Record, Identifiable {
    let id: String
    var title: String

    static let table = Table(
      "notes", Note.init, Column("id", \.id).primaryKey(), Column("title", \.title))
  }

  private static let migrations: Migrations = [Migration("v1_createNotes", .create(Note.table))]

  private let folder: ToolFolder
  private let path: String

  init() throws {
    folder = try ToolFolder()
    path = folder.file("device.sqlite")
  }

  /// Creates a file with a change that is sealed, and a later one that is not.
  private func createFile() async throws {
    let schema = try SyncSchema(
      version: 1, SyncTable(Note.self, scope: .kind("note", \.id)), claimableKinds: ["note"])
    let outbox = try Replica(schema).outbox
    let database = try Database(path, migrations: Self.migrations)
    try await database.write { writer in
      try outbox.install(writer, device: DeviceID(UUID()))
      try Note(id: "n1", title: "Buy \"tea\"\nsoon").insert(writer)
    }
    try await database.write { writer in
      _ = try outbox.seal(writer, at: 1_700_000_000_000, makeID: UUID.init)
    }
    try await database.write { writer in try Note(id: "n1", title: "Coffee").save(writer) }
    await database.close()
  }

  private func inspect(_ more: [String]) async throws -> ToolProcess {
    let process = try ToolProcess(["inspect"] + more)
    _ = await process.status()
    return process
  }

  @Test(.timeLimit(.minutes(1)))
  func `A file's scopes and changes are listed, with values only on request`() async throws {
    try await createFile()
    let content = try Data(contentsOf: URL(filePath: path))
    let plain = try await inspect([path])
    #expect(await plain.status() == 0)
    let lines = plain.text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(lines.contains("scopes: 1") && lines.contains("batches: 1"))
    #expect(lines.contains("note/n1, no role yet, not pulled yet, last batch 1"))
    #expect(lines.contains("insert notes/n1") && lines.contains("title: a text of 14 bytes"))
    #expect(lines.contains("changes not sealed yet: 1"))
    #expect(lines.contains { $0.hasSuffix("update, notes/n1, title") })
    #expect(lines.contains("refused changes: 0") && lines.contains("conflicts: 0"))
    #expect(!plain.text.contains("tea") && !plain.text.contains("Coffee"))

    let valued = try await inspect([path, "--values"])
    #expect(valued.text.contains(#"title: "Buy \"tea\"\nsoon""#))
    #expect(try Data(contentsOf: URL(filePath: path)) == content)
  }

  @Test(.timeLimit(.minutes(1)))
  func `A file that is not of a device is refused with the reason`() async throws {
    let missing = try await inspect([path])
    #expect(await missing.status() == 1 && missing.errors.contains("There is no file"))
    let database = try Database(path, migrations: Self.migrations)
    await database.close()
    let local = try await inspect([path])
    #expect(await local.status() == 1 && local.errors.contains("has not been prepared"))
    try Data("This is no database. It only looks like a file of some length.".utf8)
      .write(to: URL(filePath: path))
    #expect(await (try inspect([path])).status() == 1)
    let unnamed = try await inspect([])
    #expect(await unnamed.status() == 2 && unnamed.errors.contains("Say which file"))
  }
}
