import Foundation
import Observation
import Offshore
import OffshorePresentation
import TestSupport
import Testing

@testable import Anyfleet

/// The display of changes by other screens and members, and of own changes when they are read
/// again.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct ChecklistFollowingTests {
  @Test func `Ticks and a reset made elsewhere show`() async throws {
    let run = try await ChecklistRun()
    let viewModel = await run.loaded()
    try await run.fixture.tick(2, of: run.checklist, in: run.charter)
    await waitUntil { viewModel.checkedItems == [run.item(2)] }
    try await run.note(0, "Torn")
    await waitUntil { viewModel.remarks(of: run.item(0)).note == "Torn" }
    try await run.fixture.repository.clearExecutionState(
      checklistID: run.checklist.id, charterID: run.charter.id)
    await waitUntil { viewModel.checkedItems.isEmpty }
  }

  @Test func `An observed state does not revert a tick that is being saved`() async throws {
    let run = try await ChecklistRun()
    let viewModel = await run.loaded()
    let (mine, other) = (run.item(0), run.item(1))
    let gate = Gate()
    run.double.beforeSave { await gate.pass() }
    viewModel.toggleItem(mine)
    await gate.waitForArrivals()
    try await run.fixture.tick(1, of: run.checklist, in: run.charter)
    await waitUntil { viewModel.checkedItems.contains(other) }
    #expect(viewModel.checkedItems == [mine, other])
    gate.open()
    await viewModel.settled()
    #expect(viewModel.checkedItems == [mine, other])
  }

  @Test func `A failed observation is shown beside the ticks until it is repaired`() async throws {
    let run = try await ChecklistRun()
    let viewModel = await run.loaded()
    viewModel.toggleItem(run.item(0))
    await viewModel.settled()
    try await run.fixture.run("UPDATE checklistExecutionStates SET itemStates = '['")
    await waitUntil { viewModel.refreshError == .content(.unreadable) }
    #expect(viewModel.checkedItems == [run.item(0)])
    #expect(viewModel.loadError == nil)
    try await run.fixture.repository.clearExecutionState(
      checklistID: run.checklist.id, charterID: run.charter.id)
    await waitUntil { viewModel.refreshError == nil && viewModel.checkedItems.isEmpty }
  }
}
