import Foundation
import Offshore
import OffshorePresentation
import TestSupport
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
      checklistRepository: fixture.repository, executionRepository: fixture.repository)
  }

  /// Stores a charter with checklists of these titles.
  private func charter(with titles: String...) async throws -> (CharterModel, [Checklist]) {
    let charter = try await fixture.charter()
    var checklists: [Checklist] = []
    for title in titles {
      let checklist = try await fixture.checklist(title)
      try await fixture.repository.assignChecklist(checklist.id, toCharter: charter.id)
      checklists.append(checklist)
    }
    return (charter, checklists)
  }

  @Test func `It shows the charter and its own checklists, with their progress`() async throws {
    let (charter, checklists) = try await charter(with: "B", "A")
    let (begun, fresh) = (checklists[0], checklists[1])
    let spare = try await fixture.checklist("C")
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
    #expect(viewModel.availableChecklists.data?.map(\.id) == [spare.id])
  }

  @Test func `Progress and completion are observed`() async throws {
    let (charter, checklists) = try await charter(with: "A")
    let checklist = checklists[0]
    let viewModel = viewModel(charter.id)
    await viewModel.load()
    for item in 0..<3 { try await fixture.tick(item, of: checklist, in: charter) }
    await waitUntil { viewModel.checklists.data?.first?.percent == 100 }
    #expect(viewModel.checklists.data?.first?.completedAt == fixture.now)
    #expect(viewModel.checklists.data?.first?.status == .done)
    try await fixture.tick(0, of: checklist, in: charter, false)
    await waitUntil { viewModel.checklists.data?.first?.checkedCount == 2 }
    #expect(viewModel.checklists.data?.first?.completedAt == nil)
  }

  @Test func `A change of the charter shows, and so does its deletion elsewhere`()
    async throws
  {
    var charter = try await fixture.charter()
    let viewModel = viewModel(charter.id)
    await viewModel.load()
    charter.name = "Renamed"
    try await fixture.repository.saveCharter(charter)
    await waitUntil { viewModel.charter.data?.name == "Renamed" }
    try await fixture.repository.deleteCharter(charter.id)
    await waitUntil { viewModel.charter == .error(.database(.notFound)) }
  }

  @Test func `A charter shows before the list of charters contains it`() async throws {
    // This repository is not observed, so the list stays unchanged.
    let store = CharterStore(repository: FlakyRepository(fixture.repository))
    await store.loadCharters()
    #expect(store.charterState.isEmpty)
    let charter = try await fixture.charter()
    let viewModel = CharterDetailViewModel(
      charterID: charter.id, charterStore: store, libraryStore: libraryStore,
      checklistRepository: fixture.repository, executionRepository: fixture.repository)
    await viewModel.load()
    #expect(viewModel.charter == .loaded(charter))
  }

  @Test func `Unreadable progress is reported until it is repaired or deleted`() async throws {
    let (charter, checklists) = try await charter(with: "A", "B")
    let (damaged, good) = (checklists[0], checklists[1])
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
    let error = AppError.database(
      .unreadable(
        StoredPlace(
          table: "checklistExecutionStates", column: "itemStates", row: id.uuidString)))
    #expect(viewModel.checklists.data?.map(\.status) == [.unreadable, .begun])
    #expect(viewModel.checklists.data?.map(\.checkedCount) == [0, 1])
    #expect(viewModel.notices == [error])
    try await store(try #require(texts[0]))
    await waitUntil { viewModel.notices.isEmpty }
    #expect(viewModel.checklists.data?.map(\.status) == [.begun, .begun])
    try await store("{")
    await waitUntil { viewModel.notices == [error] }
    try await fixture.repository.clearExecutionState(
      checklistID: damaged.id, charterID: charter.id)
    await waitUntil { viewModel.notices.isEmpty }
    #expect(viewModel.checklists.data?.map(\.status) == [.notBegun, .begun])
  }

  @Test
  func
    `An unreadable checklist is left out and reported, and so are failures to read the checklists`()
    async throws
  {
    let (charter, checklists) = try await charter(with: "A", "B")
    let (damaged, good) = (checklists[0], checklists[1])
    let id = CharterChecklist.id(charterID: charter.id, checklistID: damaged.id)
    try await fixture.run("UPDATE charterChecklists SET sections = '[' WHERE id = \(id)")
    let viewModel = viewModel(charter.id)
    await viewModel.load()
    #expect(viewModel.checklists.data?.map(\.id) == [good.id])
    #expect(viewModel.notices.map(\.id) == ["database.unreadable"])
    await fixture.database.database.close()
    await waitUntil { viewModel.notices.count == 5 }
    #expect(viewModel.notices.suffix(4) == Array(repeating: .database(.readFailed), count: 4)[...])
    #expect(viewModel.checklists.data?.map(\.id) == [good.id])
  }

  @Test func `A charter that becomes unreadable is reported, and the last read value stays`()
    async throws
  {
    let charter = try await fixture.charter()
    let viewModel = viewModel(charter.id)
    await viewModel.load()
    _ = try await fixture.database.database.write { try $0.damageCharters() }
    await waitUntil { viewModel.notices == [.content(.unreadable)] }
    #expect(viewModel.charter == .loaded(charter))
  }

  @Test func `A missing charter is an error`() async {
    let viewModel = viewModel(UUID())
    await viewModel.load()
    #expect(viewModel.charter == .error(.database(.notFound)))
  }

  @Test func `Parts that failed to load are loaded when the screen loads again`() async throws {
    let (charter, checklists) = try await charter(with: "A")
    let spare = try await fixture.checklist("B")
    let repository = FlakyRepository(fixture.repository, failsParts: true)
    let viewModel = CharterDetailViewModel(
      charterID: charter.id, charterStore: CharterStore(repository: repository),
      libraryStore: LibraryStore(repository: repository), checklistRepository: repository,
      executionRepository: fixture.repository)
    await viewModel.load()
    #expect(viewModel.charter.isRetryable)
    #expect(viewModel.checklists.errorValue == .database(.readFailed))
    #expect(viewModel.availableChecklists.isRetryable)
    await viewModel.load()
    #expect(viewModel.checklists.data?.map(\.id) == checklists.map(\.id))
    #expect(viewModel.availableChecklists.data?.map(\.id) == [spare.id])
    #expect(viewModel.charter == .loaded(charter))
  }

  @Test func `Checklists are added, reordered and removed`() async throws {
    let (charter, _) = try await charter()
    var ids: [UUID] = []
    for title in ["A", "B", "C"] { ids.append(try await fixture.checklist(title).id) }
    let viewModel = viewModel(charter.id)
    await viewModel.load()
    #expect(viewModel.checklists.isEmpty)
    #expect(await !viewModel.assign(Set(ids + [UUID()])))
    #expect(viewModel.actionError == .database(.notFound))
    #expect(try await fixture.count("charterChecklists") == 0)
    #expect(await viewModel.assign(Set(ids)))
    await waitUntil { viewModel.checklists.data?.map(\.id) == ids }
    #expect(viewModel.availableChecklists.isEmpty)
    #expect(await viewModel.move(ids[2], to: 0))
    await waitUntil { viewModel.checklists.data?.map(\.id) == [ids[2], ids[0], ids[1]] }
    #expect(await viewModel.move(ids[2], to: 9))
    await waitUntil { viewModel.checklists.data?.map(\.id) == ids }
    #expect(viewModel.unassignedTitle == nil)
    #expect(await viewModel.unassign(ids[0]))
    #expect(viewModel.unassignedTitle == "A")
    await waitUntil { viewModel.checklists.data?.map(\.id) == [ids[1], ids[2]] }
    #expect(await viewModel.move(ids[0], to: 1))
    #expect(await viewModel.move(ids[1], to: 1))
    #expect(viewModel.unassignedTitle == nil)
    #expect(viewModel.availableChecklists.data?.map(\.id) == [ids[0]])
  }

  @Test func `A checklist can be chosen for the check-in, and the report begins with it`()
    async throws
  {
    let (charter, checklists) = try await charter(with: "A", "B")
    let viewModel = viewModel(charter.id)
    let report = CharterReportViewModel(
      charterID: charter.id, charterStore: charterStore, checklistRepository: fixture.repository,
      executionRepository: fixture.repository)
    await viewModel.load()
    await report.load()
    #expect(viewModel.checkInChecklistID == nil)
    #expect(report.parts.data?.map(\.id) == checklists.map(\.id))
    #expect(await viewModel.setCheckIn(true, checklistID: checklists[1].id))
    await waitUntil { viewModel.checkInChecklistID == checklists[1].id }
    await waitUntil { report.parts.data?.map(\.id) == checklists.reversed().map(\.id) }
    // Another checklist is not the one for the check-in, so this changes nothing.
    #expect(await viewModel.setCheckIn(false, checklistID: checklists[0].id))
    #expect(try await charterStore.fetchCharter(charter.id).checkInChecklistID == checklists[1].id)
    #expect(await viewModel.setCheckIn(false, checklistID: checklists[1].id))
    await waitUntil { viewModel.checkInChecklistID == nil }
    #expect(await viewModel.setCheckIn(true, checklistID: checklists[1].id))
    #expect(await viewModel.unassign(checklists[1].id))
    await waitUntil { viewModel.checkInChecklistID == nil }
  }

  @Test func `A reset can be undone`() async throws {
    let (charter, checklists) = try await charter(with: "A")
    try await fixture.tick(0, of: checklists[0], in: charter)
    let viewModel = viewModel(charter.id)
    await viewModel.load()
    let restore = try #require(await viewModel.resetChecklist(checklists[0].id))
    await waitUntil { viewModel.checklists.data?.first?.status == .notBegun }
    #expect(await viewModel.resetChecklist(checklists[0].id) == nil)
    #expect(viewModel.actionError == nil)
    try await restore()
    await waitUntil { viewModel.checklists.data?.first?.checkedCount == 1 }
  }

  @Test func `A charter is activated, then archived, and both are reverted`() async throws {
    let charter = try await fixture.charter()
    let viewModel = viewModel(charter.id)
    await viewModel.load()
    #expect(await viewModel.setActive(true))
    await waitUntil { viewModel.charter.data?.isActive == true }
    #expect(await viewModel.setArchived(true))
    await waitUntil { viewModel.charter.data?.isArchived == true }
    #expect(viewModel.charter.data?.isActive == false)
    #expect(await viewModel.setArchived(false))
    await waitUntil { viewModel.charter.data?.isArchived == false }
  }

  @Test func `Deactivating a charter that is not active any more leaves another one active`()
    async throws
  {
    let (charter, other) = (try await fixture.charter("A"), try await fixture.charter("B"))
    try await fixture.repository.setActiveCharter(charter.id)
    let repository = FlakyRepository(fixture.repository)
    let viewModel = CharterDetailViewModel(
      charterID: charter.id, charterStore: CharterStore(repository: repository),
      libraryStore: libraryStore, checklistRepository: fixture.repository,
      executionRepository: fixture.repository)
    await viewModel.load()
    try await fixture.repository.setActiveCharter(other.id)
    // Its charter is read once, so the screen still shows the former choice.
    #expect(viewModel.charter.data?.isActive == true)
    #expect(await viewModel.setActive(false))
    #expect(try await fixture.repository.fetchActiveCharter()?.id == other.id)
  }

  @Test func `A failed change is reported, leaves the display unchanged, and can be retried`()
    async throws
  {
    let (charter, checklists) = try await charter(with: "A", "B")
    let ids = checklists.map(\.id)
    let viewModel = viewModel(charter.id)
    await viewModel.load()
    try await fixture.run(
      """
      CREATE TRIGGER refuse BEFORE UPDATE ON charterChecklists
      BEGIN SELECT raise(ABORT, 'x'); END
      """)
    #expect(await !viewModel.move(ids[1], to: 0))
    #expect(viewModel.actionError == .database(.writeFailed))
    #expect(viewModel.checklists.data?.map(\.id) == ids)
    try await fixture.run("DROP TRIGGER refuse")
    #expect(await viewModel.move(ids[1], to: 0))
    #expect(viewModel.actionError == nil)
    await waitUntil { viewModel.checklists.data?.map(\.id) == ids.reversed() }
  }

  @Test func `Each kind of failed change is reported, changes nothing, and can be retried`()
    async throws
  {
    let (charter, checklists) = try await charter(with: "A")
    let (id, spare) = (checklists[0].id, try await fixture.checklist("B"))
    try await fixture.tick(0, of: checklists[0], in: charter)
    let viewModel = viewModel(charter.id)
    await viewModel.load()
    let changes: [(String, @MainActor () async -> Bool)] = [
      ("charterChecklists", { await viewModel.assign([spare.id]) }),
      ("charterChecklists", { await viewModel.unassign(id) }),
      ("checklistExecutionStates", { await viewModel.resetChecklist(id) != nil }),
      ("activeCharters", { await viewModel.setActive(true) }),
      ("activeCharters", { await viewModel.setActive(false) }),
      ("charters", { await viewModel.setCheckIn(true, checklistID: id) }),
      ("charters", { await viewModel.setArchived(true) }),
    ]
    for (table, change) in changes {
      let before = try await fixture.dump()
      try await fixture.refuse(changesOf: table)
      #expect(await !change())
      #expect(viewModel.actionError == .database(.writeFailed))
      try await fixture.accept()
      #expect(try await fixture.dump() == before)
      #expect(await change())
      #expect(viewModel.actionError == nil)
    }
  }

  @Test func `Deleting removes the charter, and a failure is shown`() async throws {
    let charter = try await fixture.charter()
    let viewModel = viewModel(charter.id)
    await viewModel.load()
    try await fixture.run(
      "CREATE TRIGGER refuse BEFORE DELETE ON charters BEGIN SELECT raise(ABORT, 'x'); END")
    #expect(await viewModel.delete() == nil)
    #expect(viewModel.actionError == .database(.writeFailed))
    try await fixture.run("DROP TRIGGER refuse")
    #expect(await viewModel.delete() != nil)
    #expect(viewModel.actionError == nil)
    #expect(try await fixture.count("charters") == 0)
  }

  @Test func `The view model is released while it observes`() async throws {
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
