import Foundation
import Offshore
import OffshorePresentation
import TestSupport
import Testing

@testable import Anyfleet

/// Finishing a checklist, and beginning it anew.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct ChecklistEndingTests {
  // MARK: - Finishing

  @Test func `Finishing with a critical item open asks, and finishes when that is confirmed`()
    async throws
  {
    let viewModel = await (try await Run()).loaded()
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

  @Test func `Finishing with no critical item open does not ask, until something changes`()
    async throws
  {
    let run = try await Run()
    let viewModel = await run.loaded()
    viewModel.toggleItem(run.item(0))
    await viewModel.finish()
    #expect(viewModel.question == nil)
    #expect(viewModel.isFinished)
    #expect(try await run.state()?.checkedCount == 1)
    viewModel.setNote(run.item(1), to: "Later")
    #expect(!viewModel.isFinished)
  }

  @Test func `The question goes away when somebody else ticks the last critical item`() async throws
  {
    let run = try await Run()
    let viewModel = await run.loaded()
    await viewModel.finish()
    try await run.fixture.tick(0, of: run.checklist, in: run.charter)
    await until { viewModel.question == nil }
    #expect(!viewModel.isFinished)
  }

  @Test func `Finishing waits for what is on its way, and asks where that fails`() async throws {
    let run = try await Run()
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
    await gate.arrived()
    #expect(!viewModel.isFinished && viewModel.question == nil)
    gate.open()
    await finish.value
    #expect(viewModel.question == .finish)
    #expect(viewModel.openCriticalItems.isEmpty)
    #expect(viewModel.unsavedItems == [run.item(1)])
  }

  @Test func `What is not loaded is neither finished nor reset`() async throws {
    let run = try await Run()
    try await run.fixture.tick(0, of: run.checklist, in: run.charter)
    try await run.fixture.run("UPDATE checklistExecutionStates SET itemStates = '{'")
    let viewModel = run.makeScreen()
    await viewModel.load()
    #expect(viewModel.loadError != nil)
    await viewModel.finish()
    await viewModel.confirmFinish()
    viewModel.reset()
    await viewModel.confirmReset()
    #expect(!viewModel.isFinished && viewModel.question == nil && !viewModel.canUndoReset)
    #expect(
      try await run.fixture.texts("SELECT itemStates FROM checklistExecutionStates") == ["{"])
  }

  // MARK: - Resetting

  /// A screen with a tick, a note and an issue stored.
  private func begun(_ run: Run) async -> ChecklistExecutionViewModel {
    let viewModel = await run.loaded()
    viewModel.toggleItem(run.item(0))
    viewModel.setNote(run.item(1), to: "Torn")
    viewModel.setIssue(run.item(1), to: .damaged)
    await viewModel.settled()
    return viewModel
  }

  @Test func `A reset asks, forgets ticks, notes and issues, and can be undone`() async throws {
    let run = try await Run()
    let viewModel = await begun(run)
    let before = try await run.state()
    viewModel.reset()
    #expect(viewModel.question == .reset)
    #expect(viewModel.checkedCount == 1)
    await viewModel.confirmReset()
    #expect(viewModel.question == nil)
    #expect(viewModel.checkedItems.isEmpty)
    #expect(viewModel.note(of: run.item(1)) == nil && viewModel.issue(of: run.item(1)) == nil)
    #expect(try await run.state() == nil)
    #expect(viewModel.canUndoReset)
    await viewModel.undoReset()
    #expect(viewModel.isChecked(run.item(0)))
    #expect(viewModel.note(of: run.item(1)) == "Torn")
    #expect(viewModel.issue(of: run.item(1)) == .damaged)
    #expect(!viewModel.canUndoReset)
    let after = try await run.state()
    #expect(after?.itemStates == before?.itemStates)
  }

  @Test func `What is on its way when a reset is confirmed is forgotten with the rest`()
    async throws
  {
    let run = try await Run()
    let viewModel = await run.loaded()
    let gate = Gate()
    run.double.beforeSave { await gate.pass() }
    viewModel.toggleItem(run.item(1))
    let reset = Task { await viewModel.confirmReset() }
    await gate.arrived()
    gate.open()
    await reset.value
    #expect(viewModel.checkedItems.isEmpty)
    #expect(try await run.state() == nil)
    await viewModel.undoReset()
    #expect(viewModel.checkedItems == [run.item(1)])
  }

  @Test func `Another screen can undo, keeps what was ticked since, and both show it`() async throws
  {
    let run = try await Run()
    let (first, second) = (await begun(run), await run.loaded())
    await first.confirmReset()
    await until { second.canUndoReset && second.checkedItems.isEmpty }
    second.toggleItem(run.item(2))
    await second.settled()
    await second.undoReset()
    await until { first.checkedItems == [run.item(0), run.item(2)] && !first.canUndoReset }
    #expect(second.checkedItems == [run.item(0), run.item(2)])
  }

  @Test func `A reset that fails changes nothing and says so, and can be tried again`() async throws
  {
    let run = try await Run()
    let viewModel = await begun(run)
    run.double.beforeSave { throw RepositoryError.databaseUnavailable }
    await viewModel.confirmReset()
    #expect(viewModel.resetError == .database(.writeFailed))
    #expect(viewModel.checkedItems == [run.item(0)])
    #expect(viewModel.note(of: run.item(1)) == "Torn")
    #expect(!viewModel.canUndoReset)
    run.double.beforeSave {}
    await viewModel.confirmReset()
    #expect(viewModel.resetError == nil)
    #expect(viewModel.checkedItems.isEmpty)
  }

  @Test func `An undo that fails can be tried again`() async throws {
    let run = try await Run()
    let viewModel = await begun(run)
    await viewModel.confirmReset()
    run.double.beforeSave { throw RepositoryError.databaseUnavailable }
    await viewModel.undoReset()
    #expect(viewModel.resetError == .database(.writeFailed))
    #expect(viewModel.checkedItems.isEmpty)
    #expect(viewModel.canUndoReset)
    run.double.beforeSave {}
    await viewModel.undoReset()
    #expect(viewModel.resetError == nil)
    #expect(viewModel.checkedItems == [run.item(0)])
  }

  @Test func `A reset drops what could not be saved, and one of nothing leaves nothing to undo`()
    async throws
  {
    let run = try await Run()
    let viewModel = await run.loaded()
    run.double.beforeSave { throw RepositoryError.databaseUnavailable }
    viewModel.setNote(run.item(0), to: "Lost")
    viewModel.toggleItem(run.item(0))
    await viewModel.settled()
    #expect(!viewModel.unsavedItems.isEmpty)
    run.double.beforeSave {}
    await viewModel.confirmReset()
    #expect(viewModel.unsavedItems.isEmpty)
    #expect(viewModel.noteDraft(of: run.item(0)).isEmpty)
    #expect(!viewModel.canUndoReset)
    await viewModel.undoReset()
    #expect(try await run.state() == nil)
  }

  @Test func `A second reset of nothing keeps the undo of the first, until it is dismissed`()
    async throws
  {
    let run = try await Run()
    let viewModel = await begun(run)
    await viewModel.confirmReset()
    await viewModel.confirmReset()
    #expect(viewModel.canUndoReset)
    viewModel.dismissUndo()
    #expect(!viewModel.canUndoReset)
    await viewModel.undoReset()
    #expect(viewModel.checkedItems.isEmpty)
  }
}
