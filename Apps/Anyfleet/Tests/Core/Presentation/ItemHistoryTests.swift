import AnyfleetTestSupport
import Foundation
import OffshorePresentation
import OffshoreWire
import TestSupport
import Testing

@testable import Anyfleet

/// The histories of items, of a real server.
@MainActor @Suite(.timeLimit(.minutes(2)))
struct ItemHistoryTests {
  @Test func `A tick that a reset removed can be restored`() async throws {
    let shared = try await SharedCharter()
    let (checklist, charter) = (shared.checklist.id, shared.charter.id)
    try await shared.tick(0, on: shared.skipper)
    try await shared.waitForTick(0, on: shared.mate)
    try await shared.setAirplane(true)
    try await shared.tick(1, on: shared.mate)
    try await shared.mate.local.saveItemNote(
      checklistID: checklist, charterID: charter, itemID: shared.item(0), note: "Torn")
    try await shared.skipper.local.clearExecutionState(checklistID: checklist, charterID: charter)
    try await shared.skipper.sync.setAirplane(false)
    try await shared.skipper.waitUntilSent()
    try await shared.mate.sync.setAirplane(false)
    let entry = try #require(try await shared.entries(1, on: shared.mate).first)
    #expect(entry.winning.value == .deleted && !entry.winning.isFromThisDevice)
    #expect(
      entry.losing.value == .ticked && entry.losing.isFromThisDevice
        && entry.choices.contains(.losing))
    try await shared.waitForTick(1, false, on: shared.mate)
    let history = HistoryModel(try shared.history(1, on: shared.mate), shared.mate.sync)
    try await history.load()
    #expect(
      history.content.data?.heading
        == .init(shared.checklist.items[1].title, back: shared.checklist.title))
    #expect(await history.choose(.losing, of: entry.id))
    try await shared.waitForTick(1, on: shared.skipper)
    let percent = try await shared.mate.local
      .loadExecutionState(checklistID: checklist, charterID: charter)?
      .progressPercentage(totalItems: shared.checklist.items.count)
    #expect(percent ?? 0 > 0)
    await shared.end()
  }

  @Test func `A note that a reset removed can be restored`() async throws {
    let shared = try await SharedCharter()
    let (checklist, charter, item) = (shared.checklist.id, shared.charter.id, shared.item(0))
    try await shared.noteOnBoth(0, "Stiff")
    try await shared.setAirplane(true)
    try await shared.mate.local.saveItemNote(
      checklistID: checklist, charterID: charter, itemID: item, note: "Torn")
    try await shared.skipper.local.clearExecutionState(checklistID: checklist, charterID: charter)
    try await shared.skipper.sync.setAirplane(false)
    try await shared.skipper.waitUntilSent()
    try await shared.mate.sync.setAirplane(false)
    let entry = try #require(try await shared.entries(0, on: shared.mate).first)
    #expect(
      entry.losing.value == .text("Torn") && entry.reason == .ended
        && entry.choices.contains(.losing))
    try await shared.history(0, on: shared.mate).choose(.losing, of: entry.id)
    for app in [shared.skipper, shared.mate] {
      let state = try await app.waitForState(checklist, charter) {
        $0.itemStates[item]?.note == "Torn"
      }
      #expect(state != nil)
    }
    await shared.end()
  }

  @Test func `The run of a checklist shows which items were changed at the same time`() async throws
  {
    let shared = try await SharedCharter()
    let run = shared.skipper.makeChecklistExecution(
      charterID: shared.charter.id, checklistID: shared.checklist.id)
    await run.load()
    let numbers = Array(0...4)
    #expect(!numbers.contains { run.conflictState(of: shared.item($0)) != nil })
    #expect(run.canEdit && run.role == .owner)
    try await shared.setAirplane(true)
    for (app, issue) in [(shared.skipper, ChecklistItemIssue.ok), (shared.mate, .missing)] {
      try await app.local.saveItemIssue(
        checklistID: shared.checklist.id, charterID: shared.charter.id, itemID: shared.item(2),
        issue: issue)
    }
    // Both are the same, at two times.
    for app in [shared.skipper, shared.mate] { try await shared.tick(3, on: app) }
    try await shared.setAirplane(false)
    await waitUntil { numbers.filter { run.conflictState(of: shared.item($0)) != nil } == [2, 3] }
    #expect(
      run.conflictState(of: shared.item(2)) == .open
        && run.conflictState(of: shared.item(3)) == .decided)
    let issues = try await shared.entries(2, on: shared.skipper)
    // Each phone knows the server's clock to within half of an answer's time, so either may be the later.
    let state = try await shared.skipper.waitForState(shared.checklist.id, shared.charter.id) {
      $0.itemStates[shared.item(2)]?.issue != nil
    }
    let winner = try #require(state?.itemStates[shared.item(2)]?.issue)
    let loser = winner == .ok ? ChecklistItemIssue.missing : .ok
    #expect(issues.map(\.losing.value) == [.words(loser.title)])
    let ticks = try await shared.entries(3, on: shared.skipper)
    #expect(
      ticks.map(\.losing.value) == [.ticked] && ticks.allSatisfy { !$0.choices.contains(.losing) })
    await shared.end()
  }

  @Test func `View models of sharing are released when nothing uses them`() async throws {
    let app = try await AppDependencies.makeForTesting()
    let (charter, checklist) = try await app.makeCharter()
    weak var crew: MembersModel?
    weak var joining: JoinModel?
    weak var history: HistoryModel?
    weak var access: ScopeAccess?
    do {
      let ofItem = try app.makeItemHistory(
        checklist.items[0].id, checklistID: checklist.id, charterID: charter.id)
      let models = (
        try app.makeCrew(charter.id), JoinModel(app.sync), HistoryModel(ofItem, app.sync),
        app.makeCharterAccess(charter.id)
      )
      (crew, joining, history, access) = models
      await models.0.load()
      _ = await models.1.join()
      try await models.2.load()
      await models.3.load()
      #expect(models.2.content.data?.entries == [] && models.3.role == nil)
    }
    #expect(crew == nil && joining == nil && history == nil && access == nil)
  }
}
