import AnyfleetTestSupport
import Foundation
import Offshore
import OffshorePresentation
import TestSupport
import Testing

@testable import Anyfleet

struct CharterRepositoryTests {
  private let fixture: Fixture
  private var repository: LocalRepository { fixture.repository }

  init() throws { fixture = try Fixture() }

  @Test func `All properties of a charter are stored and load equal`() async throws {
    var charter = CharterModel.sample()
    charter.boatName = "Alma"
    charter.location = "Split"
    charter.region = "Dalmatia"
    charter.startDate = Date(timeIntervalSinceReferenceDate: 802_440_000.123_456_7)
    charter.checkInChecklistID = UUID()
    charter.guests = 12
    charter.crew = [CrewMember(name: "Zoë", role: .coSkipper), CrewMember(name: "", role: .guest)]
    charter.budget = CharterBudget(
      amount: Decimal(1999) / 100, currencyCode: "EUR",
      lines: [.init(title: "Fuel", amount: Decimal(5) / 10)])
    charter.syncStatus = .error
    try await repository.createCharter(charter)
    #expect(try await repository.fetchCharter(id: charter.id) == charter)
    #expect(try await repository.fetchAllCharters() == [charter])
  }

  @Test
  func
    `A charter is found by name, boat, location or region, but not by text that spans two of them`()
  {
    var charter = CharterModel.sample("Kornati")
    #expect(charter.searchText == "kornati")
    charter.boatName = "Đurđa"
    charter.location = "Split"
    charter.region = "Далмация"
    #expect(charter.searchText == "kornati\ndurda\nsplit\nдалмация")
  }

  @Test func `Fetching a missing charter returns nil`() async throws {
    #expect(try await repository.fetchCharter(id: UUID()) == nil)
    try await repository.deleteCharter(UUID())
  }

  @Test func `Charters are listed by their start`() async throws {
    _ = try await fixture.charter("B", from: .day(7, 1))
    _ = try await fixture.charter("A", from: .day(8, 1))
    _ = try await fixture.charter("C", from: .day(6, 1))
    #expect(try await repository.fetchAllCharters().map(\.name) == ["C", "B", "A"])
  }

