import Foundation
import Offshore
import OffshorePresentation
import Testing

@testable import Anyfleet

@MainActor @Suite(.timeLimit(.minutes(1)))
struct CharterDetailViewModelTests {
  private let fixture: Fixture
  private let charterStore: CharterStore
  private let libraryStore: LibraryStore

  init() throws {
    fixture = try Fixture()
    charterStore = CharterStore(repository: fixture.repository)
    libraryStore = LibraryStore(repository: fixture.repository)
  }

  private func viewModel(_ charterID: UUID) -> CharterDetailViewModel {
    CharterDetailViewModel(
      charterID: charterID, charterStore: charterStore, libraryStore: libraryStore,
      executionRepository: fixture.repository)
  }

  @Test func `It shows the charter and the library's checklists, with their progress`() async throws
  {
    let charter = try await fixture.charter()
    let (begun, fresh) = (try await fixture.checklist("A"), try await fixture.checklist("B"))
    try await fixture.tick(0, of: begun, in: charter)
    let viewModel = viewModel(charter.id)
    #expect(viewModel.charter.isIdle)
    await viewModel.load()
    #expect(viewModel.charter == .loaded(charter))
    let progress = try #require(viewModel.checklists.data)
    #expect(progress.map(\.id) == [begun.id, fresh.id])
    #expect(progress.map(\.checkedCount) == [1, 0])
    #expect(progress.map(\.itemCount) == [3, 3])
    #expect(progress.map(\.percent) == [33, 0])
    #expect(progress.map(\.openCriticalCount) == [0, 1])
    #expect(progress.map(\.isBegun) == [true, false])
    #expect(progress.map(\.fraction) == [1.0 / 3, 0])
  }

  @Test func `Progress is observed live, and completion too`() async throws {
    let (charter, checklist) = (try await fixture.charter(), try await fixture.checklist())
    let viewModel = viewModel(charter.id)
    await viewModel.load()
    for item in 0..<3 { try await fixture.tick(item, of: checklist, in: charter) }
    await until { viewModel.checklists.data?.first?.percent == 100 }
    #expect(viewModel.checklists.data?.first?.completedAt == fixture.now)
    try await fixture.tick(0, of: checklist, in: charter, false)
    await until { viewModel.checklists.data?.first?.checkedCount == 2 }
    #expect(viewModel.checklists.data?.first?.completedAt == nil)
  }

  @Test func `A change of the charter shows, and so does that it was deleted elsewhere`()
    async throws
  {
    var charter = try await fixture.charter()
    let viewModel = viewModel(charter.id)
    await viewModel.load()
    charter.name = "Renamed"
    try await fixture.repository.saveCharter(charter)
    await until { viewModel.charter.data?.name == "Renamed" }
    try await fixture.repository.deleteCharter(charter.id)
    await until { viewModel.charter == .error(.database(.notFound)) }
  }

  @Test func `A charter that is not there is an error`() async {
    let viewModel = viewModel(UUID())
    await viewModel.load()
    #expect(viewModel.charter == .error(.database(.notFound)))
  }

  @Test func `What failed to load is loaded when the screen loads again`() async throws {
    let (charter, checklist) = (try await fixture.charter(), try await fixture.checklist())
    let repository = FailingFirst(fixture.repository)
    let viewModel = CharterDetailViewModel(
      charterID: charter.id, charterStore: CharterStore(repository: repository),
      libraryStore: LibraryStore(repository: repository), executionRepository: fixture.repository)
    await viewModel.load()
    #expect(viewModel.checklists.errorValue == .database(.readFailed))
    await viewModel.load()
    #expect(viewModel.checklists.data?.map(\.id) == [checklist.id])
    #expect(viewModel.charter == .loaded(charter))
  }

  @Test func `Deleting removes the charter, and a failure is shown`() async throws {
    let charter = try await fixture.charter()
    let viewModel = viewModel(charter.id)
    await viewModel.load()
    try await fixture.run(
      "CREATE TRIGGER refuse BEFORE DELETE ON charters BEGIN SELECT raise(ABORT, 'x'); END")
    #expect(await !viewModel.delete())
    #expect(viewModel.deleteError == .database(.writeFailed))
    try await fixture.run("DROP TRIGGER refuse")
    #expect(await viewModel.delete())
    #expect(viewModel.deleteError == nil)
    #expect(try await fixture.count("charters") == 0)
  }

  @Test func `It is released while it follows`() async throws {
    let charter = try await fixture.charter()
    weak var released: CharterDetailViewModel?
    do {
      let viewModel = viewModel(charter.id)
      await viewModel.load()
      released = viewModel
    }
    #expect(released == nil)
  }
}

@MainActor @Suite(.timeLimit(.minutes(1)))
struct CharterListViewModelTests {
  private let fixture: Fixture
  private let viewModel: CharterListViewModel

  init() throws {
    let fixture = try Fixture()
    self.fixture = fixture
    fixture.now = .day(6, 12)
    viewModel = CharterListViewModel(
      store: CharterStore(
        repository: fixture.repository, now: { fixture.now }, calendar: { .utc }))
  }

  @Test func `All charters show by phase, and a filter shows one`() async throws {
    for (name, day) in [("past", 1), ("future", 20), ("present", 10)] {
      _ = try await fixture.charter(name, from: .day(6, day))
    }
    await viewModel.load()
    #expect(viewModel.charters.data?.map(\.name) == ["present", "future", "past"])
    for (phase, name) in [
      (CharterPhase.past, "past"), (.inProgress, "present"), (.upcoming, "future"),
    ] {
      viewModel.filter = phase
      #expect(viewModel.charters.data?.map(\.name) == [name])
    }
  }

  @Test func `What failed to load is loaded when the screen loads again`() async throws {
    let charter = try await fixture.charter()
    let viewModel = CharterListViewModel(
      store: CharterStore(repository: FailingFirst(fixture.repository)))
    await viewModel.load()
    #expect(viewModel.charters.errorValue == .database(.readFailed))
    await viewModel.load()
    #expect(viewModel.charters.data == [charter])
  }

  @Test func `No charter, and none of a phase, are empty`() async throws {
    #expect(viewModel.charters.isIdle)
    await viewModel.load()
    #expect(viewModel.charters.isEmpty)
    _ = try await fixture.charter("past", from: .day(6, 1))
    await until { viewModel.charters.data?.count == 1 }
    viewModel.filter = .upcoming
    #expect(viewModel.charters.isEmpty)
  }

  @Test func `Deleting one takes it from the list`() async throws {
    let charter = try await fixture.charter()
    await viewModel.load()
    await viewModel.delete(charter.id)
    await until { viewModel.charters.isEmpty }
    #expect(viewModel.deleteError == nil)
  }

  @Test func `A failure to delete is shown, and one to refresh beside what is there`() async throws
  {
    let charter = try await fixture.charter()
    await viewModel.load()
    await fixture.database.database.close()
    await viewModel.delete(charter.id)
    #expect(viewModel.deleteError == .database(.writeFailed))
    await viewModel.refresh()
    #expect(viewModel.refreshError == .database(.readFailed))
    #expect(viewModel.charters.data == [charter])
  }
}
