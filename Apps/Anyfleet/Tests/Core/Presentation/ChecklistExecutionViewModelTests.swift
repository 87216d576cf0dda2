import AnyfleetTestSupport
import Foundation
import Offshore
import OffshorePresentation
import TestSupport
import Testing

@testable import Anyfleet

@MainActor @Suite(.timeLimit(.minutes(1)))
struct ChecklistExecutionViewModelTests {
  private let fixture: Fixture
  private let double: ExecutionDouble

  init() throws {
    fixture = try Fixture()
    double = ExecutionDouble(fixture.repository)
  }

  private func viewModel(
    _ checklist: Checklist, in charter: CharterModel
  ) -> ChecklistExecutionViewModel {
    ChecklistExecutionViewModel(
      libraryStore: LibraryStore(repository: fixture.repository), executionRepository: double,
      charterID: charter.id, checklistID: checklist.id)
  }

  /// Creates and loads a view model with its checklist of three items and its charter.
  private func loaded() async throws
    -> (viewModel: ChecklistExecutionViewModel, checklist: Checklist, charter: CharterModel)
  {
    let (charter, checklist) = (try await fixture.charter(), try await fixture.checklist())
    let viewModel = viewModel(checklist, in: charter)
    await viewModel.load()
    #expect(viewModel.loadError == nil)
    return (viewModel, checklist, charter)
  }

  // MARK: - Loading

  @Test func `A first opening starts empty, and writes nothing`() async throws {
    let (viewModel, checklist, _) = try await loaded()
    #expect(viewModel.checklist == checklist)
    #expect(viewModel.checkedItems.isEmpty)
    #expect(!viewModel.isLoading)
    #expect(try await fixture.count("checklistExecutionStates") == 0)
  }

