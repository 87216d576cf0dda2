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

  @Test func `None is active until one is chosen, and another choice takes its place`()
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

  @Test func `Only the charter that is active is made inactive`() async throws {
    let (first, second) = (try await fixture.charter("1"), try await fixture.charter("2"))
    try await repository.endActivity(ofCharter: first.id)
    try await repository.setActiveCharter(second.id)
    try await repository.endActivity(ofCharter: first.id)
    #expect(try await activeID() == second.id)
    try await repository.endActivity(ofCharter: second.id)
    #expect(try await activeID() == nil)
  }

  @Test func `A charter that does not exist cannot be chosen or archived, and the choice stays`()
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
  func `Archiving the active one ends its being active, and leaving the archive does not renew it`()
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

  @Test func `Archiving by a save ends it too, and other saves do not`() async throws {
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

  @Test func `Choosing an archived one takes it out of the archive`() async throws {
    let charter = try await fixture.charter()
    try await repository.setArchived(true, charterID: charter.id)
    try await repository.setActiveCharter(charter.id)
    #expect(try await repository.fetchActiveCharter()?.isArchived == false)
  }

  @Test func `Archiving waits for the exchange, unless it changes nothing`() async throws {
    let charter = try await fixture.charter()
    try await repository.markChartersSynced([charter.id])
    try await repository.setArchived(false, charterID: charter.id)
    #expect(try await repository.fetchPendingSync() == [])
    try await repository.setArchived(true, charterID: charter.id)
    #expect(try await repository.fetchPendingSync().map(\.id) == [charter.id])
  }

  @Test func `A charter that is deleted, here or by another device, stops being active`()
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

  @Test func `The choice is the user's own`() async throws {
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

  @Test func `Of 100 choices and archivings at once one charter is active at the most`()
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

  @Test func `The active one is followed through choices, changes, and its end`() async throws {
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
  func `A choice that cannot be read is an error, while lists show, and is mended by another`()
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

  @Test func `A user that cannot be read is an error, while charters show`() async throws {
    let charter = try await fixture.charter()
    try await repository.setActiveCharter(charter.id)
    try await fixture.run("UPDATE settings SET value = 'nobody'")
    let error = RepositoryError.serializationFailed(row: "userID", column: "value")
    await #expect(throws: error) { _ = try await repository.fetchActiveCharter() }
    await #expect(throws: error) { try await repository.setActiveCharter(charter.id) }
    #expect(try await repository.fetchAllCharters() == [charter])
    #expect(try await repository.fetchCharter(id: charter.id) == charter)
  }

  @Test func `Who follows one charter is not woken by another`() async throws {
    let (charter, other) = (try await fixture.charter("1"), try await fixture.charter("2"))
    try await repository.setActiveCharter(charter.id)
    let fetches = Fixture.Collected<Bool>()
    var charters = fixture.database.database.values { reader in
      fetches.add(true)
      return try LocalRepository.charter(charter.id, reader)
    }.makeAsyncIterator()
    #expect(try await charters.next()??.isActive == true)
    try await repository.setArchived(true, charterID: other.id)
    _ = try await fixture.charter("3")
    try await repository.setArchived(true, charterID: charter.id)
    #expect(try await charters.next()??.isArchived == true)
    #expect(fetches.all.count == 2)
  }

  @Test func `A choice is logged like every operation`() async throws {
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
