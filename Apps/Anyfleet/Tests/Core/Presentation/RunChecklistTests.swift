import Foundation
import Observation
import Offshore
import OffshorePresentation
import Synchronization
import TestSupport
import Testing

@testable import Anyfleet

/// The choice of the checklist to run, and its observation.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct RunChecklistTests {
  /// The checklist with another title and one more section.
  private func changed(_ checklist: Checklist) -> Checklist {
    var changed = checklist
    changed.title = "Changed on board"
    changed.sections.append(
      ChecklistSection(
        id: UUID(), title: "New", items: [ChecklistItem(id: UUID(), title: "Added")]))
    return changed
  }

  @Test func `A tick changes the state of its item, and not that of the page`() async throws {
    let run = try await ChecklistRun()
    let viewModel = await run.loaded()
    let isPageChanged = Mutex(false)
    withObservationTracking {
      _ = (viewModel.checklist, viewModel.loadError, viewModel.canEdit, viewModel.charter)
    } onChange: {
      isPageChanged.withLock { $0 = true }
    }
    let isItemChanged = Mutex(false)
    withObservationTracking {
      _ = viewModel.check(of: run.item(0))
    } onChange: {
      isItemChanged.withLock { $0 = true }
    }
    viewModel.toggleItem(run.item(0))
    await viewModel.settled()
    #expect(isItemChanged.withLock { $0 })
    #expect(!isPageChanged.withLock { $0 })
  }

  @Test func `A charter runs its snapshot, which changes of the library do not affect`()
    async throws
  {
    let run = try await ChecklistRun()
    try await run.fixture.repository.assignChecklist(run.checklist.id, toCharter: run.charter.id)
    try await run.fixture.repository.saveChecklist(changed(run.checklist))
    #expect(await run.loaded().checklist == run.checklist)
    let other = run.makeScreen(in: try await run.fixture.charter("Other"))
    await other.load()
    #expect(other.checklist?.title == "Changed on board")
  }

  @Test func `Storing a tick, a note or an issue adds a missing checklist to the charter`()
    async throws
  {
    let run = try await ChecklistRun()
    let (repository, id) = (run.fixture.repository, run.charter.id)
    let viewModel = ChecklistExecutionViewModel(
      libraryStore: LibraryStore(repository: repository), executionRepository: repository,
      charterID: id, checklistID: run.checklist.id, assigns: true)
    await viewModel.load()
    #expect(try await repository.fetchCharterChecklists(id).isEmpty)
    let changes: [@MainActor () -> Void] = [
      { viewModel.toggleItem(run.item(0)) }, { viewModel.setNote(run.item(1), to: "Torn") },
      { viewModel.setIssue(run.item(1), to: .damaged) },
    ]
    for change in changes {
      change()
      await viewModel.settled()
      #expect(viewModel.unsavedItems.isEmpty)
      #expect(try await repository.fetchCharterChecklists(id).map(\.snapshot) == [run.checklist])
      try await repository.unassignChecklist(run.checklist.id, fromCharter: id)
    }
    try await repository.deleteChecklist(run.checklist.id)
    viewModel.toggleItem(run.item(2))
    await viewModel.settled()
    #expect(try await run.state()?.checkedCount == 2)
  }

  @Test func `A tick is one operation, even if it adds the checklist to the charter`() async throws
  {
    let run = try await ChecklistRun()
    let (fixture, id) = (run.fixture, run.charter.id)
    let viewModel = ChecklistExecutionViewModel(
      libraryStore: LibraryStore(repository: fixture.repository),
      executionRepository: fixture.repository, charterID: id, checklistID: run.checklist.id,
      assigns: true)
    await viewModel.load()
    try await fixture.run(
      """
      CREATE TRIGGER refuse BEFORE INSERT ON checklistExecutionStates
      BEGIN SELECT raise(ABORT, 'x'); END
      """)
    viewModel.toggleItem(run.item(0))
    await viewModel.settled()
    #expect(viewModel.error(of: .tick(run.item(0))) == .database(.writeFailed))
    #expect(try await fixture.count("charterChecklists") == 0)
    try await fixture.run("DROP TRIGGER refuse")
    let before = fixture.log.count
    viewModel.toggleItem(run.item(0))
    await viewModel.settled()
    let operations = fixture.log.dropFirst(before).filter { $0.hasPrefix("info") }
    #expect(operations == ["info saveItemState completed"])
    #expect(try await fixture.count("charterChecklists") == 1)
  }

  @Test func `An unreadable note is reported, and the checklist can still be run`()
    async throws
  {
    let run = try await ChecklistRun()
    try await run.note(0, "Torn")
    try await run.note(1, "Worn")
    try await run.fixture.run(
      "UPDATE checklistItemNotes SET issue = 'lost' WHERE note = 'Torn'")
    let viewModel = await run.loaded()
    #expect(viewModel.unreadable.count == 1)
    #expect(viewModel.remarks(of: run.item(0)).note == nil)
    #expect(viewModel.remarks(of: run.item(1)).note == "Worn")
    viewModel.toggleItem(run.item(0))
    await viewModel.settled()
    #expect(viewModel.isChecked(run.item(0)) && viewModel.unsavedItems.isEmpty)
  }

  @Test func `A snapshot can be run after its checklist was deleted from the library`() async throws
  {
    let run = try await ChecklistRun()
    try await run.fixture.repository.assignChecklist(run.checklist.id, toCharter: run.charter.id)
    try await run.fixture.repository.deleteChecklist(run.checklist.id)
    let viewModel = await run.loaded()
    viewModel.toggleItem(run.item(0))
    await viewModel.settled()
    #expect(try await run.state()?.checkedCount == 1)
  }

  @Test func `Changes made on board show at once, and ticks and folded sections stay`()
    async throws
  {
    let run = try await ChecklistRun()
    try await run.fixture.repository.assignChecklist(run.checklist.id, toCharter: run.charter.id)
    let viewModel = await run.loaded()
    viewModel.toggleItem(run.item(0))
    viewModel.toggleSection(run.checklist.sections[0].id)
    await viewModel.settled()
    let snapshot = changed(run.checklist)
    try await run.fixture.repository.saveChecklist(snapshot, inCharter: run.charter.id)
    await waitUntil { viewModel.checklist == snapshot }
    #expect(viewModel.checkedItems == [run.item(0)])
    #expect(viewModel.itemCount == 4)
    #expect(viewModel.expandedSections == [snapshot.sections[1].id])
    let added = snapshot.sections[1].items[0].id
    viewModel.toggleItem(added)
    #expect(viewModel.isChecked(added))
  }

  @Test func `A deleted checklist stays on screen with a message, and can be restored`()
    async throws
  {
    let run = try await ChecklistRun()
    let viewModel = await run.loaded()
    try await run.fixture.repository.deleteChecklist(run.checklist.id)
    await waitUntil { viewModel.refreshError == .database(.notFound) }
    #expect(viewModel.checklist == run.checklist)
    #expect(viewModel.loadError == nil)
    viewModel.toggleItem(run.item(0))
    await viewModel.settled()
    #expect(try await run.state()?.checkedCount == 1)
    try await run.fixture.repository.saveChecklist(run.checklist)
    await waitUntil { viewModel.refreshError == nil }
    #expect(viewModel.checkedItems == [run.item(0)])
  }

  @Test func `An unreadable checklist is an error that changes nothing, until it is repaired`()
    async throws
  {
    let run = try await ChecklistRun()
    try await run.fixture.tick(1, of: run.checklist, in: run.charter)
    let sections = try await run.fixture.texts("SELECT sections FROM checklists")[0] ?? ""
    try await run.fixture.run("UPDATE checklists SET sections = '['")
    let viewModel = run.makeScreen()
    await viewModel.load()
    #expect(viewModel.loadError?.id == "database.unreadable")
    #expect(viewModel.checklist == nil)
    viewModel.toggleItem(run.item(0))
    viewModel.setNote(run.item(0), to: "Torn")
    await viewModel.settled()
    #expect(try await run.state()?.checkedCount == 1)
    try await run.fixture.run("UPDATE checklists SET sections = \(sections)")
    await viewModel.load()
    #expect(viewModel.loadError == nil)
    #expect(viewModel.checkedItems == [run.item(1)])
  }

  @Test func `A failing repository is reported with a retry, changes nothing, and loads later`()
    async throws
  {
    let run = try await ChecklistRun()
    try await run.fixture.run("ALTER TABLE checklistItemNotes RENAME TO notes")
    let viewModel = run.makeScreen()
    await viewModel.load()
    #expect(viewModel.loadError == .database(.readFailed))
    #expect(viewModel.loadError?.isRetryable == true)
    #expect(viewModel.checklist == nil && !viewModel.isLoading)
    viewModel.toggleItem(run.item(0))
    await viewModel.settled()
    #expect(try await run.state() == nil)
    try await run.fixture.run("ALTER TABLE notes RENAME TO checklistItemNotes")
    await viewModel.load()
    #expect(viewModel.loadError == nil)
    #expect(viewModel.checklist == run.checklist)
  }

  @Test func `A failed reload preserves the display and is reported`() async throws {
    let run = try await ChecklistRun()
    let viewModel = await run.loaded()
    viewModel.toggleItem(run.item(0))
    await viewModel.settled()
    try await run.fixture.run("ALTER TABLE checklistItemNotes RENAME TO notes")
    await viewModel.load()
    #expect(viewModel.loadError == nil)
    #expect(viewModel.refreshError == .database(.readFailed))
    #expect(viewModel.checkedItems == [run.item(0)])
    try await run.fixture.run("ALTER TABLE notes RENAME TO checklistItemNotes")
    await viewModel.load()
    #expect(viewModel.refreshError == nil)
  }

  @Test func `The view model is released while it observes, with notes and issues saved`()
    async throws
  {
    weak var released: ChecklistExecutionViewModel?
    do {
      let run = try await ChecklistRun()
      let viewModel = await run.loaded()
      viewModel.setNote(run.item(0), to: "Torn")
      viewModel.setIssue(run.item(0), to: .damaged)
      await viewModel.settled()
      released = viewModel
    }
    // The task that worked for the view model releases it later.
    while released != nil { await Task.yield() }
  }
}