  @Test func `Opening reads checklist and progress once each, and observes them from then on`()
    async throws
  {
    let (charter, checklist) = (try await fixture.charter(), try await fixture.checklist())
    try await fixture.tick(0, of: checklist, in: charter)
    let before = fixture.log.count
    let viewModel = viewModel(checklist, in: charter)
    await viewModel.load()
    #expect(viewModel.checkedCount == 1)
    #expect(
      Set(fixture.log.dropFirst(before)) == [
        "debug observeChecklistInCharter", "debug observeProgress",
      ])
  }

  @Test func `Sections are expanded by their default, and each can be folded and unfolded`()
    async throws
  {
    var checklist = Checklist.sample()
    let folded = ChecklistSection(id: UUID(), title: "Rest", isExpandedByDefault: false)
    checklist.sections.append(folded)
    try await fixture.repository.saveChecklist(checklist)
    let viewModel = viewModel(checklist, in: try await fixture.charter())
    await viewModel.load()
    #expect(viewModel.expandedSections == [checklist.sections[0].id])
    viewModel.toggleSection(folded.id)
    viewModel.toggleSection(checklist.sections[0].id)
    #expect(viewModel.expandedSections == [folded.id])
    await viewModel.load()
    #expect(viewModel.expandedSections == [folded.id])
  }

  @Test
  func `The state is loading until checklist and progress are read, once each`()
    async throws
  {
    let (charter, checklist) = (try await fixture.charter(), try await fixture.checklist())
    let viewModel = viewModel(checklist, in: charter)
    let before = fixture.log.count
    let loads = (0..<2).map { _ in Task.immediate { await viewModel.load() } }
    #expect(viewModel.isLoading && viewModel.checklist == nil)
    viewModel.toggleItem(checklist.items[0].id)
    #expect(viewModel.checkedItems.isEmpty)
    for load in loads { await load.value }
    #expect(!viewModel.isLoading && viewModel.checklist == checklist)
    #expect(fixture.log.dropFirst(before).count { $0 == "debug observeProgress" } == 1)
    await viewModel.settled()
    #expect(double.saves.isEmpty)
  }

  @Test func `An unknown checklist is an error, and nothing can be ticked`() async throws {
    let charter = try await fixture.charter()
    let checklist = Checklist.sample()
    let viewModel = viewModel(checklist, in: charter)
    await viewModel.load()
    #expect(viewModel.loadError == .database(.notFound))
    #expect(!viewModel.isLoading)
    viewModel.toggleItem(checklist.items[0].id)
    await viewModel.settled()
    #expect(viewModel.checkedItems.isEmpty)
    #expect(try await fixture.count("checklistExecutionStates") == 0)
  }

  @Test func `Damaged progress is an error that changes nothing on disk, and loads once repaired`()
    async throws
  {
    let (charter, checklist) = (try await fixture.charter(), try await fixture.checklist())
    try await fixture.tick(1, of: checklist, in: charter)
    let texts = try await fixture.texts("SELECT itemStates FROM checklistExecutionStates")
    let good = try #require(texts[0])
    try await fixture.run("UPDATE checklistExecutionStates SET itemStates = '{'")
    let viewModel = viewModel(checklist, in: charter)
    await viewModel.load()
    #expect(viewModel.loadError?.id == "database.unreadable")
    viewModel.toggleItem(checklist.items[0].id)
    await viewModel.settled()
    #expect(viewModel.checkedItems.isEmpty)
    #expect(try await fixture.texts("SELECT itemStates FROM checklistExecutionStates") == ["{"])
    try await fixture.run("UPDATE checklistExecutionStates SET itemStates = \(good)")
    await viewModel.load()
    #expect(viewModel.loadError == nil)
    #expect(viewModel.checkedItems == [checklist.items[1].id])
  }

  // MARK: - Toggling

  @Test func `A tick shows at once, and is stored when the view model has settled`() async throws {
    let (viewModel, checklist, charter) = try await loaded()
    let item = checklist.items[1].id
    viewModel.toggleItem(item)
    #expect(viewModel.checkedItems == [item])
    await viewModel.settled()
    #expect(viewModel.checkedItems == [item])
    #expect(try await fixture.state(checklist, in: charter)?.checkedCount == 1)
  }

  @Test func `Opening the checklist again restores the ticks, in that charter only`() async throws {
    let (first, checklist, charter) = try await loaded()
    first.toggleItem(checklist.items[0].id)
    first.toggleItem(checklist.items[2].id)
    await first.settled()
    let again = viewModel(checklist, in: charter)
    await again.load()
    #expect(again.checkedItems == [checklist.items[0].id, checklist.items[2].id])
    let elsewhere = viewModel(checklist, in: try await fixture.charter("Other"))
    await elsewhere.load()
    #expect(elsewhere.checkedItems.isEmpty)
  }

  @Test func `After rapid toggles the last state is stored, in order`() async throws {
    let (viewModel, checklist, charter) = try await loaded()
    let item = checklist.items[0].id
    let gate = Gate()
    double.beforeSave { await gate.pass() }
    viewModel.toggleItem(item)
    await gate.waitForArrivals()
    for _ in 0..<5 { viewModel.toggleItem(item) }
    #expect(viewModel.checkedItems.isEmpty)
    gate.open()
    await viewModel.settled()
    #expect(double.saves == [true, false])
    #expect(viewModel.checkedItems.isEmpty)
    #expect(try await fixture.state(checklist, in: charter)?.checkedCount == 0)
  }

  @Test func `Many items that are toggled at once are all stored`() async throws {
    let (charter, checklist) = (
      try await fixture.charter(), try await fixture.checklist(items: 100)
    )
    let viewModel = viewModel(checklist, in: charter)
    await viewModel.load()
    for item in checklist.items { viewModel.toggleItem(item.id) }
    #expect(viewModel.checkedCount == 100)
    await viewModel.settled()
    #expect(try await fixture.state(checklist, in: charter)?.checkedCount(in: checklist) == 100)
  }

  @Test func `An item that is not in the checklist cannot be toggled`() async throws {
    let (viewModel, _, _) = try await loaded()
    viewModel.toggleItem(UUID())
    await viewModel.settled()
    #expect(viewModel.checkedItems.isEmpty)
    #expect(double.saves.isEmpty)
  }

  // MARK: - Failing

  @Test func `A failed save reverts that item's tick and is reported`() async throws {
    let (viewModel, checklist, charter) = try await loaded()
    let (kept, lost) = (checklist.items[0].id, checklist.items[1].id)
    viewModel.toggleItem(kept)
    await viewModel.settled()
    double.beforeSave { throw RepositoryError.databaseUnavailable }
    viewModel.toggleItem(lost)
    #expect(viewModel.checkedItems == [kept, lost])
    await viewModel.settled()
    #expect(viewModel.checkedItems == [kept])
    #expect(viewModel.error(of: .tick(lost)) == .database(.writeFailed))
    #expect(viewModel.unsavedItems == [lost])
    double.beforeSave {}
    viewModel.toggleItem(lost)
    #expect(viewModel.unsavedItems.isEmpty)
    await viewModel.settled()
    #expect(viewModel.checkedItems == [kept, lost])
    #expect(try await fixture.state(checklist, in: charter)?.checkedCount == 2)
  }

  @Test func `An item that could not be unchecked shows as checked again`() async throws {
    let (viewModel, checklist, _) = try await loaded()
    let item = checklist.items[0].id
    viewModel.toggleItem(item)
    await viewModel.settled()
    double.beforeSave { throw RepositoryError.databaseUnavailable }
    viewModel.toggleItem(item)
    #expect(viewModel.checkedItems.isEmpty)
    await viewModel.settled()
    #expect(viewModel.checkedItems == [item])
  }

  @Test func `Ticking in a charter that was deleted meanwhile is an error`() async throws {
    let (viewModel, checklist, charter) = try await loaded()
    try await fixture.repository.deleteCharter(charter.id)
    viewModel.toggleItem(checklist.items[0].id)
    await viewModel.settled()
    #expect(viewModel.error(of: .tick(checklist.items[0].id)) == .database(.notFound))
    #expect(viewModel.checkedItems.isEmpty)
  }

  // MARK: - Progress

  @Test func `Progress counts current items, and open critical ones are listed`() async throws {
    let (viewModel, checklist, charter) = try await loaded()
    #expect((viewModel.itemCount, viewModel.checkedCount) == (3, 0))
    #expect(viewModel.openCriticalItems == [checklist.items[0]])
    // An item that was removed from the checklist does not count.
    try await fixture.repository.saveItemState(
      checklistID: checklist.id, charterID: charter.id, itemID: UUID(), isChecked: true)
    for item in checklist.items { viewModel.toggleItem(item.id) }
    await viewModel.settled()
    #expect((viewModel.itemCount, viewModel.checkedCount) == (3, 3))
    #expect(viewModel.openCriticalItems.isEmpty)
  }

  // MARK: - Life

  @Test func `The view model is released while it observes`() async throws {
    weak var released: ChecklistExecutionViewModel?
    do {
      let (viewModel, checklist, _) = try await loaded()
      viewModel.toggleItem(checklist.items[0].id)
      await viewModel.settled()
      released = viewModel
    }
    // The task that worked for the view model releases it later.
    while released != nil { await Task.yield() }
  }

  @Test func `A tick is stored even if its screen was closed`() async throws {
    let gate = Gate()
    var opened: (checklist: Checklist, charter: CharterModel)?
    double.beforeSave { await gate.pass() }
    do {
      let (viewModel, checklist, charter) = try await loaded()
      viewModel.toggleItem(checklist.items[0].id)
      opened = (checklist, charter)
    }
    await gate.waitForArrivals()
    gate.open()
    let (checklist, charter) = try #require(opened)
    var values = fixture.repository.progress(
      checklistID: checklist.id, charterID: charter.id
    ).makeAsyncIterator()
    while try await values.next(isolation: MainActor.shared)?.checkedItems.count != 1 {}
  }
}
