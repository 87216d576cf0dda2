import Foundation
import Offshore
import OffshoreCalendar
import Testing

@testable import Anyfleet

struct ActiveCharterTests {
  private let fixture: Fixture
  private var repository: LocalRepository { fixture.repository }

  init() throws { fixture = try Fixture() }

  private func activeID() async throws -> UUID? {
    try await repository.fetchActiveCharter()?.id
  }

  @Test func `No charter is active until one is chosen, and another choice replaces it`()
    async throws
  {
    let (first, second) = (try await fixture.charter("1"), try await fixture.charter("2"))
    #expect(try await repository.fetchActiveCharter() == nil)
    try await repository.setActiveCharter(first.id)
    var active = first
    active.isActive = true
    #expect(try await repository.fetchActiveCharter() == active)
    try await repository.setActiveCharter(second.id)
    #expect(try await activeID() == second.id)
    #expect(try await repository.fetchCharter(id: first.id)?.isActive == false)
    try await repository.setActiveCharter(nil)
    #expect(try await repository.fetchActiveCharter() == nil)
    #expect(try await fixture.count("activeCharters") == 1)
  }

  @Test func `Only the active charter is deactivated`() async throws {
    let (first, second) = (try await fixture.charter("1"), try await fixture.charter("2"))
    try await repository.deactivateCharter(first.id)
    try await repository.setActiveCharter(second.id)
    try await repository.deactivateCharter(first.id)
    #expect(try await activeID() == second.id)
    try await repository.deactivateCharter(second.id)
    #expect(try await activeID() == nil)
  }

