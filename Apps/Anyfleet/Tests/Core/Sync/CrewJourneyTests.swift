import AnyfleetTestSupport
import Foundation
import Offshore
import OffshorePresentation
import OffshoreSync
import OffshoreWire
import TestSupport
import Testing

@testable import Anyfleet

/// A skipper and a mate, each with a phone, and a real server.
@MainActor @Suite(.timeLimit(.minutes(2)))
struct CrewJourneyTests {
  @Test
  func `Two members who tick offline keep their ticks, and both see how a conflict was resolved`()
    async throws
  {
    let shared = try await SharedCharter()
    try await shared.tick(0, on: shared.skipper)
    try await shared.waitForTick(0, on: shared.mate)
    try await shared.setAirplane(true)
    try await shared.tick(1, on: shared.skipper)
    try await shared.tick(2, on: shared.mate)
    try await shared.tick(0, false, on: shared.skipper)
    try await shared.tick(0, false, on: shared.mate)
    try await shared.tick(0, on: shared.mate)
    try await shared.setAirplane(false)
    for app in [shared.skipper, shared.mate] {
      for number in 0...2 { try await shared.waitForTick(number, on: app) }
      let isMates = app === shared.mate
      let entry = try #require(try await shared.entries(0, on: app).first)
      #expect(entry.winning.value == .ticked && entry.winning.isFromThisDevice == isMates)
      #expect(entry.losing.value == .unticked && entry.losing.isFromThisDevice != isMates)
      #expect(entry.winning.date >= entry.losing.date && entry.choices.contains(.losing))
    }
    await shared.end()
  }

  @Test func `The losing value can be chosen instead, and both phones show it`() async throws {
    let shared = try await SharedCharter()
    try await shared.makeConcurrentTicks()
    let history = HistoryModel(try shared.history(0, on: shared.skipper), shared.skipper.sync)
    try await history.load()
    let entry = try #require(history.content.data?.entries.first)
    #expect(await history.choose(.losing, of: entry.id))
    try await shared.waitForTick(0, false, on: shared.mate)
    let percent = try await shared.skipper.database.database.read {
      try SQL("SELECT progressPercentage FROM checklistExecutionStates").first($0, as: Double?.self)
    }
    #expect(percent == 0)
    await waitUntil { history.content.data?.entries.first?.choices.contains(.losing) == false }
    #expect(await !history.choose(.losing, of: UUID()))
    #expect(history.error == .database(.notFound))
    await shared.end()
  }

  @Test(arguments: [true, false])
  func `Of two notes written offline the later stays, and the losing one can be restored`(
    isLaterFirst: Bool
  ) async throws {
    let shared = try await SharedCharter()
    try await shared.setAirplane(true)
    for (app, note) in [(shared.skipper, "Stiff"), (shared.mate, "Torn")] {
      try await app.local.saveItemNote(
        checklistID: shared.checklist.id, charterID: shared.charter.id, itemID: shared.item(1),
        note: note)
    }
    // The server receives the other note before the second phone sends its own.
    let first = isLaterFirst ? shared.mate : shared.skipper
    try await first.sync.setAirplane(false)
    try await first.waitUntilSent()
    try await shared.setAirplane(false)
    for app in [shared.skipper, shared.mate] {
      let found = try await shared.entries(1, on: app)
      let entry = try #require(found.first)
      #expect(found.count == 1)
      #expect(entry.winning.value == .text("Torn") && entry.losing.value == .text("Stiff"))
    }
    let entry = try #require(try await shared.entries(1, on: shared.mate).first)
    try await shared.history(1, on: shared.mate).choose(.losing, of: entry.id)
    _ = try await shared.skipper.waitForState(shared.checklist.id, shared.charter.id) {
      $0.itemStates[shared.item(1)]?.note == "Stiff"
    }
    await shared.end()
  }

