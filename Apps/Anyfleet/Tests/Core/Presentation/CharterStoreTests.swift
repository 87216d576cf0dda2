import AnyfleetTestSupport
import Foundation
import Offshore
import OffshorePresentation
import TestSupport
import Testing

@testable import Anyfleet

@MainActor @Suite(.timeLimit(.minutes(1)))
struct CharterStoreTests {
  private let fixture: Fixture
  private let store: CharterStore

  init() throws {
    fixture = try Fixture()
    store = fixture.makeCharterStore()
  }

  @Test func `Charters are loaded from this device and observed`() async throws {
    #expect(store.charterState.isIdle)
    await store.loadCharters()
    #expect(store.charterState.isEmpty)
    let charter = try await fixture.charter()
    await waitUntil { store.charters == [charter] }
    try await store.deleteCharter(charter.id)
    await waitUntil { store.charterState.isEmpty }
    #expect(store.charters == [])
  }

  @Test func `A new charter is stored with nil for blank texts`() async throws {
    let charter = try await store.createCharter(
      name: " Kornati ", boatName: "  ", location: nil, startDate: .day(7, 1), endDate: .day(7, 8),
      region: "Dalmatia", guests: 4)
    #expect(charter.name == "Kornati")
    #expect(charter.boatName == nil)
    #expect(charter.region == "Dalmatia")
    #expect(charter.createdAt == fixture.now)
    #expect(charter.syncStatus == .pending)
    #expect(try await store.fetchCharter(charter.id) == charter)
  }

  @Test func `Creating a charter twice stores one, and a different charter with its id is refused`()
    async throws
  {
    let id = UUID()
    func create(_ name: String) async throws -> CharterModel {
      try await store.createCharter(
        name: name, boatName: nil, location: nil, startDate: .day(7, 1), endDate: .day(7, 8), id: id
      )
    }
    let charter = try await create("Kornati")
    fixture.now = .day(6, 7)
    #expect(try await create(" Kornati ") == charter)
    await #expect(throws: DraftError.self) { _ = try await create("Split") }
    #expect(try await fixture.repository.fetchAllCharters() == [charter])
  }

