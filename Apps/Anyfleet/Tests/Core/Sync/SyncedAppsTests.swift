import AnyfleetTestSupport
import Foundation
import Offshore
import OffshoreCalendar
import OffshoreSync
import OffshoreWire
import ServerSupport
import TestSupport
import Testing

@testable import Anyfleet
@testable import OffshorePresentation

/// Two phones and a real server.
@MainActor @Suite(.timeLimit(.minutes(2)))
struct SyncedAppsTests {
  @Test func `Data from before the first account is on both phones`() async throws {
    let fleet = try SyncedFleet()
    let first = try await fleet.makeApp()
    let (charter, checklist) = try await first.makeCharter("Šibenik")
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
    let loaded = try await second.local.loadExecutionState(
      checklistID: checklist.id, charterID: charter.id)
    #expect(loaded?.syncStatus == .synced)
    // Values that this phone derives by itself: the search text and the progress.
    let page = try await second.local.fetchCharters(
      [.list(.notArchived)], on: CalendarDay(containing: .day(6, 7)),
      matching: "sibenik", limit: 10)
    #expect(page.charters.map(\.id) == [charter.id])
    let percent = try await second.database.database.read {
      try SQL("SELECT progressPercentage FROM checklistExecutionStates").first($0, as: Double?.self)
    }
    #expect(percent == 1 / Double(checklist.itemIDs.count) * 100)
    // The files of both phones have them: the one that pulled and the one that pushed.
    for app in [first, second] {
      let statuses = app.database.database.values { reader in
        try SQL(
          """
          SELECT syncStatus FROM charters UNION ALL SELECT syncStatus FROM checklistExecutionStates
          """
        ).all(reader, as: String.self)
      }
      for try await found in statuses where found == ["synced", "synced"] { break }
    }
    await fleet.end(first, second)
  }

  @Test func `Both members who tick offline keep their ticks, and both see them`() async throws {
    let fleet = try SyncedFleet()
    let first = try await fleet.makeApp(of: "skipper")
    let (charter, checklist) = try await first.makeCharter()
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

  @Test func `In airplane mode no request is sent, and all changes are sent after it`() async throws
  {
    let fleet = try SyncedFleet()
    let app = try await fleet.makeApp(of: "skipper")
    await waitUntil { app.sync.indicator == .synced }
    try await app.sync.setAirplane(true)
    let count = fleet.server.requestCount
    let (charter, _) = try await app.makeCharter()
    #expect(app.sync.connection == .airplane)
    let crew = try app.makeCrew(charter.id)
    await crew.load()
    #expect(await !crew.invite(as: .editor))
    let account = AccountModel(app.sync)
    #expect(await !account.changePassword(from: "correct horse", to: "battery staple"))
    #expect(account.failure == .network(.offline))
    await app.sync.syncNow()
    #expect(await account.signOut(isConfirmed: true))
    await app.session.revocation?.value
    #expect(await !account.signIn(name: "skipper", password: "correct horse"))
    let other = try await fleet.makeApp()
    try await other.sync.setAirplane(true)
    #expect(await !AccountModel(other.sync).signUp(name: "mate", password: "correct horse"))
    #expect(fleet.server.requestCount == count)
    let pending = try await app.database.database.read { [replica = app.database.replica] in
      try replica.status($0).pending
    }
    #expect(pending > 0)
    try await app.sync.setAirplane(false)
    #expect(await account.signIn(name: "skipper", password: "correct horse"))
    try await app.waitUntilSent()
    let second = try await fleet.makeApp(of: "skipper")
    #expect(try await second.waitForCharter(charter.id)?.name == "Kornati")
    await fleet.end(app, second, other)
  }

  @Test func `A phone signs in with its data, and keeps no second set of the first checklists`()
    async throws
  {
    let fleet = try SyncedFleet()
    let first = try await fleet.makeApp(of: "skipper")
    try await first.waitUntilSent()
    let second = try await fleet.makeApp()
    let (own, _) = try await second.makeCharter("Lastovo")
    try await second.session.signIn(name: "skipper", password: "correct horse")
    await second.sync.start()
    #expect(try await first.waitForCharter(own.id)?.name == "Lastovo")
    let seeds = SeedChecklist.all.map {
      $0.checklist(of: first.session.userID, in: .english, at: .day(1, 1)).id
    }
    for try await found in second.local.entities.entries(Checklist.self)
    where Set(seeds).isSubset(of: found.rows.map(\.id)) {
      // The one that the charter uses is unchanged.
      #expect(found.rows.count == seeds.count + 1)
      break
    }
    await fleet.end(first, second)
  }

  @Test func `Pages and deletions from before the first account are sent too`()
    async throws
  {
    let fleet = try SyncedFleet()
    let skipper = try await fleet.makeApp(of: "skipper")
    let app = try await fleet.makeApp()
    let deck = FlashcardDeck(
      id: UUID(), title: "Lights", cards: [Flashcard(id: UUID(), front: "Red", back: "Port")],
      creatorID: app.session.userID)
    try await app.local.saveDeck(deck)
    try await app.local.recordAnswer(.known, cardID: deck.cards[0].id, deckID: deck.id)
    let restore = try #require(try await app.libraryStore.delete(FlashcardDeck.self, deck.id))
    let editor = app.libraryStore.draft(
      of: PracticeGuide.self, nil, isNew: true, by: app.session.userID)
    await editor.load()
    (editor["title"], editor["body"]) = ("Anchoring", "Slowly.")
    try await app.session.signIn(name: "skipper", password: "correct horse")
    await app.sync.start()
    #expect(await editor.save() != nil)
    try await restore()
    for try await guides in skipper.local.entities.entries(PracticeGuide.self)
    where !guides.rows.isEmpty {
      #expect(guides.rows.map(\.title) == ["Anchoring"])
      break
    }
    for try await progress in skipper.local.studyProgress(ofDeck: deck.id)
    where !progress.rows.isEmpty { break }
    #expect(try await skipper.local.fetchDeck(deck.id)?.title == "Lights")
    #expect(app.sync.storeStatus.refusedCount == 0)
    await fleet.end(skipper, app)
  }

  @Test func `Each phone computes when a checklist was completed, without a conflict`() async throws
  {
    let table = try #require(try AppSchema.manifest()["checklistExecutionStates"])
    #expect(!table.columns.contains { $0.name == "completedAt" })
    let shared = try await SharedCharter()
    for number in shared.checklist.items.indices {
      try await shared.tick(number, on: shared.skipper)
    }
    let state = try await shared.mate.waitForState(shared.checklist.id, shared.charter.id) {
      $0.completedAt != nil
    }
    #expect(state?.checkedCount == shared.checklist.items.count)
    await shared.end()
  }

  @Test func `The data of a phone is given to one account only`() async throws {
    let fleet = try SyncedFleet()
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
    let (charter, _) = try await app.makeCharter()
    try await app.session.signIn(name: "skipper", password: "correct horse")
    await app.sync.start()
    try await app.waitUntilSent()
    #expect(try await other.local.fetchCharter(id: charter.id) == nil)
    await fleet.end(app, other)
  }
}
