import AnyfleetTestSupport
import Foundation
import Offshore
import OffshoreCalendar
import OffshoreTesting
import TestSupport
import Testing

@testable import Anyfleet

/// The migration of a file that version 1.3 wrote.
struct SnapshotMigrationTests {
  private let folder: TemporaryFolder
  private let charter = UUID()
  private let user = UUID()

  init() throws { folder = try TemporaryFolder() }

  /// Creates a repository on a file of version 1.3, after running statements in that file.
  private func migrated(_ statements: [SQL]) async throws -> Fixture {
    let path = folder.file("anyfleet.sqlite")
    let file = URL(filePath: #filePath)
      .appending(path: "../../../../Schemas/1.3.0.sql").standardized
    try SchemaSnapshot(String(contentsOf: file, encoding: .utf8)).restore(to: path)
    let old = try Database(path)
    try await old.write { writer in for sql in statements { try sql.run(writer) } }
    await old.close()
    return try Fixture(AppDatabase(path: path))
  }

  private func insertCharter(_ id: UUID, _ name: String) -> SQL {
    """
    INSERT INTO charters (id, name, boatName, location, startDate, endDate, createdAt)
    VALUES (\(id), \(name), 'Šárka', 'Ёлкино', 802440000, 803044800.5, 789000000)
    """
  }

  private func insertChecklist(_ checklist: Checklist) throws -> SQL {
    let sections = String(decoding: try JSONEncoder().encode(checklist.sections), as: UTF8.self)
    return """
      INSERT INTO checklists (id, title, description, sections, creatorID, createdAt, updatedAt)
      VALUES (\(checklist.id), \(checklist.title), \(checklist.description), \(sections),
        \(checklist.creatorID), \(checklist.createdAt), \(checklist.updatedAt))
      """
  }

  private func insertState(
    _ checklist: UUID, in charter: UUID, ticked item: UUID, hour: String
  ) -> SQL {
    """
    INSERT INTO checklistExecutionStates (id, checklistID, charterID, itemStates,
      progressPercentage, createdAt, lastUpdated)
    VALUES (\(UUID()), \(checklist), \(charter),
      \("{\"\(item)\":{\"checked\":true,\"checkedAt\":\"2026-06-06T08:30:00Z\"}}"), 50,
      \("2026-06-06 \(hour):00:00.000"), '2026-06-06 08:30:00.250')
    """
  }

  @Test func `Checklists that were begun become the charter's own, in the order of their start`()
    async throws
  {
    let other = UUID()
    let (first, second, idle) = (
      Checklist.sample("First", items: 2), Checklist.sample("Second"), Checklist.sample("Idle")
    )
    let fixture = try await migrated([
      insertCharter(charter, "Kornati"), insertCharter(other, "Lošinj"),
      insertChecklist(first), insertChecklist(second), insertChecklist(idle),
      insertState(second.id, in: charter, ticked: second.items[0].id, hour: "09"),
      insertState(first.id, in: charter, ticked: first.items[0].id, hour: "08"),
      insertState(second.id, in: other, ticked: second.items[0].id, hour: "07"),
    ])
    let repository = fixture.repository
    #expect(
      try await repository.fetchCharterChecklists(charter) == [
        CharterChecklist(charterID: charter, position: 0, snapshot: first),
        CharterChecklist(charterID: charter, position: 1, snapshot: second),
      ])
    #expect(
      try await repository.fetchCharterChecklists(other) == [
        CharterChecklist(charterID: other, position: 0, snapshot: second)
      ])
    let states = try await repository.loadAllStatesForCharter(charter)
    #expect(
      states.map { $0.checkedCount(in: $0.checklistID == first.id ? first : second) } == [1, 1])
    // The snapshot is found by the id that every device derives, and its items are counted.
    try await repository.saveItemState(
      checklistID: first.id, charterID: charter, itemID: first.items[1].id, isChecked: true)
    let state = try await repository.loadExecutionState(
      checklistID: first.id, charterID: charter)
    #expect(state?.completedAt == fixture.now)
  }

  @Test func `Older charters are found by a search, are not archived, and none is active`()
    async throws
  {
    let fixture = try await migrated([insertCharter(charter, "Kornati")])
    let today = CalendarDay(containing: .day(6, 6))
    for text in ["sarka", "елкино kornati", "ŠÁRKA"] {
      let page = try await fixture.repository.fetchCharters(
        .notArchived, on: today, matching: text)
      #expect(page.charters.map(\.id) == [charter])
    }
    #expect(try await fixture.repository.fetchActiveCharter() == nil)
    #expect(try await fixture.repository.countCharters(on: today)[.archived] == 0)
  }

  @Test func `Damaged rows do not stop the migration, and are still reported`() async throws {
    let (lost, damaged) = (UUID(), Checklist.sample("Damaged"))
    let fixture = try await migrated([
      insertCharter(charter, "Kornati"), insertCharter(UUID(), "Broken"),
      "UPDATE charters SET id = 'secret', location = x'FF' WHERE name = 'Broken'",
      insertChecklist(damaged),
      "UPDATE checklists SET sections = '['",
      insertState(damaged.id, in: charter, ticked: damaged.items[0].id, hour: "08"),
      insertState(lost, in: charter, ticked: UUID(), hour: "09"),
    ])
    let repository = fixture.repository
    #expect(try await repository.fetchAllCharters().map(\.name) == ["Kornati"])
    #expect(fixture.unreadableRowCount == 1)
    var lists = repository.charterChecklists(charter).makeAsyncIterator()
    let list = try #require(try await lists.next(isolation: nil))
    #expect(list.rows == [])
    #expect(list.unreadable.count == 1)
    #expect(
      Set(try await repository.loadAllStatesForCharter(charter).map(\.checklistID)) == [
        damaged.id, lost,
      ])
    #expect(
      try await fixture.texts("SELECT searchText FROM charters WHERE name = 'Broken'")
        == ["broken\nsarka"])
  }

  @Test func `A large file is migrated`() async throws {
    let charters = (0..<2_000).map { insertCharter(UUID(), "Charter \($0)") }
    let fixture = try await migrated(charters)
    #expect(
      try await fixture.texts("SELECT count(*) || '' FROM charters WHERE searchText LIKE '%sarka%'")
        == ["2000"])
  }
}
