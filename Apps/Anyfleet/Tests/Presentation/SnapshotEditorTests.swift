import Foundation
import Offshore
import OffshorePresentation
import TestSupport
import Testing

@testable import Anyfleet

/// Changing a checklist for one charter.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct SnapshotEditorTests {
  private let run: Run
  private let store: LibraryStore
  private var repository: LocalRepository { run.fixture.repository }

  init() async throws {
    run = try await Run()
    store = LibraryStore(repository: run.fixture.repository)
  }

  private func editor() async -> ChecklistEditorViewModel {
    let viewModel = ChecklistEditorViewModel(
      store: store, checklistID: run.checklist.id, charterID: run.charter.id, creatorID: UUID(),
      now: { .day(6, 7) })
    await viewModel.load()
    return viewModel
  }

  private func snapshots() async throws -> [Checklist] {
    try await repository.fetchCharterChecklists(run.charter.id).map(\.snapshot)
  }

  @Test func `The charter's checklist changes, its ticks stay, and the library's does not change`()
    async throws
  {
    try await repository.assignChecklist(run.checklist.id, toCharter: run.charter.id)
    let screen = await run.loaded()
    screen.toggleItem(run.item(0))
    await screen.settled()
    let editor = await editor()
    editor.form.removeItem(run.item(2))
    editor.form.updateItem(run.item(1)) { $0.title = "Changed on board" }
    #expect(await editor.save() != nil)
    await until { screen.checklist?.items.map(\.title) == ["Item 0", "Changed on board"] }
    #expect(screen.checkedItems == [run.item(0)])
    #expect(try await repository.fetchChecklist(run.checklist.id) == run.checklist)
  }

  @Test func `A checklist that the charter does not have yet is given to it with the change`()
    async throws
  {
    let editor = await editor()
    #expect(editor.form.title == run.checklist.title)
    editor.form.title = "For this week"
    #expect(await editor.save() != nil)
    #expect(try await snapshots().map(\.title) == ["For this week"])
    #expect(try await repository.fetchChecklist(run.checklist.id)?.title == run.checklist.title)
  }

  @Test func `The second of two who change it is told, and decides`() async throws {
    try await repository.assignChecklist(run.checklist.id, toCharter: run.charter.id)
    let (first, second) = (await editor(), await editor())
    first.form.title = "First"
    second.form.title = "Second"
    #expect(await first.save() != nil)
    #expect(await second.save() == nil)
    #expect(second.saveError == .sync(.conflict))
    #expect(try await snapshots().map(\.title) == ["First"])
    #expect(await second.save() != nil)
    #expect(try await snapshots().map(\.title) == ["Second"])
  }

  @Test func `One that was taken away meanwhile is said, and comes back only when asked for`()
    async throws
  {
    try await repository.assignChecklist(run.checklist.id, toCharter: run.charter.id)
    let editor = await editor()
    editor.form.title = "Late"
    try await repository.unassignChecklist(run.checklist.id, fromCharter: run.charter.id)
    #expect(await editor.save() == nil)
    #expect(editor.saveError == .database(.notFound))
    #expect(try await snapshots().isEmpty)
    #expect(await editor.save() != nil)
    #expect(try await snapshots().map(\.title) == ["Late"])
  }

  @Test func `Nothing is stored for a charter that is gone`() async throws {
    let editor = await editor()
    try await repository.deleteCharter(run.charter.id)
    #expect(await editor.save() == nil)
    // Saving again would not help, and is not offered.
    #expect(editor.saveError == .content(.notFound))
    #expect(try await run.fixture.count("charterChecklists") == 0)
  }

  @Test func `A snapshot that cannot be read is an error, and not the library's checklist`()
    async throws
  {
    try await repository.assignChecklist(run.checklist.id, toCharter: run.charter.id)
    try await run.fixture.run("UPDATE charterChecklists SET sections = '['")
    let editor = await editor()
    #expect(!editor.isFilled && editor.loadError != nil)
  }

  @Test func `Whose a checklist is does not change by being changed for a charter`() async throws {
    let editor = await editor()
    editor.form.title = "For this week"
    #expect(await editor.save() != nil)
    #expect(try await snapshots().map(\.creatorID) == [run.checklist.creatorID])
  }

  @Test func `A failure to load is shown, and loading again mends it`() async throws {
    let double = LibraryDouble(repository)
    double.fail(.fetch)
    let editor = ChecklistEditorViewModel(
      store: LibraryStore(repository: double), checklistID: run.checklist.id,
      charterID: run.charter.id, creatorID: UUID())
    await editor.load()
    #expect(editor.loadError == .database(.readFailed) && !editor.isFilled)
    double.fail()
    await editor.load()
    #expect(editor.loadError == nil && editor.isFilled)
  }
}
