import AnyfleetTestSupport
import Foundation
import OffshorePresentation
import OffshoreSync
import OffshoreWire
import TestSupport
import Testing

@testable import Anyfleet

/// Changes in a charter that another device deleted meanwhile.
@MainActor @Suite(.timeLimit(.minutes(2)))
struct RefusedChangesTests {
  /// Makes the changes of the mate in a charter that the skipper deletes meanwhile.
  private func deleteWhileMateWorks(
    _ shared: SharedCharter, renaming name: String? = nil
  ) async throws -> SyncModel {
    let charter = shared.charter.id
    try await shared.setAirplane(true)
    if let name {
      var renamed = shared.charter
      renamed.name = name
      try await shared.mate.local.saveCharter(renamed)
    }
    try await shared.tick(1, on: shared.mate)
    try await shared.mate.local.saveItemNote(
      checklistID: shared.checklist.id, charterID: charter, itemID: shared.item(2), note: "Torn")
    _ = try await shared.skipper.local.deleteCharter(charter)
    try await shared.skipper.sync.setAirplane(false)
    try await shared.skipper.waitUntilSent()
    let kind = OpenConflicts.Kind(CharterModel.scopeKind, ItemHistory.tables) { _, _ in nil }
    let model = SyncModel(shared.mate.sync, kinds: [kind])
    await model.load()
    try await shared.mate.sync.setAirplane(false)
    // The note and the tick are refused one after the other.
    await waitUntil {
      let values = model.refused.data?.filter { $0.change.end != nil }.flatMap(\.values)
      return values?.contains { $0.value == .text("Torn") } ?? false && model.pendingCount == 0
    }
    return model
  }

  @Test func `Refused changes say that the charter was deleted, and have their values`()
    async throws
  {
    let shared = try await SharedCharter()
    let model = try await deleteWhileMateWorks(shared)
    let items = try #require(model.refused.data)
    for item in items {
      #expect(item.change.end?.title == shared.charter.name && !item.change.canRetry)
      #expect(item.change.end?.isRestorable == true)
      guard case .deletedElsewhere = item.change.end?.kind else {
        Issue.record("\(item)")
        continue
      }
    }
    let values = items.flatMap(\.values)
    #expect(values.contains { $0.value == .text("Torn") && $0.label.in(.english) == "Note" })
    await shared.end()
  }

  @Test func `A refused change does not overwrite a charter whose deletion was undone`()
    async throws
  {
    let shared = try await SharedCharter()
    let model = try await deleteWhileMateWorks(shared)
    let id = try #require(model.refused.data?.first?.id)
    var newer = shared.charter
    newer.name = "Newer"
    try await shared.skipper.local.createCharter(newer)
    await waitUntil { model.refused.data?.first?.change.end == nil }
    let changes = shared.mate.database.store.changes
    #expect(try await !changes.restore(ScopeID.charter(shared.charter.id)))
    #expect(try await shared.mate.local.fetchCharter(id: shared.charter.id)?.name == "Newer")
    #expect(await !model.restoreScope(ofChange: id))
    await shared.end()
  }

  @Test(arguments: [nil, "Vis"])
  func `A retry restores the charter on both devices, with the changes made in it`(
    _ name: String?
  ) async throws {
    let shared = try await SharedCharter()
    let model = try await deleteWhileMateWorks(shared, renaming: name)
    let id = try #require(model.refused.data?.first?.id)
    #expect(await model.restoreScope(ofChange: id))
    try await shared.waitForTick(1, on: shared.skipper)
    let state = try await shared.skipper.waitForState(shared.checklist.id, shared.charter.id) {
      [item = shared.item(2)] in $0.itemStates[item]?.note == "Torn"
    }
    #expect(state != nil)
    let charter = try await shared.skipper.local.fetchCharter(id: shared.charter.id)
    #expect(charter?.name == name ?? shared.charter.name)
    await waitUntil { model.refused.data?.isEmpty ?? true }
    #expect(await !model.restoreScope(ofChange: id) && model.problem == .notRetried)
    await shared.end()
  }
}