  @Test func `Creating a charter that exists is an error and changes nothing`() async throws {
    let charter = try await fixture.charter()
    var other = charter
    other.name = "Other"
    let error = await #expect(throws: RepositoryError.refused) {
      try await repository.createCharter(other)
    }
    #expect(error?.asAppError == .database(.refused(detail: "charters.id")))
    #expect(error?.logCode == "refused.charters.id")
    #expect(try await repository.fetchAllCharters() == [charter])
  }

  @Test func `Saving inserts a new charter, updates an existing one, and preserves its progress`()
    async throws
  {
    let checklist = try await fixture.checklist()
    var charter = CharterModel.sample()
    try await repository.saveCharter(charter)
    try await fixture.tick(0, of: checklist, in: charter)
    charter.name = "Renamed"
    try await repository.saveCharter(charter)
    #expect(try await repository.fetchAllCharters() == [charter])
    #expect(try await fixture.state(checklist, in: charter)?.checkedCount == 1)
  }

  @Test func `Deleting a charter deletes its progress and its notes, and no others`() async throws {
    let checklist = try await fixture.checklist()
    let (first, second) = (try await fixture.charter("1"), try await fixture.charter("2"))
    for charter in [first, second] {
      try await fixture.tick(0, of: checklist, in: charter)
      try await repository.saveItemNote(
        checklistID: checklist.id, charterID: charter.id, itemID: checklist.items[0].id,
        note: "Torn")
    }
    try await repository.deleteCharter(first.id)
    #expect(try await fixture.state(checklist, in: first) == nil)
    #expect(try await fixture.count("checklistExecutionStates") == 1)
    #expect(try await fixture.count("checklistItemNotes") == 1)
    #expect(try await fixture.state(checklist, in: second)?.checkedCount == 1)
  }

  @Test func `Charters are pending until they are marked as synced`() async throws {
    let (first, second) = (try await fixture.charter("1"), try await fixture.charter("2"))
    #expect(try await repository.fetchPendingSync().count == 2)
    try await repository.markChartersSynced([first.id, UUID()])
    #expect(try await repository.fetchPendingSync().map(\.id) == [second.id])
    #expect(try await repository.fetchCharter(id: first.id)?.syncStatus == .synced)
    try await repository.markChartersSynced([])
    #expect(try await repository.fetchPendingSync().count == 1)
  }

  @Test func `Invalid values are refused`() async throws {
    var crowded = CharterModel.sample()
    crowded.guests = 13
    var inDebt = CharterModel.sample()
    inDebt.budget = CharterBudget(amount: -1, currencyCode: "EUR")
    for charter in [crowded, inDebt] {
      let error = await #expect(throws: RepositoryError.self) {
        try await repository.createCharter(charter)
      }
      #expect(error?.asAppError.id == "database.refused")
    }
    #expect(try await fixture.count("charters") == 0)
  }

  // MARK: - Damage

  @Test func `A list leaves out unreadable rows, reports them, and returns the rest`()
    async throws
  {
    for day in 1...9 { _ = try await fixture.charter("\(day)", from: .day(6, day)) }
    try await fixture.run("UPDATE charters SET id = 'secret' WHERE name = '3'")
    try await fixture.run("UPDATE charters SET crew = '[' WHERE name IN ('7', '9')")
    let names = try await repository.fetchAllCharters().map(\.name)
    #expect(names == ["1", "2", "4", "5", "6", "8"])
    #expect(fixture.unreadableRowCount == 3)
    var lists = repository.charters().makeAsyncIterator()
    let list = try #require(try await lists.next(isolation: nil))
    #expect(list.rows.map(\.name) == names)
    #expect(list.unreadable.map(\.column) == ["id", "crew", "crew"])
    #expect(fixture.unreadableRowCount == 6)
  }

  @Test func `Fetching an unreadable charter throws an error with row and column`() async throws {
    let charter = try await fixture.charter()
    try await fixture.run("UPDATE charters SET budget = '{\"amount\":true}'")
    let id = charter.id
    await #expect(
      throws: RepositoryError.serializationFailed(row: id.uuidString, column: "budget")
    ) {
      _ = try await repository.fetchCharter(id: id)
    }
  }

  // MARK: - Logs, errors, observation

  @Test func `Each operation is logged by its start and its end`() async throws {
    let charter = try await fixture.charter()
    try await repository.deleteCharter(charter.id)
    #expect(
      fixture.log == [
        "debug createCharter started", "info createCharter completed",
        "debug deleteCharter started", "info deleteCharter completed",
      ])
    await fixture.database.database.close()
    _ = try? await repository.fetchAllCharters()
    #expect(
      fixture.log.suffix(2) == ["debug fetchAllCharters started", "error fetchAllCharters failed"])
  }

  @Test func `A closed database is reported as unavailable`() async throws {
    await fixture.database.database.close()
    await #expect(throws: RepositoryError.databaseUnavailable) {
      _ = try await repository.fetchAllCharters()
    }
    await #expect(throws: RepositoryError.databaseUnavailable) {
      try await repository.createCharter(.sample())
    }
  }

  @Test func `Charters are observed, and closing the database ends the observation with an error`()
    async throws
  {
    var charters = repository.charters().makeAsyncIterator()
    #expect(try await charters.next(isolation: nil) == ReadableRows())
    let charter = try await fixture.charter()
    #expect(try await charters.next(isolation: nil) == ReadableRows(rows: [charter]))
    try await repository.deleteCharter(charter.id)
    #expect(try await charters.next(isolation: nil) == ReadableRows())
    await fixture.database.database.close()
    await #expect(throws: RepositoryError.databaseUnavailable) {
      _ = try await charters.next(isolation: nil)
    }
    #expect(try await charters.next(isolation: nil) == nil)
  }

  @Test func `A row that a list left out is in it again once it is repaired`() async throws {
    let charter = try await fixture.charter()
    _ = try await fixture.database.database.write { try $0.damageCharters() }
    let error = RepositoryError.serializationFailed(row: charter.id.uuidString, column: "crew")
    var charters = repository.charters().makeAsyncIterator()
    let damaged = try #require(try await charters.next(isolation: nil))
    #expect(damaged.rows.isEmpty)
    #expect(damaged.unreadable.map { RepositoryError($0) } == [error])
    try await fixture.run("UPDATE charters SET crew = '[]'")
    #expect(try await charters.next(isolation: nil) == ReadableRows(rows: [charter]))
  }

  @Test func `One charter is observed through its changes until it is deleted`() async throws {
    var charter = try await fixture.charter()
    var charters = repository.charter(id: charter.id).makeAsyncIterator()
    #expect(try await charters.next(isolation: nil) == .some(charter))
    charter.name = "Renamed"
    try await repository.saveCharter(charter)
    #expect(try await charters.next(isolation: nil) == .some(charter))
    try await repository.deleteCharter(charter.id)
    #expect(try await charters.next(isolation: nil) == .some(nil))
  }
}
