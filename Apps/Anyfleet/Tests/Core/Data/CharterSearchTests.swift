import AnyfleetTestSupport
import Foundation
import Offshore
import OffshoreCalendar
import TestSupport
import Testing

@testable import Anyfleet

struct CharterSearchTests {
  private let fixture: Fixture
  private var repository: LocalRepository { fixture.repository }
  private let today = CalendarDay(containing: .day(6, 6))

  init() throws { fixture = try Fixture() }

  private func names(_ filter: CharterFilter, matching text: String) async throws -> [String] {
    try await repository.fetchCharters(filter, on: today, matching: text).charters.map(\.name)
  }

  @Test(arguments: [
    ("kornati", ["1"]), ("sibenik", ["1", "2"]), ("ŠIB alm", ["2"]), ("ДАЛМАЦИЯ", ["3"]),
    ("елка", ["3"]), ("100%", []), ("_", []), ("'; --", []), (" ", ["1", "2", "3"]),
  ])
  func `Charters are found by words of name, boat, location and region, in any spelling`(
    _ text: String, _ found: [String]
  ) async throws {
    var charters = [CharterModel.sample("Kornati"), .sample("Week"), .sample("Ёлка")]
    charters[0].location = "Šibenik"
    charters[1].boatName = "Alma"
    charters[1].location = "Sibenik"
    charters[2].region = "Далмация"
    for (number, var charter) in charters.enumerated() {
      charter.startDate = .day(7, number + 1)
      charter.endDate = .day(8, 1)
      charters[number] = charter
      try await repository.createCharter(charter)
    }
    let ids = try await repository.fetchCharters(.upcoming, on: today, matching: text).charters
      .map(\.id)
    #expect(ids == found.compactMap { Int($0) }.map { charters[$0 - 1].id })
  }

  @Test func `The search text is updated by every save`() async throws {
    var charter = try await fixture.charter("Alma", from: .day(7, 1))
    #expect(try await names(.upcoming, matching: "alma") == ["Alma"])
    charter.name = "Zora"
    try await repository.saveCharter(charter)
    #expect(try await names(.upcoming, matching: "alma") == [])
    #expect(try await names(.upcoming, matching: "zora") == ["Zora"])
    try await repository.setArchived(true, charterID: charter.id)
    #expect(try await names(.archived, matching: "zora") == ["Zora"])
  }

  @Test func `A search finds the active charter too, and reports it if it is unreadable`()
    async throws
  {
    let charter = try await fixture.charter("Šibenik", from: .day(7, 1))
    try await repository.setActiveCharter(charter.id)
    func page(_ text: String) async throws -> CharterPage {
      try await repository.fetchCharters(
        [.active, .list(.upcoming)], on: today, matching: text, limit: 5)
    }
    #expect(try await page("sib").charters.map(\.isActive) == [true])
    #expect(try await page("split") == CharterPage())
    try await fixture.run("UPDATE charters SET budget = 1")
    let error = RepositoryError.serializationFailed(row: charter.id.uuidString, column: "budget")
    #expect(try await page("") == CharterPage(unreadable: [error]))
    #expect(fixture.unreadableRowCount == 1)
    await fixture.database.database.close()
    await #expect(throws: RepositoryError.databaseUnavailable) { _ = try await page("") }
  }
}
