import Foundation
import OffshorePresentation
import OffshoreWire
import TestSupport
import Testing

@testable import Anyfleet

/// What was decided of items, of a real server.
@MainActor @Suite(.timeLimit(.minutes(2)))
struct ItemHistoryViewModelTests {
  private func history(_ shared: SharedCharter, _ number: Int, on app: AppDependencies)
    -> ItemHistoryViewModel
  {
    app.makeItemHistory(
      shared.item(number), checklistID: shared.checklist.id, charterID: shared.charter.id)
  }

  @Test func `A tick that a reset took away can be put back`() async throws {
    let shared = try await SharedCharter()
    try await shared.tick(0, on: shared.skipper)
    try await shared.waitForTick(0, on: shared.mate)
    try await shared.setAirplane(true)
    try await shared.tick(1, on: shared.mate)
    try await shared.skipper.local.clearExecutionState(
      checklistID: shared.checklist.id, charterID: shared.charter.id)
    try await shared.skipper.sync.setAirplane(false)
    try await shared.skipper.waitUntilSent()
    try await shared.mate.sync.setAirplane(false)
    let decision = try #require(try await shared.decisions(1, on: shared.mate).first)
    #expect(decision.stayed.value == .cleared && !decision.stayed.isFromHere)
    #expect(decision.lost.value == .tick(true) && decision.lost.isFromHere)
    try await shared.waitForTick(1, false, on: shared.mate)
    let history = history(shared, 1, on: shared.mate)
    await history.load()
    #expect(history.item?.id == shared.item(1) && history.checklist?.id == shared.checklist.id)
    #expect(await history.useLost(decision.id))
    try await shared.waitForTick(1, on: shared.skipper)
    await shared.end()
  }

  @Test func `The run of a checklist knows the items of which something was decided`() async throws
  {
    let shared = try await SharedCharter()
    let run = shared.skipper.makeChecklistExecution(
      charterID: shared.charter.id, checklistID: shared.checklist.id)
    await run.load()
    #expect(run.decidedItems.isEmpty && run.canEdit && run.role == .owner)
    try await shared.setAirplane(true)
    for (app, issue) in [(shared.skipper, ChecklistItemIssue.ok), (shared.mate, .missing)] {
      try await app.local.saveItemIssue(
        checklistID: shared.checklist.id, charterID: shared.charter.id, itemID: shared.item(2),
        issue: issue)
    }
    // Both say the same, at two times.
    for app in [shared.skipper, shared.mate] { try await shared.tick(3, on: app) }
    try await shared.setAirplane(false)
    await until { run.decidedItems == [shared.item(2), shared.item(3)] }
    let issues = try await shared.decisions(2, on: shared.skipper)
    #expect(issues.map(\.lost.value) == [.issue(.ok)])
    let ticks = try await shared.decisions(3, on: shared.skipper)
    #expect(ticks.map(\.lost.value) == [.tick(true)] && ticks.allSatisfy { !$0.isUsable })
    await shared.end()
  }

  @Test func `Who may only look uses nothing instead`() async throws {
    let shared = try await SharedCharter()
    try await shared.decideATick()
    let crew = try shared.skipper.makeCrew(shared.charter.id)
    await crew.load()
    #expect(await crew.setRole(.viewer, of: shared.mate.session.userID))
    try await shared.mate.waitForRole(.viewer, in: shared.charter.id)
    let history = history(shared, 0, on: shared.mate)
    await history.load()
    let decision = try #require(history.decisions.data?.first)
    #expect(!history.canEdit)
    #expect(await !history.useLost(decision.id))
    #expect(history.actionError == .auth(.forbidden))
    await #expect(throws: RepositoryError.forbidden) {
      try await shared.mate.local.useLost(
        decision.id, itemID: shared.item(0), checklistID: shared.checklist.id,
        charterID: shared.charter.id)
    }
    await shared.end()
  }

  @Test func `View models of sharing are released when nothing uses them`() async throws {
    let app = try await AppDependencies.makeForTesting()
    let (charter, checklist) = try await app.makeCharter()
    weak var crew: MembersModel?
    weak var joining: JoinModel?
    weak var history: ItemHistoryViewModel?
    weak var access: ScopeAccess?
    do {
      let models = (
        try app.makeCrew(charter.id), JoinModel(app.sync),
        app.makeItemHistory(
          checklist.items[0].id, checklistID: checklist.id, charterID: charter.id),
        app.makeCharterAccess(charter.id)
      )
      (crew, joining, history, access) = models
      await models.0.load()
      _ = await models.1.join()
      await models.2.load()
      await models.3.load()
      #expect(models.2.decisions.isEmpty && !models.2.isGone && models.3.role == nil)
    }
    #expect(crew == nil && joining == nil && history == nil && access == nil)
  }
}
