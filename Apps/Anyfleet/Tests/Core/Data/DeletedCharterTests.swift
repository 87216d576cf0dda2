import AnyfleetTestSupport
import Foundation
import Offshore
import Testing

@testable import Anyfleet

struct DeletedCharterTests {
  private let fixture: Fixture
  private var repository: LocalRepository { fixture.repository }
  private static let tables = [
    "charters", "charterChecklists", "checklistExecutionStates", "checklistItemNotes",
    "activeCharters",
  ]

  init() throws { fixture = try Fixture() }

  /// Returns all rows of a table, texts byte by byte.
  private func dump(_ table: String) async throws -> [String] {
    try await fixture.database.database.read { reader in
      let columns = try SQL("SELECT name FROM pragma_table_info(\(table))")
        .all(reader, as: String.self)
      let all = columns.map { "iif(typeof(\($0)) = 'text', hex(\($0)), quote(\($0)))" }
        .joined(separator: " || ',' || ")
      return try SQL(raw: "SELECT \(all) FROM \(table) ORDER BY 1").all(reader, as: String.self)
    }
  }

  private func dump() async throws -> [[String]] {
    var dumps: [[String]] = []
    for table in Self.tables { dumps.append(try await dump(table)) }
    return dumps
  }

  /// Stores a charter with a row in every table.
  private func charterWithAll(_ name: String = "Kornati") async throws -> CharterModel {
    var charter = CharterModel.sample(name)
    charter.crew = [CrewMember(name: "Zoë", role: .skipper)]
    charter.budget = CharterBudget(amount: 1200, currencyCode: "EUR")
    try await repository.createCharter(charter)
    let (first, second) = (try await fixture.checklist("1"), try await fixture.checklist("2"))
    for checklist in [first, second] {
      try await repository.assignChecklist(checklist.id, toCharter: charter.id)
      try await fixture.tick(0, of: checklist, in: charter)
      try await repository.saveItemNote(
        checklistID: checklist.id, charterID: charter.id, itemID: checklist.items[1].id,
        note: "Torn")
    }
    return charter
  }

  @Test func `A deleted charter is restored with all its rows`() async throws {
    _ = try await charterWithAll("Other")
    let charter = try await charterWithAll()
    try await repository.setActiveCharter(charter.id)
    let before = try await dump()
    let deleted = try #require(try await repository.deleteCharter(charter.id))
    #expect(deleted.id == charter.id)
    #expect(deleted.wasActive)
    #expect(try await fixture.count("charters") == 1)
    #expect(try await fixture.count("charterChecklists") == 2)
    #expect(try await dump() != before)
    try await repository.restoreCharter(deleted)
    #expect(try await dump() == before)
    #expect(try await repository.fetchActiveCharter()?.name == "Kornati")
  }

  @Test func `Unreadable values and those of newer versions are restored unchanged`()
    async throws
  {
    let charter = try await charterWithAll()
    try await fixture.run("UPDATE charters SET budget = x'00FF', crew = CAST(x'5BFF' AS TEXT)")
    try await fixture.run("UPDATE charterChecklists SET sections = 7 WHERE position = 0")
    try await fixture.run("UPDATE checklistExecutionStates SET itemStates = '['")
    try await fixture.run("UPDATE checklistItemNotes SET note = 'a' || char(0) || 'b'")
    let before = try await dump()
    let deleted = try #require(try await repository.deleteCharter(charter.id))
    try await repository.restoreCharter(deleted)
    #expect(try await dump() == before)
  }

  @Test func `Deleting a missing charter returns nil`() async throws {
    #expect(try await repository.deleteCharter(UUID()) == nil)
  }

  @Test func `Restoring twice, or over an existing charter, changes nothing`()
    async throws
  {
    let charter = try await charterWithAll()
    let deleted = try #require(try await repository.deleteCharter(charter.id))
    try await repository.restoreCharter(deleted)
    var renamed = charter
    renamed.name = "Renamed"
    try await repository.saveCharter(renamed)
    let before = try await dump()
    try await repository.restoreCharter(deleted)
    #expect(try await dump() == before)
  }

  @Test func `A charter that was activated meanwhile stays active`() async throws {
    let charter = try await charterWithAll()
    let other = try await fixture.charter("Other")
    try await repository.setActiveCharter(charter.id)
    let deleted = try #require(try await repository.deleteCharter(charter.id))
    try await repository.setActiveCharter(other.id)
    try await repository.restoreCharter(deleted)
    #expect(try await repository.fetchActiveCharter()?.id == other.id)
  }

  @Test func `A restored charter is sent to other devices, and its progress is counted again`()
    async throws
  {
    let charter = try await fixture.charter()
    var checklist = try await fixture.checklist(items: 2)
    try await fixture.tick(0, of: checklist, in: charter)
    try await repository.markChartersSynced([charter.id])
    try await fixture.run("UPDATE checklistExecutionStates SET syncStatus = 'synced'")
    let deleted = try #require(try await repository.deleteCharter(charter.id))
    checklist.sections[0].items.removeLast()
    try await repository.saveChecklist(checklist)
    try await repository.restoreCharter(deleted)
    #expect(try await repository.fetchPendingSync().map(\.id) == [charter.id])
    let state = try await fixture.state(checklist, in: charter)
    #expect(state?.syncStatus == .pending)
    #expect(state?.completedAt != nil)
  }
}
