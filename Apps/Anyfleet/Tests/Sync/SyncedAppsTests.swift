import Foundation
import Offshore
import OffshorePresentation
import OffshoreSync
import Testing

@testable import Anyfleet

/// Two phones and a real server.
@MainActor @Suite(.timeLimit(.minutes(2)))
struct SyncedAppsTests {
  private func charter(_ name: String = "Kornati", in app: AppDependencies) async throws
    -> (CharterModel, Checklist)
  {
    let checklist = try #require(try await app.local.fetchUserChecklists().first)
    let charter = CharterModel(
      id: UUID(), name: name, boatName: "Alma", location: "Biograd", startDate: .day(6, 6),
      endDate: .day(6, 13), createdAt: .day(1, 1), checkInChecklistID: nil)
    try await app.local.createCharter(charter, assigning: [checklist.id])
    return (charter, checklist)
  }

  @Test func `What was made before there was an account is on both phones`() async throws {
    let fleet = try await SyncedFleet()
    let first = try await fleet.makeApp()
    let (charter, checklist) = try await charter("Šibenik", in: first)
    let item = try #require(checklist.itemIDs.first)
    try await first.local.saveItemState(
      checklistID: checklist.id, charterID: charter.id, itemID: item, isChecked: true)
    let userID = first.session.userID
    try await first.session.signUp(name: "skipper", password: "correct horse")
    #expect(first.session.userID == userID)
    await first.sync.start()
    let second = try await fleet.makeApp(of: "skipper")
    #expect(second.session.userID == userID)
    let found = try #require(try await second.waitForCharter(charter.id))
    #expect(found.name == "Šibenik" && found.syncStatus == .synced)
    let state = try #require(
      try await second.waitForState(checklist.id, charter.id) { !$0.itemStates.isEmpty })
    #expect(state.itemStates[item]?.isChecked == true)
    // What this phone works out by itself: what a search finds, and how far it has got.
    let page = try await second.local.fetchCharters(
      [.list(.notArchived)], on: CalendarDay(containing: .day(6, 7)),
      matching: "sibenik", limit: 10)
    #expect(page.charters.map(\.id) == [charter.id])
    let percent = try await second.database.database.read {
      try SQL("SELECT progressPercentage FROM checklistExecutionStates").one($0, as: Double?.self)
    }
    #expect(percent == 1 / Double(checklist.itemIDs.count) * 100)
    await fleet.end(first, second)
  }

  @Test func `Each of two who tick offline keeps the ticks, and both see them`() async throws {
    let fleet = try await SyncedFleet()
    let first = try await fleet.makeApp(of: "skipper")
    let (charter, checklist) = try await charter(in: first)
    let second = try await fleet.makeApp(of: "skipper")
    _ = try await second.waitForCharter(charter.id)
    for app in [first, second] { try await app.sync.setAirplane(true) }
    let items = Array(checklist.itemIDs.prefix(2))
    for (app, item) in zip([first, second], items) {
      try await app.local.saveItemState(
        checklistID: checklist.id, charterID: charter.id, itemID: item, isChecked: true)
    }
    #expect([first, second].allSatisfy { $0.sync.connection == .airplane })
    for app in [first, second] { try await app.sync.setAirplane(false) }
    for app in [first, second] {
      let state = try await app.waitForState(checklist.id, charter.id) { state in
        items.allSatisfy { state.itemStates[$0]?.isChecked == true }
      }
      #expect(state?.checkedCount == 2)
    }
    await fleet.end(first, second)
  }

  @Test func `In airplane mode nothing is asked of the server, and all is sent after`() async throws
  {
    let fleet = try await SyncedFleet()
    let app = try await fleet.makeApp(of: "skipper")
    try await app.waitUntilSent()
    try await app.sync.setAirplane(true)
    let (charter, _) = try await charter(in: app)
    #expect(app.sync.connection == .airplane)
    let pending = try await app.database.database.read { [replica = app.database.replica] in
      try replica.status($0).pending
    }
    #expect(pending > 0)
    try await app.sync.setAirplane(false)
    try await app.waitUntilSent()
    let second = try await fleet.makeApp(of: "skipper")
    #expect(try await second.waitForCharter(charter.id)?.name == "Kornati")
    await fleet.end(app, second)
  }

  @Test func `A phone signs in with what it has, and keeps no second set of the first checklists`()
    async throws
  {
    let fleet = try await SyncedFleet()
    let first = try await fleet.makeApp(of: "skipper")
    try await first.waitUntilSent()
    let second = try await fleet.makeApp()
    let (own, _) = try await charter("Lastovo", in: second)
    try await second.session.signIn(name: "skipper", password: "correct horse")
    await second.sync.start()
    #expect(try await first.waitForCharter(own.id)?.name == "Lastovo")
    let seeds = SeedChecklist.all.map {
      $0.checklist(of: first.session.userID, in: .english, at: .day(1, 1)).id
    }
    for try await found in second.local.checklists()
    where Set(seeds).isSubset(of: found.rows.map(\.id)) {
      // The one that the charter uses stays as it is.
      #expect(found.rows.count == seeds.count + 1)
      break
    }
    await fleet.end(first, second)
  }

  @Test func `What is on a phone is given to one account only`() async throws {
    let fleet = try await SyncedFleet()
    let other = try await fleet.makeApp(of: "mate")
    let app = try await fleet.makeApp(of: "skipper")
    try await app.session.signOut()
    #expect(app.session.account?.name == "skipper" && !app.session.isSignedIn)
    await #expect(throws: AppError.auth(.otherAccount("skipper"))) {
      try await app.session.signIn(name: "mate", password: "correct horse")
    }
    await #expect(throws: AppError.auth(.invalidCredentials)) {
      try await app.session.signIn(name: "skipper", password: "wrong horse")
    }
    let (charter, _) = try await charter(in: app)
    try await app.session.signIn(name: "skipper", password: "correct horse")
    await app.sync.start()
    try await app.waitUntilSent()
    #expect(try await other.local.fetchCharter(id: charter.id) == nil)
    await fleet.end(app, other)
  }
}
