import AnyfleetTestSupport
import Foundation
import Offshore
import TestSupport
import Testing

@testable import Anyfleet

struct ClearedExecutionTests {
  private let fixture: Fixture
  private var repository: LocalRepository { fixture.repository }

  init() throws { fixture = try Fixture() }

  private func begun() async throws -> (CharterModel, Checklist) {
    let (charter, checklist) = (try await fixture.charter(), try await fixture.checklist(items: 2))
    try await repository.assignChecklist(checklist.id, toCharter: charter.id)
    for item in 0...1 { try await fixture.tick(item, of: checklist, in: charter) }
    try await note("Torn", 0, of: checklist, in: charter)
    return (charter, checklist)
  }

  private func note(
    _ text: String, _ item: Int, of checklist: Checklist, in charter: CharterModel
  ) async throws {
    try await repository.saveItemNote(
      checklistID: checklist.id, charterID: charter.id, itemID: checklist.items[item].id,
      note: text)
  }

  private func clear(
    _ checklist: Checklist, in charter: CharterModel
  ) async throws -> ClearedExecution? {
    try await repository.clearExecutionState(checklistID: checklist.id, charterID: charter.id)
  }

  private func state(_ checklist: Checklist, in charter: CharterModel) async throws
    -> ChecklistExecutionState?
  {
    try await fixture.state(checklist, in: charter)
  }

  @Test func `A cleared state is restored unchanged`() async throws {
    let (charter, checklist) = try await begun()
    let item = checklist.items[0].id.uuidString
    let json = "{\"\(item)\":{\"checked\":true,\"checkedAt\":\"2026-06-06T12:00:00Z\",\"by\":7}}"
    try await fixture.run("UPDATE checklistExecutionStates SET itemStates = \(json)")
    let before = try #require(try await state(checklist, in: charter))
    let cleared = try #require(try await clear(checklist, in: charter))
    #expect(cleared.id.checklistID == checklist.id)
    #expect(cleared.id.charterID == charter.id)
    #expect(try await state(checklist, in: charter) == nil)
    try await repository.restoreExecutionState(cleared)
    var expected = before
    // The count is recomputed, since the ticks were changed by SQL that does not update it.
    expected.completedAt = nil
    #expect(try await state(checklist, in: charter) == expected)
    #expect(try await fixture.texts("SELECT itemStates FROM checklistExecutionStates") == [json])
  }

  @Test func `Clearing a checklist that was never begun returns nil`() async throws {
    let (charter, checklist) = (try await fixture.charter(), try await fixture.checklist())
    #expect(try await clear(checklist, in: charter) == nil)
  }

  @Test func `Restoring preserves newer ticks and notes, and restores the others`() async throws {
    let (charter, checklist) = try await begun()
    let cleared = try #require(try await clear(checklist, in: charter))
    fixture.now = .day(6, 8)
    try await fixture.tick(0, of: checklist, in: charter, false)
    try await note("Mended", 0, of: checklist, in: charter)
    try await repository.restoreExecutionState(cleared)
    let restored = try #require(try await state(checklist, in: charter))
    let (first, second) = (checklist.items[0].id, checklist.items[1].id)
    #expect(restored.itemStates[first]?.isChecked == false)
    #expect(restored.itemStates[first]?.note == "Mended")
    #expect(restored.itemStates[second]?.checkedAt == .day(6, 6))
    #expect(restored.completedAt == nil)
    #expect(restored.createdAt == .day(6, 6))
    #expect(restored.lastUpdated == .day(6, 8))
    #expect(restored.syncStatus == .pending)
    // Restoring again changes no tick.
    try await repository.restoreExecutionState(cleared)
    #expect(try await state(checklist, in: charter)?.itemStates == restored.itemStates)
  }

  @Test func `Restored ticks are counted by the current items of the checklist`() async throws {
    let (charter, checklist) = try await begun()
    let cleared = try #require(try await clear(checklist, in: charter))
    var longer = checklist
    longer.sections[0].items += Checklist.sample(items: 2).items
    try await repository.saveChecklist(longer, inCharter: charter.id)
    try await repository.restoreExecutionState(cleared)
    #expect(try await state(checklist, in: charter)?.completedAt == nil)
    #expect(
      try await fixture.texts(
        "SELECT CAST(progressPercentage AS TEXT) FROM checklistExecutionStates") == ["50.0"])
  }

  @Test func `Damaged ticks can be cleared, and are still damaged after they are restored`()
    async throws
  {
    let (charter, checklist) = try await begun()
    try await fixture.run("UPDATE checklistExecutionStates SET itemStates = '['")
    let cleared = try #require(try await clear(checklist, in: charter))
    try await repository.restoreExecutionState(cleared)
    await #expect(throws: RepositoryError.self) { _ = try await state(checklist, in: charter) }
    #expect(try await fixture.texts("SELECT itemStates FROM checklistExecutionStates") == ["["])
  }

  @Test func `Nothing is restored to a charter that was deleted`() async throws {
    let (charter, checklist) = try await begun()
    let cleared = try #require(try await clear(checklist, in: charter))
    try await repository.deleteCharter(charter.id)
    await #expect(throws: RepositoryError.notFound) {
      try await repository.restoreExecutionState(cleared)
    }
    #expect(try await fixture.count("checklistExecutionStates") == 0)
  }
}
