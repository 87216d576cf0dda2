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

  private static func schema() throws -> SyncSchema {
    try SyncSchema(
      version: 1, SyncTable(Note.self, scope: .kind("note", \.id)), claimableKinds: ["note"])
  }

  private let folder: ToolFolder
  private let path: String

  init() throws {
    folder = try ToolFolder()
    path = folder.file("device.sqlite")
  }

  /// Creates a file with a change that is sealed, and a later one that is not.
  private func createFile() async throws {
    let outbox = try Replica(Self.schema()).outbox
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

  /// Lets a server refuse the changes of the file, and send another note with a conflict.
  private func sync() async throws {
    let replica = try Replica(Self.schema())
    let database = try Database(path, migrations: Self.migrations)
    try await database.write { writer in
      let times = RequestTimes(sent: 1_700_000_000_000, received: 1_700_000_000_000)
      try replica.outbox.install(writer, device: DeviceID(UUID()))
      let push = try #require(try replica.nextPush(writer, at: times.sent) { UUID() })
      let results = push.batches.map { batch in
        BatchResult(
          scope: batch.scope, number: batch.number,
          outcome: .rejected(Rejection(.forbidden, "Ask an owner."), current: nil))
      }
      _ = try replica.apply(
        PushResponse(epoch: 7, serverTime: times.sent, results: results), to: push, at: times,
        writer, newDevice: { DeviceID(UUID()) }, makeID: { UUID() })
      let scope = try ScopeID("note/n2")
      let answers: [([Grant], [ScopeAnswer])] = [
        ([Grant(scope, .viewer, seq: 1)], []), ([], [Self.page(scope)]),
      ]
      for (grants, scopes) in answers {
        let answer = PullResponse(
          serverTime: times.sent, epoch: 7, grants: grants, scopes: scopes)
        _ = try replica.apply(
          answer, to: try replica.nextPull(writer), at: times, writer, makeID: { UUID() })
      }
    }
    await database.close()
  }

  /// Returns a note whose title was once another one.
  private static func page(_ scope: ScopeID) -> ScopeAnswer {
    let stamp = Stamp(milliseconds: 1_700_000_000_000, device: DeviceID(UUID()))
    let row = RowID(table: "notes", id: "n2")
    let state = RowState(stamp: stamp, fields: ["title": "Tea"])
    let conflict = Conflict(
      row: row, field: "title", losing: "Milk", losingStamp: stamp, winning: "Tea",
      winningStamp: stamp, reason: .later)
    var digest = Digest()
    digest.add(state, of: row)
    return ScopeAnswer(
      scope, epoch: 7,
      .page(
        ScopePage(
          rows: RowPage([SyncedRow(row, seq: 3, state: state)]),
          conflicts: [NumberedConflict(number: 1, conflict)], isFull: false,
          next: .changes(after: 3), head: 3, digest: digest, minSeq: 0, lastBatch: 0)))
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
  func `Roles, cursors, refused changes and conflicts are listed, with their reasons`()
    async throws
  {
    try await createFile()
    try await sync()
    let plain = try await inspect([path])
    #expect(await plain.status() == 0)
    let lines = plain.text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(lines.contains("note/n2, viewer, pulled up to 3, last batch 0"))
    #expect(lines.contains("batches: 1") && lines.contains("changes not sealed yet: 0"))
    #expect(lines.contains { $0.hasSuffix("note/n1, notes/n1, forbidden: Ask an owner.") })
    #expect(lines.contains("conflicts: 1"))
    let conflict = "note/n2, notes/n2.title, a text of 4 bytes lost to a text of 3 bytes (later)"
    #expect(lines.contains { $0.hasSuffix(conflict) })
    #expect(!plain.text.contains("Milk") && !plain.text.contains("Coffee"))
    let valued = try await inspect([path, "--values"])
    #expect(valued.text.contains(#"notes/n2.title, "Milk" lost to "Tea" (later)"#))
    #expect(valued.text.contains("Coffee"))
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
