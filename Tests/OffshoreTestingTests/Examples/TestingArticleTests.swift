import Foundation
import Offshore
import OffshoreTesting
import TestSupport
import Testing

// The examples of the article “Testing”; Tests/Gates holds the two to the same lines.

private struct Voyage: Identifiable, Equatable, Sendable, Record {
  let id: Int
  var name: String
  var days: Int

  static let table = Table(
    "voyages", Voyage.init,
    Column("id", \.id).primaryKey(),
    Column("name", \.name),
    Column("days", \.days).check("days > 0"))

  static let migrations: Migrations = [Migration("v1_createVoyages", .create(table))]
}

@Suite(.timeLimit(.minutes(1)))
struct TestingArticleTests {
  @Test func `The examples of the article`() async throws {
    let database = try Database.temporary(migrations: Voyage.migrations)
    try await database.write { try Voyage(id: 1, name: "Kornati", days: 7).insert($0) }
    let voyages = try await database.read { try Voyage.all.all($0) }
    #expect(voyages.map(\.name) == ["Kornati"])

    let names = database.values(of: Voyage.order { $0.id }.select { $0.name })
    try await database.write { try Voyage(id: 2, name: "Vis", days: 3).insert($0) }
    for try await names in names where names.count == 2 {
      #expect(names == ["Kornati", "Vis"])
      break
    }

    let schema = try await database.read { try Schema($0) }
    #expect(schema.differences(from: [Voyage.self]) == [])

    let folder = try TemporaryFolder()
    let file = folder.file("1.0.0.sql")
    let snapshot = try await database.read { try SchemaSnapshot($0) }
    try snapshot.text.write(toFile: file, atomically: true, encoding: .utf8)
    let released = try SchemaSnapshot(String(contentsOfFile: file, encoding: .utf8))
    #expect(released == snapshot)
    await database.close()
  }

  @Test func `A trigger makes a write fail`() async throws {
    let database = try Database.temporary(migrations: Voyage.migrations)
    try await database.write { try Voyage(id: 1, name: "Kornati", days: 7).insert($0) }
    try await database.write { writer in
      try SQL(
        """
        CREATE TRIGGER failing BEFORE UPDATE ON voyages
        BEGIN SELECT RAISE(ABORT, 'refused by the test'); END
        """
      ).run(writer)
    }
    let error = await #expect(throws: DatabaseError.self) {
      try await database.write { try Voyage(id: 1, name: "Kornati", days: 8).update($0) }
    }
    #expect(error?.code == .constraint)
    await database.close()
  }
}
