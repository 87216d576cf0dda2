import AnyfleetTestSupport
import Foundation
import Offshore
import OffshoreSync
import TestSupport
import Testing

@testable import Anyfleet

struct CharterChecklistRepositoryTests {
  private let fixture: Fixture
  private var repository: LocalRepository { fixture.repository }

  init() throws { fixture = try Fixture() }

  private func assigned(items: Int = 2) async throws -> (CharterModel, Checklist) {
    let charter = try await fixture.charter()
    let checklist = try await fixture.checklist(items: items)
    try await repository.assignChecklist(checklist.id, toCharter: charter.id)
    return (charter, checklist)
  }

  private func titles(_ charter: CharterModel) async throws -> [String] {
    try await repository.fetchCharterChecklists(charter.id).map(\.snapshot.title)
  }

  private func percentage() async throws -> Double? {
    try await fixture.database.database.read { reader in
      try SQL("SELECT progressPercentage FROM checklistExecutionStates")
        .first(reader, as: Double?.self) ?? nil
    }
  }

  private func with(_ checklist: Checklist, items: Int) -> Checklist {
    var changed = checklist
    changed.sections[0].items =
      Array(checklist.items.prefix(items))
      + Checklist.sample(items: max(0, items - checklist.items.count)).items
    return changed
  }

  // MARK: - Assigning