  @Test func `Clearing a note does not remove a later issue from another phone`() async throws {
    let shared = try await SharedCharter()
    let (charter, checklist, item) = (shared.charter.id, shared.checklist.id, shared.item(0))
    try await shared.noteOnBoth(0, "Stiff")
    try await shared.setAirplane(true)
    try await shared.skipper.local.saveItemNote(
      checklistID: checklist, charterID: charter, itemID: item, note: nil)
    try await shared.mate.local.saveItemIssue(
      checklistID: checklist, charterID: charter, itemID: item, issue: .damaged)
    try await shared.setAirplane(false)
    for app in [shared.skipper, shared.mate] {
      let state = try await app.waitForState(checklist, charter) {
        $0.itemStates[item]?.note == nil && $0.itemStates[item]?.issue == .damaged
      }
      #expect(state != nil)
    }
    await shared.end()
  }

  @Test(arguments: [true, false])
  func `A reset stays, and the history gives the reason why a later tick was lost`(
    isResetFirst: Bool
  ) async throws {
    let shared = try await SharedCharter()
    try await shared.tick(0, on: shared.skipper)
    try await shared.waitForTick(0, on: shared.mate)
    try await shared.setAirplane(true)
    try await shared.skipper.local.clearExecutionState(
      checklistID: shared.checklist.id, charterID: shared.charter.id)
    // The tick only counts as later if the clock by which it is stamped is beyond that of the reset.
    let reset = try await serverTime(on: shared.skipper)
    while try await serverTime(on: shared.mate) <= reset { await Task.yield() }
    try await shared.tick(1, on: shared.mate)
    // The first phone that is online again is the first to send.
    let first = isResetFirst ? shared.skipper : shared.mate
    try await first.sync.setAirplane(false)
    try await first.waitUntilSent()
    try await shared.setAirplane(false)
    let entry = try #require(try await shared.entries(1, on: shared.mate).first)
    #expect(entry.reason == .ended && entry.winning.value == .deleted)
    #expect(entry.losing.value == .ticked && entry.winning.date < entry.losing.date)
    await shared.end()
  }

  @Test func `A viewer can read the charter, and changes of a viewer are not stored`() async throws
  {
    let shared = try await SharedCharter(mateIs: .viewer)
    let (mate, charter, checklist) = (shared.mate, shared.charter, shared.checklist)
    _ = try await mate.waitForCharter(charter.id)
    let detail = mate.makeCharterDetail(charter.id)
    await detail.load()
    #expect(!detail.canEdit && detail.role == .viewer)
    #expect(await !detail.setArchived(true))
    #expect(detail.actionError == .auth(.forbidden))
    #expect(await detail.delete() == nil && detail.actionError == .auth(.forbidden))
    #expect(await detail.setActive(true), "which charter is active is everybody's own choice")
    let run = mate.makeChecklistExecution(charterID: charter.id, checklistID: checklist.id)
    await run.load()
    run.toggleItem(shared.item(0))
    run.setNote(shared.item(0), to: "Torn")
    await run.settled()
    #expect(run.error(of: .tick(shared.item(0))) == .auth(.forbidden))
    #expect(run.error(of: .note(shared.item(0))) == .auth(.forbidden))
    #expect(!run.isChecked(shared.item(0)) && !run.canEdit)
    let edit = mate.makeDraft(ofCharter: charter.id)
    await edit.load()
    edit["name"] = "Mine"
    #expect(await edit.save() == nil && edit.saveError == .auth(.forbidden))
    // A caller that does not check the role first is refused as well.
    await #expect(throws: RepositoryError.forbidden) { try await shared.tick(0, on: mate) }
    try await mate.waitUntilSent()
    let status = try await mate.database.database.read { [replica = mate.database.replica] in
      try replica.status($0)
    }
    #expect(status.refused == 0)
    #expect(try await mate.local.fetchCharter(id: charter.id)?.name == charter.name)
    await shared.end()
  }

