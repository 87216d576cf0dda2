import Foundation
import Offshore
import OffshoreLogging
import OffshorePresentation
import TestSupport
import Testing

@testable import Anyfleet

@MainActor @Suite(.timeLimit(.minutes(1)))
struct AppDependenciesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func `A first start creates a user, who owns the three checklists of the library`()
    async throws
  {
    let user = UUID()
    let app = try await AppDependencies.makeForTesting { $0.makeID = { user } }
    #expect(app.session.userID == user)
    await app.libraryStore.load(Checklist.self)
    let checklists = try #require(app.libraryStore.checklists.data)
    #expect(checklists.map(\.title) == ["Departure", "Safety briefing", "Yacht check-in"])
    #expect(checklists.allSatisfy { $0.creatorID == user })
  }

  @Test func `The first start's checklists are in the language in use at that time, and stay so`()
    async throws
  {
    let path = folder.file("anyfleet.sqlite")
    var environment = AppDependencies.Environment()
    environment.preferredLanguage = .russian
    let first = try await AppDependencies.live(path: path, environment: environment)
    await first.libraryStore.load(Checklist.self)
    let titles = ["Выход в море", "Инструктаж по безопасности", "Приёмка яхты"]
    #expect(first.libraryStore.checklists.data?.map(\.title) == titles)
    await first.database.database.close()
    let second = try await AppDependencies.live(path: path)
    #expect(try await second.libraryRepository.fetchUserChecklists().map(\.title) == titles)
  }

  @Test func `A later start keeps the user, and does not restore deleted entries`() async throws {
    let path = folder.file("anyfleet.sqlite")
    let first = try await AppDependencies.live(path: path)
    let user = first.session.userID
    let checklists = try await first.libraryRepository.fetchUserChecklists()
    #expect(checklists.count == 3)
    for checklist in checklists {
      try await first.libraryStore.delete(Checklist.self, checklist.id)
    }
    await first.database.database.close()
    let second = try await AppDependencies.live(path: path)
    #expect(second.session.userID == user)
    #expect(try await second.libraryRepository.fetchUserChecklists() == [])
  }

  @Test func `All view models use one database`() async throws {
    let app = try await AppDependencies.makeForTesting {
      $0.now = { .day(6, 6) }
      $0.calendar = { .utc }
    }
    let create = app.makeCreateCharter()
    await create.draft.load()
    create.form.name = "Kornati"
    (create.form.startDate, create.form.endDate) = (.day(6, 6), .day(6, 13))
    let id = try #require(await create.saveCharter()).id
    let charter = try await app.charterStore.fetchCharter(id)
    let list = app.makeCharterList()
    await list.load()
    #expect(list.charters.data == [charter])
    let detail = app.makeCharterDetail(charter.id)
    await detail.load()
    let checklistID = try #require(detail.checklists.data?.first?.id)
    let execution = app.makeChecklistExecution(charterID: charter.id, checklistID: checklistID)
    await execution.load()
    execution.toggleItem(try #require(execution.checklist?.items.first?.id))
    await execution.settled()
    await waitUntil { detail.checklists.data?.first?.checkedCount == 1 }
  }

  @Test func `All objects are released with the dependencies`() async throws {
    weak var charters: CharterStore?
    weak var library: LibraryStore?
    do {
      let app = try await AppDependencies.makeForTesting()
      await app.charterStore.loadCharters()
      await app.libraryStore.load(Checklist.self)
      (charters, library) = (app.charterStore, app.libraryStore)
    }
    #expect(charters == nil)
    #expect(library == nil)
  }
}
