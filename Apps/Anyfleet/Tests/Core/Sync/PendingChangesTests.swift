import AnyfleetTestSupport
import Foundation
import Offshore
import OffshoreCalendar
import OffshorePresentation
import OffshoreSync
import TestSupport
import Testing

@testable import Anyfleet

/// The names of pending changes, and their parts.
@MainActor @Suite(.timeLimit(.minutes(2)))
struct PendingChangesTests {
  private let fleet: SyncedFleet
  private let app: AppDependencies

  /// A phone in airplane mode, without pending changes.
  init() async throws {
    fleet = try SyncedFleet()
    app = try await fleet.makeApp(of: "skipper")
    try await app.waitUntilSent()
    try await app.sync.setAirplane(true)
  }

  private var changes: OutgoingChanges { app.database.store.changes }

  private func pending() async throws -> [PendingChange] {
    for try await pending in changes.pending() { return pending.listed }
    return []
  }

  /// Sends the pending changes.
  private func send() async throws {
    try await app.sync.setAirplane(false)
    try await app.waitUntilSent()
    try await app.sync.setAirplane(true)
  }

  @Test
  func `A new charter is one change with its checklists, and no change if it is deleted again`()
    async throws
  {
    let (charter, _) = try await app.makeCharter()
    let change = try #require(try await pending().first)
    #expect(try await pending().count == 1 && change.partCount == 1)
    #expect(change.row == RowName(table: "charters", title: "Kornati"))
    #expect(change.id == "charters-\(charter.id)" && change.action == .added)
    _ = try await app.local.deleteCharter(charter.id)
    #expect(try await pending().isEmpty)
    await fleet.end(app)
  }

  @Test func `Changes are named by their row and by the charter it is part of`() async throws {
    let (charter, checklist) = try await app.makeCharter()
    let deck = FlashcardDeck(
      id: UUID(), title: "Lights", cards: [Flashcard(id: UUID(), front: "Red", back: "Port")],
      creatorID: app.session.userID)
    try await app.local.saveDeck(deck)
    try await send()
    let items = checklist.items
    try await app.local.saveItemState(
      checklistID: checklist.id, charterID: charter.id, itemID: items[0].id, isChecked: true)
    try await app.local.saveItemNote(
      checklistID: checklist.id, charterID: charter.id, itemID: items[1].id, note: "Stiff")
    try await app.local.setActiveCharter(charter.id)
    try await app.local.recordAnswer(.known, cardID: deck.cards[0].id, deckID: deck.id)
    try await app.local.deleteChecklist(checklist.id)
    let found = try await pending()
    #expect(
      Set(found.map(\.row)) == [
        RowName(table: "checklistExecutionStates", title: checklist.title, whole: "Kornati"),
        RowName(table: "checklistItemNotes", title: items[1].title, whole: "Kornati"),
        RowName(table: "activeCharters", title: "Kornati"),
        RowName(table: "flashcardProgress", title: "Lights"),
        RowName(table: "checklists", title: checklist.title),
      ])
    #expect(found.first { $0.row.table == "checklists" }?.action == .removed)
    await fleet.end(app)
  }

  @Test func `A charter whose deletion and edits are cancelled is found by its former name`()
    async throws
  {
    var (charter, _) = try await app.makeCharter()
    try await send()
    charter.name = "Šibenik"
    try await app.local.saveCharter(charter)
    _ = try await app.local.deleteCharter(charter.id)
    for _ in 0..<2 { #expect(try await changes.cancel(pending()[0].id)) }
    #expect(try await app.local.fetchCharter(id: charter.id)?.name == "Kornati")
    #expect(try await app.local.fetchCharterChecklists(charter.id).count == 1)
    // The search text is restored, too.
    let found = try await app.local.fetchCharters(
      [.list(.notArchived)], on: CalendarDay(containing: .day(6, 7)),
      matching: "kornati", limit: 10)
    #expect(found.charters.map(\.id) == [charter.id])
    await fleet.end(app)
  }
}
