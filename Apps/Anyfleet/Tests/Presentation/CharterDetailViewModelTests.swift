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
    #expect(progress.map(\.status) == [.begun, .notBegun])
  }

  @Test func `Progress is observed live, and completion too`() async throws {
    let (charter, checklist) = (try await fixture.charter(), try await fixture.checklist())
    let viewModel = viewModel(charter.id)
    await viewModel.load()
    for item in 0..<3 { try await fixture.tick(item, of: checklist, in: charter) }
    await until { viewModel.checklists.data?.first?.percent == 100 }
    #expect(viewModel.checklists.data?.first?.completedAt == fixture.now)
    #expect(viewModel.checklists.data?.first?.status == .done)
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

  @Test func `A charter shows though a list of charters does not have it yet`() async throws {
    // This repository is not followed, so the list stays as it was.
    let store = CharterStore(repository: FailingFirst(fixture.repository))
    for _ in 0..<2 { await store.loadCharters() }
    #expect(store.charterState.isEmpty)
    let charter = try await fixture.charter()
    let viewModel = CharterDetailViewModel(
      charterID: charter.id, charterStore: store, libraryStore: libraryStore,
      executionRepository: fixture.repository)
    await viewModel.load()
    #expect(viewModel.charter == .loaded(charter))
  }

  @Test func `Progress that cannot be read is said, until it can be or is gone`() async throws {
    let charter = try await fixture.charter()
    let (damaged, good) = (try await fixture.checklist("A"), try await fixture.checklist("B"))
    try await fixture.tick(0, of: damaged, in: charter)
    try await fixture.tick(0, of: good, in: charter)
    let id = ChecklistExecutionState.id(charterID: charter.id, checklistID: damaged.id)
    let texts = try await fixture.texts(
      "SELECT itemStates FROM checklistExecutionStates WHERE id = \(id)")
    func store(_ json: String) async throws {
      try await fixture.run(
        "UPDATE checklistExecutionStates SET itemStates = \(json) WHERE id = \(id)")
    }
    try await store("{")
    let viewModel = viewModel(charter.id)
    await viewModel.load()
    let error = AppError.database(.corrupted(detail: "itemStates of \(id.uuidString)"))
    #expect(viewModel.checklists.data?.map(\.status) == [.unreadable, .begun])
    #expect(viewModel.checklists.data?.map(\.checkedCount) == [0, 1])
    #expect(viewModel.notices == [error])
    try await store(try #require(texts[0]))
    await until { viewModel.notices.isEmpty }
    #expect(viewModel.checklists.data?.map(\.status) == [.begun, .begun])
    try await store("{")
    await until { viewModel.notices == [error] }
    try await fixture.repository.clearExecutionState(
      checklistID: damaged.id, charterID: charter.id)
    await until { viewModel.notices.isEmpty }
    #expect(viewModel.checklists.data?.map(\.status) == [.notBegun, .begun])
  }

  @Test func `A checklist that cannot be read is left out and said, and so are its own failures`()
    async throws
  {
    let charter = try await fixture.charter()
    let (damaged, good) = (try await fixture.checklist("A"), try await fixture.checklist("B"))
    try await fixture.run("UPDATE checklists SET sections = '[' WHERE id = \(damaged.id)")
    let viewModel = viewModel(charter.id)
    await viewModel.load()
    #expect(viewModel.checklists.data?.map(\.id) == [good.id])
    #expect(viewModel.notices.map(\.id) == ["database.corrupted"])
    await fixture.database.database.close()
    await until { viewModel.notices.count == 4 }
    #expect(viewModel.notices.suffix(3) == Array(repeating: .database(.readFailed), count: 3)[...])
    #expect(viewModel.checklists.data?.map(\.id) == [good.id])
  }

  @Test func `A charter that becomes unreadable is said, and what was read stays`() async throws {
    let charter = try await fixture.charter()
    let viewModel = viewModel(charter.id)
    await viewModel.load()
    _ = try await fixture.database.database.write { try $0.damageCharters() }
    await until { viewModel.notices.map(\.id) == ["database.corrupted"] }
    #expect(viewModel.charter == .loaded(charter))
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

  @Test func `Charters that cannot be read are said, until they can be or are gone`() async throws {
    let charter = try await fixture.charter()
    _ = try await fixture.database.database.write { try $0.damageCharters() }
    await viewModel.load()
    let error = AppError.database(.corrupted(detail: "crew of \(charter.id.uuidString)"))
    #expect(viewModel.notices == [error])
    // There is one, which just does not show, so the list is not empty.
    #expect(viewModel.charters == .loaded([]))
    try await fixture.run("UPDATE charters SET crew = '[]'")
    await until { viewModel.charters.data == [charter] }
    #expect(viewModel.notices == [])
    _ = try await fixture.database.database.write { try $0.damageCharters() }
    await until { viewModel.notices == [error] }
    try await fixture.repository.deleteCharter(charter.id)
    await until { viewModel.charters.isEmpty && viewModel.notices.isEmpty }
  }

  @Test func `One that is deleted goes from the list`() async throws {
    let charter = try await fixture.charter()
    await viewModel.load()
    try await fixture.repository.deleteCharter(charter.id)
    await until { viewModel.charters.isEmpty }
  }

  @Test func `A failure to refresh is shown beside what is there`() async throws {
    let charter = try await fixture.charter()
    await viewModel.load()
    await fixture.database.database.close()
    await viewModel.refresh()
    #expect(viewModel.notices == [.database(.readFailed)])
    #expect(viewModel.charters.data == [charter])
  }
}