  @Test func `A revoked member loses the charter, and pending changes become refused changes`()
    async throws
  {
    let shared = try await SharedCharter()
    try await shared.mate.sync.setAirplane(true)
    try await shared.tick(0, on: shared.mate)
    let crew = try shared.skipper.makeCrew(shared.charter.id)
    await crew.load()
    #expect(await crew.remove(shared.mate.session.userID))
    #expect(crew.members.data?.map(\.name) == ["skipper"])
    try await shared.skipper.sync.drain()
    try await shared.mate.sync.setAirplane(false)
    try await shared.mate.waitUntilGone(shared.charter.id)
    let values = shared.mate.database.database.values { [replica = shared.mate.database.replica] in
      try replica.deadLetters($0)
    }
    for try await letters in values where !letters.isEmpty { break }
    #expect(
      try await shared.mate.end(ofCharter: shared.charter.id)
        == ScopeEnd(kind: .revoked, hasLostChanges: false), "it is kept, and not lost")
    await shared.end()
  }

  @Test func `A member who leaves keeps a read-only copy`() async throws {
    let shared = try await SharedCharter()
    _ = try await shared.mate.waitForCharter(shared.charter.id)
    let crew = try shared.mate.makeCrew(shared.charter.id)
    await crew.load()
    #expect(crew.canLeave && !crew.canManage)
    #expect(await crew.leave())
    #expect(!crew.canLeave && crew.sharing == .shared(.left))
    let detail = shared.mate.makeCharterDetail(shared.charter.id)
    await detail.load()
    #expect(detail.charter.data?.name == shared.charter.name && !detail.canEdit)
    await #expect(throws: RepositoryError.forbidden) { try await shared.tick(0, on: shared.mate) }
    #expect(await detail.removeCopy())
    try await shared.mate.waitUntilGone(shared.charter.id)
    #expect(try await shared.mate.end(ofCharter: shared.charter.id)?.kind == .revoked)
    #expect(await !detail.removeCopy())
    let owners = try shared.skipper.makeCrew(shared.charter.id)
    await owners.load()
    await waitUntil { owners.members.data?.map(\.role) == [.owner] }
    await shared.end()
  }

  @Test
  func `A charter that is deleted elsewhere is removed, and pending changes are reported as lost`()
    async throws
  {
    let shared = try await SharedCharter()
    _ = try await shared.mate.waitForCharter(shared.charter.id)
    try await shared.mate.sync.setAirplane(true)
    try await shared.mate.local.changeCharter(shared.charter.id) { $0.name = "Renamed" }
    try await shared.skipper.local.deleteCharter(shared.charter.id)
    try await shared.skipper.waitUntilSent()
    try await shared.mate.sync.setAirplane(false)
    try await shared.mate.waitUntilGone(shared.charter.id)
    // The conflict arrives after the change was sent.
    let scope = try ScopeID.charter(shared.charter.id)
    let decided = shared.mate.database.database.values {
      [replica = shared.mate.database.replica] in try replica.conflicts(in: scope, $0).count
    }
    for try await count in decided where count > 0 { break }
    let end = try #require(try await shared.mate.end(ofCharter: shared.charter.id))
    #expect(end.hasLostChanges)
    guard case .deletedElsewhere = end.kind else { return #expect(Bool(false), "\(end)") }
    guard case .deletedHere = try await shared.skipper.end(ofCharter: shared.charter.id)?.kind
    else {
      return #expect(Bool(false))
    }
    await shared.end()
  }

  @Test func `A change that a reset removed earlier is not reported as lost with the charter`()
    async throws
  {
    let shared = try await SharedCharter()
    try await shared.tick(0, on: shared.skipper)
    try await shared.waitForTick(0, on: shared.mate)
    try await shared.mate.sync.setAirplane(true)
    try await shared.tick(1, on: shared.mate)
    try await shared.skipper.local.clearExecutionState(
      checklistID: shared.checklist.id, charterID: shared.charter.id)
    try await shared.skipper.waitUntilSent()
    try await shared.mate.sync.setAirplane(false)
    #expect(try await shared.entries(1, on: shared.mate).first?.reason == .ended)
    try await shared.skipper.local.deleteCharter(shared.charter.id)
    try await shared.mate.waitUntilGone(shared.charter.id)
    #expect(try await shared.mate.end(ofCharter: shared.charter.id)?.hasLostChanges == false)
    await shared.end()
  }

  /// Returns the time by which a phone stamps its changes, in milliseconds since 1970.
  private func serverTime(on app: AppDependencies) async throws -> Int64 {
    let ahead = try await app.database.database.read {
      try SQL("SELECT ahead FROM _state").first($0, as: Int64?.self)
    }
    return Date().millisecondsSince1970 + ((ahead ?? nil) ?? 0)
  }
}
