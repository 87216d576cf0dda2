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
    #expect(await viewModel.confirmReset() == nil)
    #expect(!viewModel.isFinished && viewModel.question == nil)
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
    let undo = try #require(await viewModel.confirmReset())
    #expect(viewModel.question == nil)
    #expect(viewModel.checkedItems.isEmpty)
    #expect(viewModel.remarks(of: run.item(1)) == ItemRemarks())
    #expect(try await run.state() == nil)
    try await undo()
    await until { viewModel.isChecked(run.item(0)) }
    #expect(viewModel.remarks(of: run.item(1)).note == "Torn")
    #expect(viewModel.remarks(of: run.item(1)).issue == .damaged)
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
    let reset = Task { try #require(await viewModel.confirmReset()) }
    await gate.arrived()
    gate.open()
    let undo = try await reset.value
    #expect(viewModel.checkedItems.isEmpty)
    #expect(try await run.state() == nil)
    try await undo()
    await until { viewModel.checkedItems == [run.item(1)] }
  }

  @Test func `Undoing keeps what was ticked since, on every screen`() async throws {
    let run = try await Run()
    let (first, second) = (await begun(run), await run.loaded())
    let undo = try #require(await first.confirmReset())
    await until { second.checkedItems.isEmpty }
    second.toggleItem(run.item(2))
    await second.settled()
    try await undo()
    for screen in [first, second] {
      await until { screen.checkedItems == [run.item(0), run.item(2)] }
    }
  }

  @Test func `A reset that fails changes nothing and says so, and can be tried again`() async throws
  {
    let run = try await Run()
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

  @Test func `An undo that fails can be tried again`() async throws {
    let run = try await Run()
    let viewModel = await begun(run)
    let undo = try #require(await viewModel.confirmReset())
    try await run.fixture.refuse(changesOf: "checklistExecutionStates")
    await #expect(throws: RepositoryError.self) { try await undo() }
    #expect(viewModel.checkedItems.isEmpty)
    try await run.fixture.accept()
    try await undo()
    await until { viewModel.checkedItems == [run.item(0)] }
  }

  @Test func `A reset drops what could not be saved, and one of nothing leaves nothing to undo`()
    async throws
  {
    let run = try await Run()
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
