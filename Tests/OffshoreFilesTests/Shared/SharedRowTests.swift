import Foundation
import Offshore
import OffshoreFiles
import TestSupport
import Testing

/// Shared values in rows of a database.
@Suite(.timeLimit(.minutes(1)))
struct SharedRowTests {
  private let database: Database
  private let row = NoteRow(Note("settings", "first"), 0)

  init() throws { database = try Database.temporary(migrations: NoteRow.migrations) }

  private func shared() -> Shared<NoteRow> {
    Shared(.row("settings", in: database), default: row) { try await waitUntilCancelled() }
  }

  private func stored() async throws -> NoteRow? {
    try await database.read { try NoteRow.find("settings").first($0) }
  }

  @Test func `A missing row is the default value, and a change creates it`() async throws {
    let settings = shared()
    #expect(try await settings.load() == row)
    #expect(try await stored() == nil)
    settings.change { $0.text = "second" }
    #expect(shared().value.text == "second")
    try await settings.flush()
    #expect(try await stored()?.text == "second")
    #expect(settings.value.text == "second")
  }

  @Test func `A change of the row elsewhere arrives, and both changes stay`() async throws {
    try await database.write { [row] in try row.insert($0) }
    let settings = shared()
    #expect(try await settings.load() == row)
    try await database.write { writer in
      try SQL("UPDATE notes SET text = 'theirs'").run(writer)
    }
    await waitUntil { settings.value.text == "theirs" }
    settings.change { $0.position = 5 }
    try await database.write { writer in
      try SQL("UPDATE notes SET text = 'again'").run(writer)
    }
    try await settings.flush()
    #expect(settings.value == NoteRow(Note("settings", "again"), 5))
    #expect(try await stored() == settings.value)
  }

  @Test func `Many changes and flushes end with the last value`() async throws {
    let settings = shared()
    try await settings.load()
    for number in 1...50 {
      settings.change { $0.position += 1 }
      try await settings.flush()
      #expect(settings.value.position == number)
    }
    #expect(try await settings.load().position == 50)
    #expect(try await stored()?.position == 50)
  }

  @Test func `A change is never seen twice while it is stored`() async throws {
    let settings = shared()
    try await settings.load()
    let seen = SeenValues { settings.value.position }
    for _ in 1...100 {
      settings.change { $0.position += 1 }
      try await settings.flush()
    }
    #expect(seen.values == seen.values.sorted())
    #expect(seen.values.last == 100)
  }

  @Test func `A change of the id is refused`() async throws {
    let settings = shared()
    settings.change { $0 = NoteRow(Note("other"), 0) }
    let error = await #expect(throws: FileError.self) { try await settings.flush() }
    #expect(error?.code == .misuse)
    #expect(try await stored() == nil)
    #expect(settings.saveError != nil)
  }

  @Test func `A closed database fails the load and the flush`() async throws {
    let settings = shared()
    try await settings.load()
    await database.close()
    settings.change { $0.text = "late" }
    await #expect(throws: DatabaseError.self) { try await settings.flush() }
    #expect(settings.value.text == "late")
  }
}