  @Test func `Creating a charter again with other checklists is refused`() async throws {
    let (first, second) = (try await fixture.checklist("A"), try await fixture.checklist("B"))
    let id = UUID()
    func create(_ checklists: Checklist...) async throws -> CharterModel {
      try await store.createCharter(
        name: "Kornati", boatName: nil, location: nil, startDate: .day(7, 1), endDate: .day(7, 8),
        checklistIDs: checklists.map(\.id), id: id)
    }
    let charter = try await create(first, second)
    #expect(try await create(second, first) == charter)
    for checklists in [[first], []] {
      let error = await #expect(throws: DraftError.self) {
        _ = try await store.createCharter(
          name: "Kornati", boatName: nil, location: nil, startDate: .day(7, 1),
          endDate: .day(7, 8), checklistIDs: checklists.map(\.id), id: id)
      }
      guard case .exists? = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
    }
    #expect(try await fixture.repository.fetchChecklistIDs(ofCharter: id) == [first.id, second.id])
    try await fixture.run("UPDATE charterChecklists SET sections = '['")
    #expect(try await create(first, second) == charter, "damaged checklists count, too")
  }

  @Test func `A changed charter is pending again`() async throws {
    var charter = try await fixture.charter()
    try await fixture.repository.markChartersSynced([charter.id])
    charter.name = "Renamed"
    charter.syncStatus = .synced
    try await store.updateCharter(charter)
    let stored = try await store.fetchCharter(charter.id)
    #expect(stored.name == "Renamed")
    #expect(stored.syncStatus == .pending)
  }

  @Test func `A missing charter is an error`() async {
    await #expect(throws: RepositoryError.notFound) { _ = try await store.fetchCharter(UUID()) }
  }

  @Test(arguments: ["UTC", "Europe/Moscow", "Pacific/Kiritimati", "Pacific/Pago_Pago"])
  func `A charter begins with its first day and is past after its last, in the device's time zone`(
    _ zone: String
  ) async throws {
    let calendar = try Calendar.gregorian(in: zone)
    let store = CharterStore(
      repository: fixture.repository, now: { [fixture] in fixture.now }, calendar: { calendar })
    let charter = try await fixture.charter(from: .day(6, 6))
    for (day, hour, minute, phase) in [
      (5, 23, 59, CharterPhase.upcoming), (6, 0, 1, .inProgress), (13, 0, 1, .inProgress),
      (13, 23, 59, .inProgress), (14, 0, 1, .past),
    ] {
      fixture.now = try calendar.moment(6, day, hour, minute)
      await store.loadCharters()
      await waitUntil { store.charters(of: phase) == [charter] }
      #expect(store.phase(of: charter) == phase)
      for other in CharterPhase.allCases where other != phase {
        await waitUntil { store.charters(of: other) == [] }
      }
    }
  }

  @Test func `The lists of phases depend on the current day, which can change`() async throws {
    for (name, day) in [("past", 1), ("present", 10), ("future", 20)] {
      _ = try await fixture.charter(name, from: .day(6, day))
    }
    fixture.now = .day(6, 12)
    await store.loadCharters()
    #expect(store.pastCharters.map(\.name) == ["past"])
    #expect(store.inProgressCharters.map(\.name) == ["present"])
    #expect(store.upcomingCharters.map(\.name) == ["future"])
    #expect(store.activeCharters.map(\.name) == ["past", "present", "future"])
    #expect(store.activeCharterCount == 3)
    fixture.now = .day(7, 12)
    store.today.refresh()
    await waitUntil { store.pastCharters.map(\.name) == ["future", "present", "past"] }
    await waitUntil { store.inProgressCharters.isEmpty && store.upcomingCharters.isEmpty }
  }

  @Test func `Lists and counts are right whichever page is loaded`() async throws {
    for day in 1...25 { _ = try await fixture.charter("\(day)", from: .day(5, day)) }
    fixture.now = .day(6, 12)
    await store.loadCharters()
    #expect(store.charters.count == 20)
    #expect(store.pastCharters.count == 25)
    #expect(store.activeCharterCount == 25)
    await store.loadMoreChartersIfNeeded(currentCharter: store.charters[14])
    #expect(store.charters.count == 20)
    await store.loadMoreChartersIfNeeded(currentCharter: store.charters[15])
    #expect(store.charters.count == 25)
    await store.refreshCharters()
    #expect(store.charters.count == 25)
  }

  @Test func `The first page is read before the lists, which may be long`() async throws {
    _ = try await fixture.charter()
    await store.loadCharters()
    let page = try #require(fixture.log.firstIndex(of: "info fetchCharters completed"))
    let list = try #require(fixture.log.firstIndex(of: "debug observeCharterList"))
    #expect(page < list)
    #expect(fixture.log.count { $0 == "info fetchCharters completed" } == 1)
  }

  @Test func `The active and the archived charters are only in their own lists`() async throws {
    let (first, second) = (try await fixture.charter("A"), try await fixture.charter("B"))
    await store.loadCharters()
    try await store.setActive(first.id)
    await waitUntil { store.activeCharter?.id == first.id }
    await waitUntil { store.inProgressCharters.map(\.id) == [second.id] }
    try await store.setArchived(true, charterID: second.id)
    await waitUntil { store.archivedCharters.map(\.id) == [second.id] }
    await waitUntil { store.inProgressCharters.isEmpty && store.charters.map(\.id) == [first.id] }
    try await store.setActive(nil)
    await waitUntil { store.activeCharter == nil }
  }

  @Test func `A deleted charter is restored completely`() async throws {
    let (charter, checklist) = (try await fixture.charter(), try await fixture.checklist())
    try await fixture.tick(0, of: checklist, in: charter)
    let restore = try #require(try await store.deleteCharter(charter.id))
    #expect(try await store.deleteCharter(charter.id) == nil)
    #expect(try await fixture.count("charters") == 0)
    try await restore()
    #expect(try await fixture.state(checklist, in: charter)?.checkedCount == 1)
  }

  @Test func `A change does not restore a charter that was deleted meanwhile`() async throws {
    let charter = try await fixture.charter()
    try await store.deleteCharter(charter.id)
    await #expect(throws: RepositoryError.notFound) { try await store.updateCharter(charter) }
    #expect(try await fixture.count("charters") == 0)
  }

  @Test func `A failure to load shows an error that can be retried`() async throws {
    await fixture.database.database.close()
    await store.loadCharters()
    #expect(store.charterState.errorValue == .database(.readFailed))
    #expect(store.charterState.isRetryable)
  }

  @Test func `Parts that failed to load report it, and are loaded when requested again`()
    async throws
  {
    let charter = try await fixture.charter()
    let store = CharterStore(
      repository: FlakyRepository(fixture.repository, failsParts: true), now: { .day(6, 6) },
      calendar: { .utc })
    await store.loadCharters()
    #expect(store.inProgressCharters == [] && store.activeCharterCount == 0)
    #expect(store.refreshError == .database(.readFailed))
    // The pages read some of the same rows.
    while store.refreshError != nil { await store.refreshCharters() }
    #expect(store.charters == [charter])
    #expect(store.inProgressCharters == [charter] && store.activeCharterCount == 1)
  }

  @Test func `An unreadable charter is reported once, whichever lists it is in`() async throws {
    let charter = try await fixture.charter()
    _ = try await fixture.charter("Damaged")
    try await fixture.run("UPDATE charters SET crew = '[' WHERE name = 'Damaged'")
    await store.loadCharters()
    #expect(store.charters == [charter])
    #expect(store.unreadable.count == 1)
  }

  @Test func `The store is released while it observes`() async throws {
    weak var released: CharterStore?
    do {
      let store = CharterStore(repository: fixture.repository)
      await store.loadCharters()
      released = store
    }
    #expect(released == nil)
  }
}

extension CharterStore {
  fileprivate func charters(of phase: CharterPhase) -> [CharterModel] {
    switch phase {
    case .upcoming: upcomingCharters
    case .inProgress: inProgressCharters
    case .past: pastCharters
    }
  }
}
