import Foundation
import Offshore
import OffshoreFiles
import Testing

/// The rows of a collection in a table.
@Suite(.timeLimit(.minutes(1)))
struct TableCollectionTests {
  private let database: Database
  private var collection: TableCollection<Note, NoteRow> { .notes(in: database) }

  init() async throws {
    database = try Database.temporary(migrations: NoteRow.migrations)
    try await database.write { writer in
      try SQL("CREATE TABLE log (entry TEXT)").run(writer)
      for event in ["INSERT", "UPDATE", "DELETE"] {
        let row = event == "DELETE" ? "old" : "new"
        try SQL(
          raw: """
            CREATE TRIGGER log\(event) AFTER \(event) ON notes BEGIN
              INSERT INTO log VALUES ('\(event) ' || \(row).id);
            END
            """
        ).run(writer)
      }
    }
  }

  private func notes(_ ids: String) -> [Note] { ids.map { Note("\($0)") } }

  /// Returns and empties the log of written rows.
  private func written() async throws -> [String] {
    try await database.write { writer in
      defer { _ = try? SQL("DELETE FROM log").run(writer) }
      return try SQL("SELECT entry FROM log ORDER BY rowid").all(writer, as: String.self)
    }
  }

  private func positions() async throws -> [Int] {
    try await database.read { try NoteRow.order { $0.position }.all($0).map(\.position) }
  }

  @Test func `Only the rows that differ are written`() async throws {
    try await collection.replaceAll(notes("abcd"))
    #expect(try await written() == ["a", "b", "c", "d"].map { "INSERT \($0)" })
    try await collection.replaceAll(notes("abcd"))
    #expect(try await written() == [])
    try await collection.replaceAll([Note("a"), Note("c", "new"), Note("d"), Note("e")])
    #expect(try await written() == ["DELETE b", "UPDATE c", "INSERT e"])
    #expect(try await positions() == [0, 2, 3, 4])
    try await collection.upsert([Note("d"), Note("e", "new"), Note("f")])
    #expect(try await written() == ["UPDATE e", "INSERT f"])
    try await collection.remove(["x", "f"])
    #expect(try await written() == ["DELETE f"])
  }

  @Test func `Another order gives the rows new positions`() async throws {
    try await collection.replaceAll(notes("abc"))
    try await collection.replaceAll(notes("acb"))
    #expect(try await collection.load() == notes("acb"))
    #expect(try await positions() == [0, 1, 2])
    try await collection.replaceAll(notes("axcb"))
    #expect(try await collection.load() == notes("axcb"))
    #expect(try await positions() == [0, 1, 2, 3])
  }

  @Test func `A change that the database refuses is thrown, and nothing is stored`() async throws {
    try await collection.replaceAll(notes("ab"))
    try await database.write { writer in
      try SQL(
        raw: """
          CREATE TRIGGER refuse BEFORE INSERT ON notes WHEN new.id = 'x' BEGIN
            SELECT raise(ABORT, 'no');
          END
          """
      ).run(writer)
    }
    await #expect(throws: DatabaseError.self) { try await collection.replaceAll(notes("bx")) }
    await #expect(throws: DatabaseError.self) { try await collection.upsert(notes("cx")) }
    #expect(try await collection.load() == notes("ab"))
  }

  @Test func `A row that is not an element fails the load`() async throws {
    struct Refused: Error {}
    let strict = TableCollection<Note, NoteRow>(
      database, position: \.position, makeRow: { NoteRow($0, $1) },
      makeElement: { if $0.text.isEmpty { throw Refused() } else { $0.note } })
    try await strict.replaceAll([Note("a", "text")])
    #expect(try await strict.load().count == 1)
    try await collection.upsert(Note("b"))
    await #expect(throws: Refused.self) { try await strict.load() }
  }
}
