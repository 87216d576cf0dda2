import Foundation
import Observation
import Offshore
import OffshorePresentation
import TestSupport
import Testing

@testable import Anyfleet

/// What a screen shows of what others do, and of what it saved itself, as it is read again.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct ChecklistFollowingTests {
  /// Counts how often an item shows as unchecked.
  @MainActor private final class Flips {
    private(set) var count = 0
    private let viewModel: ChecklistExecutionViewModel
    private let item: UUID

    init(_ viewModel: ChecklistExecutionViewModel, _ item: UUID) {
      (self.viewModel, self.item) = (viewModel, item)
      watch()
    }

    private func watch() {
      let isChecked = withObservationTracking {
        viewModel.checkedItems.contains(item)
      } onChange: {
        Task { @MainActor [weak self] in self?.watch() }
      }
      if !isChecked { count += 1 }
    }
  }

  @Test func `What is ticked elsewhere shows, and so does a reset`() async throws {
    let run = try await Run()
    let viewModel = await run.loaded()
    try await run.fixture.tick(2, of: run.checklist, in: run.charter)
    await until { viewModel.checkedItems == [run.item(2)] }
    try await run.note(0, "Torn")
    await until { viewModel.itemState(run.item(0))?.note == "Torn" }
    try await run.fixture.repository.clearExecutionState(
      checklistID: run.checklist.id, charterID: run.charter.id)
    await until { viewModel.checkedItems.isEmpty }
  }

  @Test func `What is observed while a tick is on its way does not take it back`() async throws {
    let run = try await Run()
    let viewModel = await run.loaded()
    let (mine, other) = (run.item(0), run.item(1))
    let gate = Gate()
    run.double.beforeSave { await gate.pass() }
    viewModel.toggleItem(mine)
    await gate.arrived()
    try await run.fixture.tick(1, of: run.checklist, in: run.charter)
    await until { viewModel.checkedItems.contains(other) }
    #expect(viewModel.checkedItems == [mine, other])
    gate.open()
    await viewModel.settled()
    #expect(viewModel.checkedItems == [mine, other])
  }

  @Test func `What was read before a save ended, and arrives after it, takes nothing back`()
    async throws
  {
    let run = try await Run()
    let viewModel = await run.loaded()
    let (mine, other) = (run.item(0), run.item(1))
    // The first read that follows is held up after it has read, and so lacks the tick.
    let old = Gate()
    run.double.afterLoad { await old.pass() }
    try await run.fixture.tick(1, of: run.checklist, in: run.charter)
    await old.arrived()
    viewModel.toggleItem(mine)
    await viewModel.settled()
    #expect(viewModel.checkedItems.contains(mine))
    let flips = Flips(viewModel, mine)
    old.open()
    await until { viewModel.checkedItems == [mine, other] }
    #expect(flips.count == 0)
  }

  @Test func `What others changed after a save shows, though it was read before the save returned`()
    async throws
  {
    let run = try await Run()
    let announce = run.double.announceByHand()
    let viewModel = await run.loaded()
    let item = run.item(0)
    let returning = Gate()
    run.double.afterSave { await returning.pass() }
    viewModel.setItem(item, isChecked: true)
    await returning.arrived()
    try await run.fixture.tick(0, of: run.checklist, in: run.charter, false)
    announce()
    await until { viewModel.itemState(item)?.isChecked == false }
    returning.open()
    await viewModel.settled()
    await until { viewModel.checkedItems.isEmpty }
  }

  @Test func `What was saved shows while it is read again, and where that fails`() async throws {
    let run = try await Run()
    let viewModel = await run.loaded()
    let item = run.item(0)
    run.double.afterLoad { throw RepositoryError.databaseUnavailable }
    viewModel.setItem(item, isChecked: true)
    await viewModel.settled()
    await until { viewModel.refreshError == .database(.readFailed) }
    #expect(viewModel.checkedItems == [item])
    run.double.afterLoad {}
    viewModel.setItem(item, isChecked: false)
    await until { viewModel.refreshError == nil }
    #expect(viewModel.checkedItems.isEmpty)
  }

  @Test func `What was read before a save, and arrives right behind it, takes nothing back`()
    async throws
  {
    let run = try await Run()
    let announce = run.double.announceByHand()
    let viewModel = await run.loaded()
    let item = run.item(0)
    let (reading, returning) = (Gate(), Gate())
    run.double.afterLoad {
      await reading.pass()
      await returning.pass()
    }
    run.double.afterSave { await returning.pass() }
    announce()
    await reading.arrived()
    viewModel.setItem(item, isChecked: true)
    await returning.arrived()
    reading.open()
    await returning.arrived(2)
    returning.open()
    await viewModel.settled()
    #expect(viewModel.checkedItems == [item])
  }

  @Test func `A failure while following shows beside the ticks, until it is mended`() async throws {
    let run = try await Run()
    let viewModel = await run.loaded()
    viewModel.toggleItem(run.item(0))
    await viewModel.settled()
    try await run.fixture.run("UPDATE checklistExecutionStates SET itemStates = '['")
    await until { viewModel.refreshError == .content(.unreadable) }
    #expect(viewModel.checkedItems == [run.item(0)])
    #expect(viewModel.loadError == nil)
    try await run.fixture.repository.clearExecutionState(
      checklistID: run.checklist.id, charterID: run.charter.id)
    await until { viewModel.refreshError == nil && viewModel.checkedItems.isEmpty }
  }
}
