import Anyfleet
import AnyfleetTestSupport
import Foundation
import OffshoreHTTP
import OffshorePresentation
import OffshoreSync
import TestSupport
import Testing

/// Refused changes in a charter that another phone deleted, as pages show them.
@MainActor @Suite(.timeLimit(.minutes(2)))
struct RefusedChangesPageTests {
  @Test func `Ticks and notes in a deleted charter are counted by their kinds`() async throws {
    let shared = try await SharedCharter()
    let charter = shared.charter.id
    try await shared.setAirplane(true)
    for number in [1, 3] { try await shared.tick(number, on: shared.mate) }
    try await shared.mate.local.saveItemNote(
      checklistID: shared.checklist.id, charterID: charter, itemID: shared.item(2), note: "Torn")
    _ = try await shared.skipper.local.deleteCharter(charter)
    try await shared.skipper.sync.setAirplane(false)
    try await shared.skipper.waitUntilSent()
    let kind = OpenConflicts.Kind(CharterModel.scopeKind, ItemHistory.tables) { _, _ in nil }
    let model = SyncModel(shared.mate.sync, kinds: [kind])
    await model.load()
    try await shared.mate.sync.setAirplane(false)
    await waitUntil {
      let ended = model.refused.data?.filter { $0.change.end != nil } ?? []
      let fields = Set(ended.flatMap(\.values).map(\.field))
      return fields.count == 3 && model.pendingCount == 0
    }
    let pages = Pages(shared.mate)
    let sync = await pages.get("/profile/sync").text
    #expect(sync.contains("was deleted on another phone. Your 2 ticks and 1 note are kept here."))
    let gone = await pages.get("/charters/\(charter.uuidString)").text
    #expect(gone.contains("Your 2 ticks and 1 note are kept here."))
    #expect(gone.contains(#"<a href="/profile/sync">See them</a>"#))
    shared.mate.language.use(.russian)
    #expect(
      await pages.get("/profile/sync").text.contains(
        "удалили на другом телефоне. Здесь сохранено: 2 отметки и 1 заметка."))
    await shared.end()
  }
}
