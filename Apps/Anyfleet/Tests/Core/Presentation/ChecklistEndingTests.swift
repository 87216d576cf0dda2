import Foundation
import Offshore
import OffshorePresentation
import TestSupport
import Testing

@testable import Anyfleet

/// Finishing and resetting a checklist.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct ChecklistEndingTests {
  // MARK: - Finishing

  @Test func `Finishing with an open critical item asks for confirmation, and then finishes`()
    async throws
  {
    let viewModel = await (try await ChecklistRun()).loaded()
    await viewModel.finish()
    #expect(viewModel.question == .finish)
    #expect(!viewModel.isFinished)
    viewModel.dismissQuestion()
    #expect(viewModel.question == nil)
    #expect(!viewModel.isFinished)
    await viewModel.finish()
    await viewModel.confirmFinish()
    #expect(viewModel.question == nil)
    #expect(viewModel.isFinished)
  }

  @Test func `Finishing without an open critical item does not ask, and lasts until a change`()
    async throws
  {
    let run = try await ChecklistRun()
    let viewModel = await run.loaded()
    viewModel.toggleItem(run.item(0))
    await viewModel.finish()
    #expect(viewModel.question == nil)
    #expect(viewModel.isFinished)
    #expect(try await run.state()?.checkedCount == 1)
    viewModel.setNote(run.item(1), to: "Later")
    #expect(!viewModel.isFinished)
  }

  @Test func `The question disappears when another member ticks the last critical item`()
    async throws
  {
    let run = try await ChecklistRun()
    let viewModel = await run.loaded()
    await viewModel.finish()
    try await run.fixture.tick(0, of: run.checklist, in: run.charter)
    await waitUntil { viewModel.question == nil }
    #expect(!viewModel.isFinished)
  }

  @Test func `Finishing waits for saves in progress, and asks if one fails`() async throws {
    let run = try await ChecklistRun()
    let viewModel = await run.loaded()
    viewModel.toggleItem(run.item(0))
    await viewModel.settled()
    let gate = Gate()
    run.double.beforeSave {
      await gate.pass()
      throw RepositoryError.databaseUnavailable
    }
    viewModel.setNote(run.item(1), to: "Lost")
    let finish = Task { await viewModel.finish() }
    await gate.waitForArrivals()
    #expect(!viewModel.isFinished && viewModel.question == nil)
    gate.open()
    await finish.value
    #expect(viewModel.question == .finish)
    #expect(viewModel.openCriticalItems.isEmpty)
    #expect(viewModel.unsavedItems == [run.item(1)])
  }

  @Test func `A checklist that failed to load is neither finished nor reset`() async throws {
    let run = try await ChecklistRun()
    try await run.fixture.tick(0, of: run.checklist, in: run.charter)
    try await run.fixture.run("UPDATE checklistExecutionStates SET itemStates = '{'")
    let viewModel = run.makeScreen()
    await viewModel.load()
    #expect(viewModel.loadError != nil)
    await viewModel.finish()
    await viewModel.confirmFinish()
    viewModel.reset()
    #expect(await viewModel.confirmReset() == nil)
    #expect(!viewModel.isFinished && viewModel.question == nil)
    #expect(
      try await run.fixture.texts("SELECT itemStates FROM checklistExecutionStates") == ["{"])
  }

  // MARK: - Resetting

  /// Creates a screen with a stored tick, note and issue.
  private func begun(_ run: ChecklistRun) async -> ChecklistExecutionViewModel {
    let viewModel = await run.loaded()
    viewModel.toggleItem(run.item(0))
    viewModel.setNote(run.item(1), to: "Torn")
    viewModel.setIssue(run.item(1), to: .damaged)
    await viewModel.settled()
    return viewModel
  }

  @Test func `A reset asks for confirmation, deletes ticks, notes and issues, and can be undone`()
    async throws
  {
    let run = try await ChecklistRun()
    let viewModel = await begun(run)
    let before = try await run.state()
    viewModel.reset()
    #expect(viewModel.question == .reset)
    #expect(viewModel.checkedCount == 1)
    let undo = try #require(await viewModel.confirmReset())
    #expect(viewModel.question == nil)
    #expect(viewModel.checkedItems.isEmpty)
    #expect(viewModel.remarks(of: run.item(1)) == ItemRemarks())
    #expect(try await run.state() == nil)
    try await undo()
    await waitUntil { viewModel.isChecked(run.item(0)) }
    #expect(viewModel.remarks(of: run.item(1)).note == "Torn")
    #expect(viewModel.remarks(of: run.item(1)).issue == .damaged)
    let after = try await run.state()
    #expect(after?.itemStates == before?.itemStates)
  }

  @Test func `Saves in progress when a reset is confirmed are reset with the rest`()
    async throws
  {
    let run = try await ChecklistRun()
    let viewModel = await run.loaded()
    let gate = Gate()
    run.double.beforeSave { await gate.pass() }
    viewModel.toggleItem(run.item(1))
    let reset = Task { try #require(await viewModel.confirmReset()) }
    await gate.waitForArrivals()
    gate.open()
    let undo = try await reset.value
    #expect(viewModel.checkedItems.isEmpty)
    #expect(try await run.state() == nil)
    try await undo()
    await waitUntil { viewModel.checkedItems == [run.item(1)] }
  }

  @Test func `Undoing a reset preserves newer ticks, on every screen`() async throws {
    let run = try await ChecklistRun()
    let (first, second) = (await begun(run), await run.loaded())
    let undo = try #require(await first.confirmReset())
    await waitUntil { second.checkedItems.isEmpty }
    second.toggleItem(run.item(2))
    await second.settled()
    try await undo()
    for screen in [first, second] {
      await waitUntil { screen.checkedItems == [run.item(0), run.item(2)] }
    }
  }

  @Test func `A failed reset changes nothing, is reported, and can be retried`() async throws {
    let run = try await ChecklistRun()
    let viewModel = await begun(run)
    try await run.fixture.refuse(changesOf: "checklistExecutionStates")
    #expect(await viewModel.confirmReset() == nil)
    #expect(viewModel.resetError == .database(.writeFailed))
    #expect(viewModel.checkedItems == [run.item(0)])
    #expect(viewModel.remarks(of: run.item(1)).note == "Torn")
    try await run.fixture.accept()
    #expect(await viewModel.confirmReset() != nil)
    #expect(viewModel.resetError == nil)
    #expect(viewModel.checkedItems.isEmpty)
  }

  @Test func `A failed undo can be retried`() async throws {
    let run = try await ChecklistRun()
    let viewModel = await begun(run)
    let undo = try #require(await viewModel.confirmReset())
    try await run.fixture.refuse(changesOf: "checklistExecutionStates")
    await #expect(throws: RepositoryError.self) { try await undo() }
    #expect(viewModel.checkedItems.isEmpty)
    try await run.fixture.accept()
    try await undo()
    await waitUntil { viewModel.checkedItems == [run.item(0)] }
  }

  @Test
  func `A reset discards unsaved edits, and resetting an empty checklist leaves nothing to undo`()
    async throws
  {
    let run = try await ChecklistRun()
    let viewModel = await run.loaded()
    try await run.fixture.refuse(changesOf: "checklistExecutionStates")
    viewModel.setNote(run.item(0), to: "Lost")
    viewModel.toggleItem(run.item(0))
    await viewModel.settled()
    #expect(!viewModel.unsavedItems.isEmpty)
    try await run.fixture.accept()
    #expect(await viewModel.confirmReset() == nil)
    #expect(viewModel.resetError == nil)
    #expect(viewModel.unsavedItems.isEmpty)
    #expect(viewModel.draft(of: run.item(0)).note == nil)
    #expect(try await run.state() == nil)
  }
}
