import Foundation
import Offshore
import OffshoreTesting
import TestSupport
import Testing

// The examples of the article “Migrations”; Tests/Gates holds the two to the same lines.

private struct Voyage: Record, Equatable {
  var id: Int
  var title: String
  var miles: Int
  var guests: Int

  static let table = Table(
    "voyages", Voyage.init, Column("id", \.id).primaryKey(), Column("title", \.title),
    Column("miles", \.miles), Column("guests", \.guests))
}

struct MigrationsArticleTests {
  private let folder: TemporaryFolder
  private let path: String
  private let shown = Problems()

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("voyages.sqlite")
  }

  @Test func `The examples of the article`() async throws {
    let migrations: Migrations = [
      Migration("v1.0.0_createVoyages", .create(Voyage.table)),
      Migration("v1.1.0_addGuests", .addColumn("guests", to: Voyage.table, filling: "2")),
      Migration("v1.2.0_renameName", .renameColumn("name", to: "title", in: Voyage.table)),
      Migration(
        "v2.0.0_countMiles",
        .rebuild(
          Voyage.table, formerDefinitions: ["miles": "TEXT"],
          copying: ["miles": "CAST(miles AS INTEGER)"])),
    ]
    let database = try Database(path, migrations: migrations)
    #expect(try await database.read { try Schema($0) }.differences(from: [Voyage.self]) == [])
    await database.close()

    // swift-format-ignore
    let seeds = Migration(
      "v1.1.1_seed", .sql("INSERT INTO voyages (id, name, miles, guests) VALUES (1, 'Trial', '12', 4)"))
    var seeded = migrations.all
    seeded.insert(seeds, at: 2)
    let seededFile = try Connection(folder.file("seeded.sqlite"))
    try seededFile.migrate(Migrations(seeded))
    let trial = Voyage(id: 1, title: "Trial", miles: 12, guests: 4)
    #expect(try seededFile.read { try Voyage.all.all($0) } == [trial])

    var isRefused = false
    do {
      _ = try Database(path, migrations: [Migration("other")])
    } catch let error as DatabaseError where error.code == .newerVersion {
      isRefused = error.message.hasPrefix("The file has migrations that the app lacks: “v1.0.0_")
    }
    #expect(isRefused)

    let opened = try await Database.open(path, migrations: migrations) { progress in
      show(progress.migration, progress.position, of: progress.count, progress.fraction)
    }
    #expect(shown.all == [])

    let snapshot = try await opened.read { try SchemaSnapshot($0) }
    let scriptPath = folder.file("2.0.0.sql")
    try snapshot.text.write(toFile: scriptPath, atomically: true, encoding: .utf8)
    let script = try String(contentsOfFile: scriptPath, encoding: .utf8)
    let released = ["2.0.0": SchemaSnapshot(script)]
    let proof = MigrationProof(migrations, records: [Voyage.self])
    let problems = try proof.problems(startingFrom: released, in: folder.path) { version, writer in
      try SQL("INSERT INTO voyages VALUES (7, 'Kornati', 40, 6)").run(writer)
    }
    #expect(problems == [] && released == ["2.0.0": snapshot])
  }

  private func show(_ migration: String, _ position: Int, of count: Int, _ fraction: Double?) {
    shown.add("\(migration) \(position)/\(count)")
  }
}
