import Foundation
import Offshore
import OffshorePresentation
import TestSupport
import Testing

@testable import Anyfleet

/// Changing a checklist for one charter.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct SnapshotEditorTests {
  private let run: ChecklistRun
  private let store: LibraryStore
  private var repository: LocalRepository { run.fixture.repository }

  init() async throws {
    run = try await ChecklistRun()
    store = LibraryStore(repository: run.fixture.repository)
  }

  private func editor() async -> Draft<Checklist> {
    let draft = store.draft(ofChecklist: run.checklist.id, inCharter: run.charter.id, by: UUID())
    await draft.load()
    return draft
  }

  private func snapshots() async throws -> [Checklist] {
    try await repository.fetchCharterChecklists(run.charter.id).map(\.snapshot)
  }

  @Test func `The charter's checklist changes, its ticks stay, and the library's is unchanged`()
    async throws
  {
    try await repository.assignChecklist(run.checklist.id, toCharter: run.charter.id)
    let screen = await run.loaded()
    screen.toggleItem(run.item(0))
    await screen.settled()
    let editor = await editor()
    let section = "sections.\(run.checklist.sections[0].id)"
    #expect(editor.change(DraftRowChange(.remove, "\(section).items.\(run.item(2))")))
    editor["sections"] = editor["sections"].replacing("Item 1", with: "Changed on board")
    #expect(await editor.save() != nil)
    await waitUntil { screen.checklist?.items.map(\.title) == ["Item 0", "Changed on board"] }
    #expect(screen.checkedItems == [run.item(0)])
    #expect(try await repository.fetchChecklist(run.checklist.id) == run.checklist)
  }

  @Test func `Changing a checklist that the charter does not have adds it to the charter`()
    async throws
  {
    let editor = await editor()
    #expect(editor["title"] == run.checklist.title)
    editor["title"] = "For this week"
    #expect(await editor.save() != nil)
    #expect(try await snapshots().map(\.title) == ["For this week"])
    #expect(try await repository.fetchChecklist(run.checklist.id)?.title == run.checklist.title)
  }

  @Test
  func
    `The second of two concurrent edits is a conflict, and saving it again overwrites the first`()
    async throws
  {
    try await repository.assignChecklist(run.checklist.id, toCharter: run.charter.id)
    let (first, second) = (await editor(), await editor())
    first["title"] = "First"
    second["title"] = "Second"
    #expect(await first.save() != nil)
    #expect(await second.save() == nil)
    #expect(second.saveError == .sync(.conflict))
    #expect(try await snapshots().map(\.title) == ["First"])
    #expect(await second.save() != nil)
    #expect(try await snapshots().map(\.title) == ["Second"])
  }

  @Test func `A checklist that was removed meanwhile is reported, and saving again adds it`()
    async throws
  {
    try await repository.assignChecklist(run.checklist.id, toCharter: run.charter.id)
    let editor = await editor()
    editor["title"] = "Late"
    try await repository.unassignChecklist(run.checklist.id, fromCharter: run.charter.id)
    #expect(await editor.save() == nil)
    #expect(editor.saveError == .database(.notFound))
    #expect(try await snapshots().isEmpty)
    #expect(await editor.save() != nil)
    #expect(try await snapshots().map(\.title) == ["Late"])
  }

  @Test func `Nothing is stored for a charter that was deleted`() async throws {
    let editor = await editor()
    try await repository.deleteCharter(run.charter.id)
    #expect(await editor.save() == nil)
    // Saving again would not help and is not offered.
    #expect(editor.saveError == .content(.notFound))
    #expect(try await run.fixture.count("charterChecklists") == 0)
  }

  @Test func `An unreadable snapshot is an error and is not replaced by the library's checklist`()
    async throws
  {
    try await repository.assignChecklist(run.checklist.id, toCharter: run.charter.id)
    try await run.fixture.run("UPDATE charterChecklists SET sections = '['")
    let editor = await editor()
    #expect(!editor.isFilled && editor.loadError != nil)
  }

  @Test func `Changing a checklist for a charter does not change its creator`() async throws {
    let editor = await editor()
    editor["title"] = "For this week"
    #expect(await editor.save() != nil)
    #expect(try await snapshots().map(\.creatorID) == [run.checklist.creatorID])
  }
}