  @Test func `A missing charter cannot be activated or archived, and the choice stays`()
    async throws
  {
    let charter = try await fixture.charter()
    try await repository.setActiveCharter(charter.id)
    await #expect(throws: RepositoryError.notFound) {
      try await repository.setActiveCharter(UUID())
    }
    await #expect(throws: RepositoryError.notFound) {
      try await repository.setArchived(true, charterID: UUID())
    }
    #expect(try await activeID() == charter.id)
  }

  @Test
  func `Archiving the active charter deactivates it, and unarchiving does not activate it`()
    async throws
  {
    let charter = try await fixture.charter()
    try await repository.setActiveCharter(charter.id)
    try await repository.setArchived(true, charterID: charter.id)
    #expect(try await repository.fetchActiveCharter() == nil)
    try await repository.setArchived(false, charterID: charter.id)
    #expect(try await repository.fetchActiveCharter() == nil)
    #expect(try await repository.fetchCharter(id: charter.id) == charter)
  }

  @Test func `Archiving by a save deactivates too, and other saves do not`() async throws {
    var charter = try await fixture.charter()
    try await repository.setActiveCharter(charter.id)
    charter.name = "Renamed"
    try await repository.saveCharter(charter)
    #expect(try await activeID() == charter.id)
    charter.isArchived = true
    charter.isActive = true
    try await repository.saveCharter(charter)
    #expect(try await repository.fetchActiveCharter() == nil)
    charter.isArchived = false
    try await repository.saveCharter(charter)
    #expect(try await repository.fetchActiveCharter() == nil)
  }

  @Test func `Activating an archived charter unarchives it`() async throws {
    let charter = try await fixture.charter()
    try await repository.setArchived(true, charterID: charter.id)
    try await repository.setActiveCharter(charter.id)
    #expect(try await repository.fetchActiveCharter()?.isArchived == false)
  }

  @Test func `Archiving is a pending change, unless it changes nothing`() async throws {
    let charter = try await fixture.charter()
    try await repository.markChartersSynced([charter.id])
    try await repository.setArchived(false, charterID: charter.id)
    #expect(try await repository.fetchPendingSync() == [])
    try await repository.setArchived(true, charterID: charter.id)
    #expect(try await repository.fetchPendingSync().map(\.id) == [charter.id])
  }

  @Test func `A charter that is deleted, here or by another device, is not active any more`()
    async throws
  {
    let (first, second) = (try await fixture.charter("1"), try await fixture.charter("2"))
    try await repository.setActiveCharter(first.id)
    try await repository.deleteCharter(first.id)
    #expect(try await repository.fetchActiveCharter() == nil)
    #expect(try await fixture.texts("SELECT charterID FROM activeCharters") == [nil])
    try await repository.setActiveCharter(second.id)
    try await fixture.run("DELETE FROM charters")
    #expect(try await repository.fetchActiveCharter() == nil)
  }

  @Test func `The choice is stored for each user`() async throws {
    let (first, second) = (try await fixture.charter("1"), try await fixture.charter("2"))
    let (user, other) = (UUID(), UUID())
    try await fixture.run("UPDATE settings SET value = \(user)")
    try await repository.setActiveCharter(first.id)
    #expect(try await fixture.texts("SELECT userID FROM activeCharters") == [user.uuidString])
    try await fixture.run("UPDATE settings SET value = \(other)")
    #expect(try await repository.fetchActiveCharter() == nil)
    try await repository.setActiveCharter(second.id)
    #expect(try await activeID() == second.id)
    try await fixture.run("UPDATE settings SET value = \(user)")
    #expect(try await activeID() == first.id)
  }

  @Test func `After 100 concurrent activations and archivings at most one charter is active`()
    async throws
  {
    var charters: [CharterModel] = []
    for number in 0..<10 { charters.append(try await fixture.charter("\(number)")) }
    let today = CalendarDay(containing: fixture.now)
    try await withThrowingTaskGroup(of: Void.self) { [charters] group in
      for number in 0..<100 {
        let charter = charters[number % 10]
        group.addTask {
          switch number % 4 {
          case 0, 1: try await repository.setActiveCharter(charter.id)
          case 2: try await repository.setArchived(true, charterID: charter.id)
          default: try await repository.setArchived(false, charterID: charter.id)
          }
        }
        group.addTask {
          let all = try await repository.fetchAllCharters()
          #expect(all.count(where: \.isActive) <= 1)
          #expect(!all.contains { $0.isActive && $0.isArchived })
        }
        group.addTask {
          let page = try await repository.fetchCharters(.inProgress, on: today)
          #expect(!page.charters.contains { $0.isActive || $0.isArchived })
        }
      }
      try await group.waitForAll()
    }
    #expect(try await fixture.count("activeCharters") == 1)
  }

  // MARK: - Observation and damage

  @Test func `The active charter is observed through activations, changes and its deletion`()
    async throws
  {
    var charter = try await fixture.charter()
    var active = repository.activeCharter().makeAsyncIterator()
    #expect(try await active.next(isolation: nil) == .some(nil))
    try await repository.setActiveCharter(charter.id)
    #expect(try await active.next(isolation: nil)??.id == charter.id)
    charter.name = "Renamed"
    try await repository.saveCharter(charter)
    #expect(try await active.next(isolation: nil)??.name == "Renamed")
    try await repository.setArchived(true, charterID: charter.id)
    #expect(try await active.next(isolation: nil) == .some(nil))
    try await repository.setActiveCharter(charter.id)
    #expect(try await active.next(isolation: nil)??.id == charter.id)
    try await repository.deleteCharter(charter.id)
    #expect(try await active.next(isolation: nil) == .some(nil))
  }

  @Test
  func `An unreadable choice is an error while lists show, and another choice replaces it`()
    async throws
  {
    let charter = try await fixture.charter()
    let user = try await fixture.userID()
    try await fixture.run("INSERT INTO activeCharters VALUES (\(user), 'nothing')")
    await #expect(
      throws: RepositoryError.serializationFailed(row: user.uuidString, column: "charterID")
    ) {
      _ = try await repository.fetchActiveCharter()
    }
    #expect(try await repository.fetchAllCharters() == [charter])
    #expect(try await repository.fetchCharter(id: charter.id) == charter)
    try await repository.setActiveCharter(charter.id)
    #expect(try await activeID() == charter.id)
  }

  @Test func `An unreadable user is an error while charters show`() async throws {
    let charter = try await fixture.charter()
    try await repository.setActiveCharter(charter.id)
    try await fixture.run("UPDATE settings SET value = 'nobody'")
    let error = RepositoryError.serializationFailed(row: "userID", column: "value")
    await #expect(throws: error) { _ = try await repository.fetchActiveCharter() }
    await #expect(throws: error) { try await repository.setActiveCharter(charter.id) }
    #expect(try await repository.fetchAllCharters() == [charter])
    #expect(try await repository.fetchCharter(id: charter.id) == charter)
  }

  @Test func `An observation of one charter ignores changes of another`() async throws {
    let (charter, other) = (try await fixture.charter("1"), try await fixture.charter("2"))
    try await repository.setActiveCharter(charter.id)
    let fetches = Fixture.Collected<Bool>()
    var charters = fixture.database.database.values { reader in
      fetches.add(true)
      return try CharterRow.charter(charter.id, reader)
    }.makeAsyncIterator()
    #expect(try await charters.next()??.isActive == true)
    try await repository.setArchived(true, charterID: other.id)
    _ = try await fixture.charter("3")
    try await repository.setArchived(true, charterID: charter.id)
    #expect(try await charters.next()??.isArchived == true)
    #expect(fetches.all.count == 2)
  }

  @Test func `An activation is logged like every operation`() async throws {
    let charter = try await fixture.charter()
    try await repository.setActiveCharter(charter.id)
    try await repository.setArchived(true, charterID: charter.id)
    _ = try await repository.fetchActiveCharter()
    #expect(
      fixture.log.suffix(6) == [
        "debug setActiveCharter started", "info setActiveCharter completed",
        "debug setArchived started", "info setArchived completed",
        "debug fetchActiveCharter started", "info fetchActiveCharter completed",
      ])
  }
}