  @Test func `A charter gets unchanged copies of checklists, in the order of assignment`()
    async throws
  {
    let charter = try await fixture.charter()
    var first = Checklist.sample("First")
    first.description = "On taking over"
    first.sections[0].items[0].note = "Look twice"
    try await repository.saveChecklist(first)
    let second = try await fixture.checklist("Second")
    let assigned = try await repository.assignChecklist(first.id, toCharter: charter.id)
    #expect(assigned == CharterChecklist(charterID: charter.id, position: 0, snapshot: first))
    try await repository.assignChecklist(second.id, toCharter: charter.id)
    #expect(
      try await repository.fetchCharterChecklists(charter.id) == [
        assigned, CharterChecklist(charterID: charter.id, position: 1, snapshot: second),
      ])
    #expect(try await repository.fetchCharterChecklists(UUID()) == [])
  }

  @Test func `The row's id is derived from charter and checklist`() async throws {
    let (charter, checklist) = try await assigned()
    let id = UUID(name: "snapshot.\(checklist.id.uuidString)", in: charter.id)
    #expect(try await fixture.texts("SELECT id FROM charterChecklists") == [id.uuidString])
    #expect(id != ChecklistExecutionState.id(charterID: charter.id, checklistID: checklist.id))
  }

  @Test func `Assigning a checklist again leaves its snapshot unchanged`()
    async throws
  {
    let (charter, checklist) = try await assigned()
    let before = try await repository.fetchCharterChecklists(charter.id)
    try await repository.saveChecklist(with(checklist, items: 5))
    let again = try await repository.assignChecklist(checklist.id, toCharter: charter.id)
    #expect([again] == before)
    #expect(try await repository.fetchCharterChecklists(charter.id) == before)
  }

  @Test func `A missing checklist or charter cannot be assigned, and nothing is stored`()
    async throws
  {
    let (charter, checklist) = (try await fixture.charter(), try await fixture.checklist())
    await #expect(throws: RepositoryError.notFound) {
      try await repository.assignChecklist(UUID(), toCharter: charter.id)
    }
    await #expect(throws: RepositoryError.notFound) {
      try await repository.assignChecklist(checklist.id, toCharter: UUID())
    }
    #expect(try await fixture.count("charterChecklists") == 0)
  }

  @Test func `Of 50 concurrent assignments each has its own position`() async throws {
    let charter = try await fixture.charter()
    var checklists: [Checklist] = []
    for number in 0..<25 { checklists.append(try await fixture.checklist("\(number)")) }
    try await withThrowingTaskGroup(of: Void.self) { [checklists] group in
      for checklist in checklists + checklists {
        group.addTask {
          _ = try await repository.assignChecklist(checklist.id, toCharter: charter.id)
        }
      }
      try await group.waitForAll()
    }
    let positions = try await repository.fetchCharterChecklists(charter.id).map(\.position)
    #expect(positions == Array(0..<25))
  }

  @Test func `Unassigning preserves progress, which counts again after another assignment`()
    async throws
  {
    let (charter, checklist) = try await assigned()
    try await fixture.tick(0, of: checklist, in: charter)
    try await repository.unassignChecklist(checklist.id, fromCharter: charter.id)
    #expect(try await titles(charter) == [])
    #expect(try await fixture.state(checklist, in: charter)?.checkedCount == 1)
    #expect(try await percentage() == 50)
    try await repository.deleteChecklist(checklist.id)
    #expect(try await percentage() == nil)
    try await repository.saveChecklist(with(checklist, items: 1))
    try await repository.assignChecklist(checklist.id, toCharter: charter.id)
    #expect(try await percentage() == 100)
    try await repository.unassignChecklist(UUID(), fromCharter: charter.id)
    #expect(try await titles(charter).count == 1)
  }

  @Test func `Checklists are put into an order, and those not named follow`() async throws {
    let charter = try await fixture.charter()
    var ids: [String: UUID] = [:]
    for title in ["A", "B", "C", "D"] {
      let checklist = try await fixture.checklist(title)
      ids[title] = checklist.id
      try await repository.assignChecklist(checklist.id, toCharter: charter.id)
    }
    let order = ["D", "B", "D"].compactMap { ids[$0] } + [UUID()]
    try await repository.reorderChecklists(order, ofCharter: charter.id)
    #expect(try await titles(charter) == ["D", "B", "A", "C"])
    #expect(
      try await repository.fetchCharterChecklists(charter.id).map(\.position) == [0, 1, 2, 3])
    try await repository.reorderChecklists([], ofCharter: charter.id)
    #expect(try await titles(charter) == ["D", "B", "A", "C"])
  }

  // MARK: - Running

  @Test func `A charter runs its snapshot, or else the library's checklist`() async throws {
    let (charter, checklist) = try await assigned()
    let other = try await fixture.charter("Other")
    let changed = with(checklist, items: 3)
    try await repository.saveChecklist(changed)
    func run(_ charter: CharterModel) async throws -> Checklist? {
      try await repository.fetchChecklist(checklist.id, inCharter: charter.id)
    }
    #expect(try await run(charter) == checklist)
    #expect(try await run(other) == changed)
    try await repository.deleteChecklist(checklist.id)
    #expect(try await run(charter) == checklist)
    #expect(try await run(other) == nil)
  }

  @Test func `Changing a snapshot does not change the template or other charters`() async throws {
    let (charter, checklist) = try await assigned()
    let other = try await fixture.charter("Other")
    try await repository.assignChecklist(checklist.id, toCharter: other.id)
    var changed = with(checklist, items: 3)
    changed.title = "On board"
    try await repository.saveChecklist(changed, inCharter: charter.id)
    #expect(
      try await repository.fetchCharterChecklists(charter.id).map(\.snapshot) == [changed])
    #expect(try await repository.fetchChecklist(checklist.id) == checklist)
    #expect(
      try await repository.fetchCharterChecklists(other.id).map(\.snapshot) == [checklist])
  }

  @Test func `A snapshot of a missing checklist or charter cannot be stored`() async throws {
    let (charter, checklist) = (try await fixture.charter(), try await fixture.checklist())
    await #expect(throws: RepositoryError.notFound) {
      try await repository.saveChecklist(checklist, inCharter: charter.id)
    }
    #expect(try await fixture.count("charterChecklists") == 0)
  }

  // MARK: - Progress

  @Test func `After every write, progress is computed from the snapshot`() async throws {
    let (charter, checklist) = try await assigned()
    func completedAt() async throws -> Date? {
      try await fixture.state(checklist, in: charter)?.completedAt
    }
    try await fixture.tick(0, of: checklist, in: charter)
    #expect(try await percentage() == 50)
    try await repository.saveChecklist(with(checklist, items: 8))
    #expect(try await percentage() == 50)
    fixture.now = .day(6, 7)
    try await fixture.tick(1, of: checklist, in: charter)
    #expect(try await percentage() == 100)
    #expect(try await completedAt() == .day(6, 7))
    try await repository.deleteChecklist(checklist.id)
    #expect(try await percentage() == 100)
    // One item is added on board.
    let longer = with(checklist, items: 4)
    try await repository.saveChecklist(longer, inCharter: charter.id)
    #expect(try await percentage() == 50)
    #expect(try await completedAt() == nil)
    // The crew checks it and unchecks another.
    for item in 2...3 { try await fixture.tick(item, of: longer, in: charter) }
    #expect(try await completedAt() == .day(6, 7))
    try await fixture.tick(3, of: longer, in: charter, false)
    #expect(try await completedAt() == nil)
    #expect(try await percentage() == 75)
    // The open one is removed from the list.
    try await repository.saveChecklist(with(longer, items: 3), inCharter: charter.id)
    #expect(try await completedAt() == .day(6, 7))
    #expect(try await percentage() == 100)
  }

  @Test func `A note is counted by the snapshot too`() async throws {
    let (charter, checklist) = try await assigned()
    try await repository.saveChecklist(with(checklist, items: 1), inCharter: charter.id)
    try await fixture.tick(0, of: checklist, in: charter)
    try await repository.saveItemNote(
      checklistID: checklist.id, charterID: charter.id, itemID: checklist.items[0].id, note: "x")
    #expect(try await percentage() == 100)
    #expect(try await fixture.state(checklist, in: charter)?.completedAt == fixture.now)
  }

  @Test func `Assigning counts earlier ticks`() async throws {
    let (charter, checklist) = (
      try await fixture.charter(), try await fixture.checklist(items: 4)
    )
    try await fixture.tick(0, of: checklist, in: charter)
    try await fixture.run("UPDATE checklistExecutionStates SET progressPercentage = NULL")
    try await repository.assignChecklist(checklist.id, toCharter: charter.id)
    #expect(try await percentage() == 25)
  }

  // MARK: - Damage

  @Test func `An unreadable snapshot is left out of the list, and is an error when loaded alone`()
    async throws
  {
    let (charter, checklist) = try await assigned()
    let other = try await fixture.checklist("Other")
    try await repository.assignChecklist(other.id, toCharter: charter.id)
    try await fixture.run(
      "UPDATE charterChecklists SET sections = '[' WHERE checklistID = \(checklist.id)")
    let id = CharterChecklist.id(charterID: charter.id, checklistID: checklist.id)
    let error = RepositoryError.serializationFailed(row: id.uuidString, column: "sections")
    #expect(try await titles(charter) == ["Other"])
    #expect(fixture.unreadableRowCount == 1)
    var lists = repository.charterChecklists(charter.id).makeAsyncIterator()
    let unreadable = try await lists.next(isolation: nil)?.unreadable
    #expect(unreadable?.map { RepositoryError($0) } == [error])
    await #expect(throws: error) {
      _ = try await repository.fetchChecklist(checklist.id, inCharter: charter.id)
    }
    // A tick is stored even so, and the percentage is unknown, not another checklist's.
    try await fixture.tick(0, of: checklist, in: charter)
    #expect(try await percentage() == nil)
    // An unreadable snapshot can be removed from the charter, and the template assigned again.
    try await repository.unassignChecklist(checklist.id, fromCharter: charter.id)
    try await repository.assignChecklist(checklist.id, toCharter: charter.id)
    #expect(try await titles(charter) == ["Other", "Check-in"])
  }

  // MARK: - Observation and logs

  @Test func `A charter's checklists are observed`() async throws {
    let (charter, checklist) = try await assigned()
    var lists = repository.charterChecklists(charter.id).makeAsyncIterator()
    #expect(try await lists.next(isolation: nil)?.rows.map(\.snapshot) == [checklist])
    let changed = with(checklist, items: 3)
    try await repository.saveChecklist(changed, inCharter: charter.id)
    #expect(try await lists.next(isolation: nil)?.rows.map(\.snapshot) == [changed])
    try await repository.unassignChecklist(checklist.id, fromCharter: charter.id)
    #expect(try await lists.next(isolation: nil) == ReadableRows())
  }

  @Test func `The checklist to run is observed from the library's to the snapshot and back`()
    async throws
  {
    let (charter, checklist) = (try await fixture.charter(), try await fixture.checklist())
    var runs = repository.checklist(checklist.id, inCharter: charter.id).makeAsyncIterator()
    #expect(try await runs.next(isolation: nil) == .some(checklist))
    try await repository.assignChecklist(checklist.id, toCharter: charter.id)
    let changed = with(checklist, items: 5)
    try await repository.saveChecklist(changed, inCharter: charter.id)
    #expect(try await runs.next(isolation: nil) == .some(changed))
    try await repository.unassignChecklist(checklist.id, fromCharter: charter.id)
    #expect(try await runs.next(isolation: nil) == .some(checklist))
  }

  @Test func `Each operation is logged`() async throws {
    let (charter, checklist) = try await assigned()
    try await repository.saveChecklist(checklist, inCharter: charter.id)
    try await repository.reorderChecklists([checklist.id], ofCharter: charter.id)
    try await repository.unassignChecklist(checklist.id, fromCharter: charter.id)
    let completed = fixture.log.filter { $0.hasSuffix("completed") }.suffix(4)
    #expect(
      completed == [
        "info assignChecklist completed", "info saveChecklistInCharter completed",
        "info reorderChecklists completed", "info unassignChecklist completed",
      ])
  }
}
