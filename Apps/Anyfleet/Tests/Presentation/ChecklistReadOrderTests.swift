import Foundation
import Observation
import OffshorePresentation
import TestSupport
import Testing

@testable import Anyfleet

/// What is read while something is being saved, in each order in which both can come back.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct ChecklistReadOrderTests {
  /// What can be changed of an item.
  enum Change: CaseIterable {
    case tick, note, issue

    @MainActor func make(_ viewModel: ChecklistExecutionViewModel, _ item: UUID) {
      switch self {
      case .tick: viewModel.setItem(item, isChecked: true)
      case .note: viewModel.setNote(item, to: "Torn")
      case .issue: viewModel.setIssue(item, to: .damaged)
      }
    }

    @MainActor func shows(_ viewModel: ChecklistExecutionViewModel, _ item: UUID) -> Bool {
      switch self {
      case .tick: viewModel.isChecked(item) && viewModel.checkedItems.contains(item)
      case .note: viewModel.note(of: item) == "Torn"
      case .issue: viewModel.issue(of: item) == .damaged
      }
    }

    /// Takes it back by another way than the screen.
    @MainActor func takeBack(_ run: Run, _ item: UUID) async throws {
      let (repository, checklist, charter) = (run.fixture.repository, run.checklist, run.charter)
      switch self {
      case .tick:
        try await repository.saveItemState(
          checklistID: checklist.id, charterID: charter.id, itemID: item, isChecked: false)
      case .note:
        try await repository.saveItemNote(
          checklistID: checklist.id, charterID: charter.id, itemID: item, note: nil)
      case .issue:
        try await repository.saveItemIssue(
          checklistID: checklist.id, charterID: charter.id, itemID: item, issue: nil)
      }
    }
  }

  /// Which of a read that lacks the change, and the save of the change, comes back first.
  enum First: CaseIterable { case read, save }

  @Test(arguments: Change.allCases, First.allCases)
  func `What was read before a save takes nothing back, whichever of both comes back first`(
    change: Change, first: First
  ) async throws {
    let run = try await Run()
    let announce = run.double.announceByHand()
    let (viewModel, item) = (await run.loaded(), run.item(0))
    let (haveRead, reads, saves) = (Gate(), Gate(), Gate())
    run.double.afterLoad {
      await haveRead.pass()
      await reads.pass()
    }
    run.double.afterSave { await saves.pass() }
    // The read has read what is there without the change, and is held up on its way back.
    announce()
    await haveRead.arrived()
    haveRead.open()
    await reads.arrived()
    change.make(viewModel, item)
    await saves.arrived()
    // Both go on in this turn of the main actor, one right behind the other.
    let losses = Losses { change.shows(viewModel, item) }
    switch first {
    case .read:
      reads.open()
      saves.open()
    case .save:
      saves.open()
      reads.open()
    }
    await viewModel.settled()
    #expect(change.shows(viewModel, item))
    // Two more reads, so that whatever was on its way has arrived.
    for _ in 0..<2 {
      let count = run.double.loadCount
      announce()
      while run.double.loadCount == count { await Task.yield() }
    }
    #expect(change.shows(viewModel, item))
    #expect(losses.count == 0)
  }

  @Test(arguments: Change.allCases)
  func `A read that began before a save and comes back after it has settled takes nothing back`(
    change: Change
  ) async throws {
    let run = try await Run()
    let announce = run.double.announceByHand()
    let (viewModel, item) = (await run.loaded(), run.item(0))
    let reads = Gate()
    run.double.afterLoad { await reads.pass() }
    announce()
    await reads.arrived()
    change.make(viewModel, item)
    await viewModel.settled()
    let losses = Losses { change.shows(viewModel, item) }
    reads.open()
    // The read that lacks it is followed by one that has it.
    await until { viewModel.itemState(item) != nil }
    #expect(change.shows(viewModel, item))
    #expect(losses.count == 0)
  }

  @Test(arguments: Change.allCases)
  func `What others took back after a save shows, though it was read before the save returned`(
    change: Change
  ) async throws {
    let run = try await Run()
    let announce = run.double.announceByHand()
    let (viewModel, item) = (await run.loaded(), run.item(0))
    let returning = Gate()
    run.double.afterSave { await returning.pass() }
    change.make(viewModel, item)
    await returning.arrived()
    try await change.takeBack(run, item)
    let count = run.double.loadCount
    announce()
    while run.double.loadCount == count { await Task.yield() }
    returning.open()
    await viewModel.settled()
    // Nobody announces it again.
    await until { !change.shows(viewModel, item) }
  }

  @Test(arguments: Change.allCases)
  func `What is observed while a change is on its way does not take it back`(change: Change)
    async throws
  {
    let run = try await Run()
    let (viewModel, item) = (await run.loaded(), run.item(0))
    let gate = Gate()
    run.double.beforeSave { await gate.pass() }
    change.make(viewModel, item)
    await gate.arrived()
    try await run.note(1, "By another hand")
    await until { viewModel.note(of: run.item(1)) == "By another hand" }
    #expect(change.shows(viewModel, item))
    gate.open()
    await viewModel.settled()
    #expect(change.shows(viewModel, item))
    #expect(viewModel.note(of: run.item(1)) == "By another hand")
  }

  /// Counts how often something that shows does not any more.
  @MainActor private final class Losses {
    private(set) var count = 0
    private let shows: @MainActor () -> Bool

    init(_ shows: @escaping @MainActor () -> Bool) {
      self.shows = shows
      watch()
    }

    private func watch() {
      let isThere = withObservationTracking(shows) {
        Task { @MainActor [weak self] in self?.watch() }
      }
      if !isThere { count += 1 }
    }
  }
}
