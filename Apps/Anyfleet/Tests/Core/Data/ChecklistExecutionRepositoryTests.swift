import AnyfleetTestSupport
import Foundation
import Offshore
import OffshoreSync
import TestSupport
import Testing

@testable import Anyfleet

struct ChecklistExecutionRepositoryTests {
  private let fixture: Fixture
  private var repository: LocalRepository { fixture.repository }

  init() throws { fixture = try Fixture() }

  private func text(_ column: String) async throws -> String? {
    try await fixture.texts(
      "SELECT CAST(\(identifier: column) AS TEXT) FROM checklistExecutionStates")[0]
  }

  // MARK: - Ticks

  @Test func `A tick is stored with its date, and no state exists before`() async throws {
    let (charter, checklist) = (try await fixture.charter(), try await fixture.checklist())
    #expect(try await fixture.state(checklist, in: charter) == nil)
    try await fixture.tick(1, of: checklist, in: charter)
    let state = try #require(try await fixture.state(checklist, in: charter))
    let item = checklist.items[1].id
    #expect(
      state
        == ChecklistExecutionState(
          id: ChecklistExecutionState.id(charterID: charter.id, checklistID: checklist.id),
          checklistID: checklist.id, charterID: charter.id,
          itemStates: [
            item: ChecklistItemState(itemID: item, isChecked: true, checkedAt: fixture.now)
          ],
          createdAt: fixture.now, lastUpdated: fixture.now, completedAt: nil, syncStatus: .pending))
  }

  @Test func `Opening a checklist writes nothing`() async throws {
    let (charter, checklist) = (try await fixture.charter(), try await fixture.checklist())
    _ = try await fixture.state(checklist, in: charter)
    _ = try await repository.loadAllStatesForCharter(charter.id)
    #expect(try await fixture.count("checklistExecutionStates") == 0)
  }

  @Test func `Unchecking keeps the item, without a date`() async throws {
    let (charter, checklist) = (try await fixture.charter(), try await fixture.checklist())
    try await fixture.tick(0, of: checklist, in: charter)
    fixture.now = .day(6, 7)
    try await fixture.tick(0, of: checklist, in: charter, false)
    let state = try #require(try await fixture.state(checklist, in: charter))
    let item = checklist.items[0].id
    #expect(state.itemStates == [item: ChecklistItemState(itemID: item)])
    #expect(state.createdAt == .day(6, 6))
    #expect(state.lastUpdated == .day(6, 7))
  }

  @Test func `One checklist has separate progress in each charter`() async throws {
    let checklist = try await fixture.checklist()
    let (first, second) = (try await fixture.charter("1"), try await fixture.charter("2"))
    try await fixture.tick(0, of: checklist, in: first)
    try await fixture.tick(1, of: checklist, in: second)
    try await fixture.tick(2, of: checklist, in: second)
    #expect(try await fixture.state(checklist, in: first)?.checkedCount == 1)
    #expect(try await fixture.state(checklist, in: second)?.checkedCount == 2)
  }

  @Test func `None of 100 concurrent ticks of different items is lost`() async throws {
    let (charter, checklist) = (
      try await fixture.charter(), try await fixture.checklist(items: 100)
    )
    try await withThrowingTaskGroup(of: Void.self) { group in
      for item in 0..<100 {
        group.addTask { try await fixture.tick(item, of: checklist, in: charter) }
      }
      try await group.waitForAll()
    }
    let state = try await fixture.state(checklist, in: charter)
    #expect(state?.checkedCount(in: checklist) == 100)
    #expect(state?.completedAt == fixture.now)
    #expect(try await text("progressPercentage") == "100.0")
  }

  @Test func `A charter that does not exist is an error, and nothing is stored`() async throws {
    let checklist = try await fixture.checklist()
    let (item, charter) = (checklist.items[0].id, UUID())
    await #expect(throws: RepositoryError.notFound) {
      try await repository.saveItemState(
        checklistID: checklist.id, charterID: charter, itemID: item, isChecked: true)
    }
    await #expect(throws: RepositoryError.notFound) {
      try await repository.saveItemNote(
        checklistID: checklist.id, charterID: charter, itemID: item, note: "x")
    }
    await #expect(throws: RepositoryError.notFound) {
      try await repository.saveItemIssue(
        checklistID: checklist.id, charterID: charter, itemID: item, issue: .missing)
    }
    #expect(try await fixture.count("checklistExecutionStates") == 0)
    #expect(try await fixture.count("checklistItemNotes") == 0)
  }

  // MARK: - Contents of the table

  @Test func `The table holds the specified texts`() async throws {
    let (charter, checklist) = (try await fixture.charter(), try await fixture.checklist())
    fixture.now = Date(timeIntervalSince1970: 1_772_353_800)
    try await fixture.tick(0, of: checklist, in: charter)
    let item = checklist.items[0].id.uuidString
    #expect(
      try await text("itemStates")
        == "{\"\(item)\":{\"checked\":true,\"checkedAt\":\"2026-03-01T08:30:00Z\"}}")
    #expect(try await text("createdAt") == "2026-03-01 08:30:00.000")
    #expect(try await text("lastUpdated") == "2026-03-01 08:30:00.000")
    #expect(try await text("completedAt") == nil)
    #expect(try await text("syncStatus") == "pending")
    #expect(
      try await text("id")
        == ChecklistExecutionState.id(charterID: charter.id, checklistID: checklist.id).uuidString)
  }

  @Test func `Dates are rounded to milliseconds when they are created`() async throws {
    let (charter, checklist) = (try await fixture.charter(), try await fixture.checklist())
    fixture.now = Date(timeIntervalSince1970: 1_772_353_800.123_456)
    try await fixture.tick(0, of: checklist, in: charter)
    let state = try #require(try await fixture.state(checklist, in: charter))
    let rounded = Date(timeIntervalSince1970: 1_772_353_800.123)
    #expect(state.createdAt == rounded)
    #expect(state.itemStates[checklist.items[0].id]?.checkedAt == rounded)
    #expect(try await text("createdAt") == "2026-03-01 08:30:00.123")
  }

  @Test func `The percentage is right after every write`() async throws {
    let (charter, checklist) = (try await fixture.charter(), try await fixture.checklist(items: 4))
    let percentages = ["25.0", "50.0", "75.0", "100.0"]
    for (item, percentage) in percentages.enumerated() {
      try await fixture.tick(item, of: checklist, in: charter)
      #expect(try await text("progressPercentage") == percentage)
    }
    try await fixture.tick(0, of: checklist, in: charter, false)
    #expect(try await text("progressPercentage") == "75.0")
  }

  @Test func `A checklist that is unknown here has ticks but no percentage`() async throws {
    let charter = try await fixture.charter()
    let checklist = Checklist.sample()
    try await fixture.tick(0, of: checklist, in: charter)
    #expect(try await text("progressPercentage") == nil)
    #expect(try await fixture.state(checklist, in: charter)?.checkedCount == 1)
  }

  @Test func `A tick is stored even if its checklist is damaged`() async throws {
    let (charter, checklist) = (try await fixture.charter(), try await fixture.checklist())
    try await fixture.run("UPDATE checklists SET sections = 'x'")
    try await fixture.tick(0, of: checklist, in: charter)
    #expect(try await fixture.state(checklist, in: charter)?.checkedCount == 1)
    #expect(try await text("progressPercentage") == nil)
  }

  @Test func `A checklist is complete from the last check until an item is unchecked`() async throws
  {
    let (charter, checklist) = (try await fixture.charter(), try await fixture.checklist(items: 2))
    try await fixture.tick(0, of: checklist, in: charter)
    #expect(try await fixture.state(checklist, in: charter)?.completedAt == nil)
    fixture.now = .day(6, 7)
    try await fixture.tick(1, of: checklist, in: charter)
    #expect(try await fixture.state(checklist, in: charter)?.completedAt == .day(6, 7))
    #expect(try await text("completedAt") == "2026-06-07 12:00:00.000")
    fixture.now = .day(6, 8)
    try await fixture.tick(1, of: checklist, in: charter)
    #expect(try await fixture.state(checklist, in: charter)?.completedAt == .day(6, 7))
    try await fixture.tick(0, of: checklist, in: charter, false)
    #expect(try await fixture.state(checklist, in: charter)?.completedAt == nil)
  }

  @Test func `Repeating a tick changes nothing, not even a date`() async throws {
    let (charter, checklist) = (try await fixture.charter(), try await fixture.checklist())
    try await fixture.tick(0, of: checklist, in: charter)
    try await fixture.tick(1, of: checklist, in: charter, false)
    try await fixture.run("UPDATE checklistExecutionStates SET syncStatus = 'synced'")
    let before = try await fixture.state(checklist, in: charter)
    fixture.now = .day(6, 7)
    try await fixture.tick(0, of: checklist, in: charter)
    try await fixture.tick(1, of: checklist, in: charter, false)
    #expect(try await fixture.state(checklist, in: charter) == before)
    #expect(before?.itemStates[checklist.items[0].id]?.checkedAt == .day(6, 6))
    // The first value of an item is stored, also if it is unchecked.
    try await fixture.tick(2, of: checklist, in: charter, false)
    #expect(try await fixture.state(checklist, in: charter)?.itemStates.count == 3)
  }

  @Test func `Values that other versions store beside a tick survive every write`() async throws {
    let (charter, checklist) = (try await fixture.charter(), try await fixture.checklist())
    try await fixture.tick(0, of: checklist, in: charter)
    let item = checklist.items[0].id.uuidString
    let json = "{\"\(item)\":{\"checked\":true,\"checkedAt\":null,\"by\":{\"n\":1.50}}}"
    try await fixture.run("UPDATE checklistExecutionStates SET itemStates = \(json)")
    try await fixture.tick(1, of: checklist, in: charter)
    try await fixture.tick(0, of: checklist, in: charter, false)
    #expect(try await text("itemStates")?.contains("\"by\":{\"n\":1.50}") == true)
  }

  @Test func `A row with another id is updated, not duplicated`() async throws {
    let (charter, checklist) = (try await fixture.charter(), try await fixture.checklist())
    let id = UUID()
    try await fixture.run(
      """
      INSERT INTO checklistExecutionStates (id, checklistID, charterID, createdAt, lastUpdated)
      VALUES (\(id), \(checklist.id), \(charter.id), '2026-06-06 08:00:00.000',
        '2026-06-06 08:00:00.000')
      """)
    try await fixture.tick(0, of: checklist, in: charter)
    #expect(try await fixture.count("checklistExecutionStates") == 1)
    #expect(try await fixture.state(checklist, in: charter)?.id == id)
  }

  // MARK: - Notes

  @Test func `Note and issue of an item are stored beside its tick, and each can be removed`()
    async throws
  {
    let (charter, checklist) = (try await fixture.charter(), try await fixture.checklist())
    let item = checklist.items[0].id
    func save(note: String?) async throws {
      try await repository.saveItemNote(
        checklistID: checklist.id, charterID: charter.id, itemID: item, note: note)
    }
    func save(issue: ChecklistItemIssue?) async throws {
      try await repository.saveItemIssue(
        checklistID: checklist.id, charterID: charter.id, itemID: item, issue: issue)
    }
    func known() async throws -> ChecklistItemState? {
      try await fixture.state(checklist, in: charter)?.itemStates[item]
    }
    try await save(note: "  Torn at the leech\n")
    #expect(try await known() == ChecklistItemState(itemID: item, note: "Torn at the leech"))
    try await fixture.tick(0, of: checklist, in: charter)
    try await save(issue: .damaged)
    #expect(
      try await known()
        == ChecklistItemState(
          itemID: item, isChecked: true, checkedAt: fixture.now, note: "Torn at the leech",
          issue: .damaged))
    try await save(note: " ")
    #expect(try await known()?.note == nil)
    #expect(try await known()?.issue == .damaged)
    try await save(issue: nil)
    let last = try await known()
    #expect(last?.issue == nil && last?.isChecked == true)
  }

  @Test func `A note's id is derived from charter, checklist, and item`() async throws {
    let (charter, checklist) = (try await fixture.charter(), try await fixture.checklist())
    let item = checklist.items[0].id
    try await repository.saveItemIssue(
      checklistID: checklist.id, charterID: charter.id, itemID: item, issue: .missing)
    let state = ChecklistExecutionState.id(charterID: charter.id, checklistID: checklist.id)
    #expect(
      try await fixture.texts("SELECT id FROM checklistItemNotes")
        == [UUID(name: item.uuidString, in: state).uuidString])
  }

  // MARK: - All of a charter

  @Test func `All states of a charter are loaded, with their notes`() async throws {
    let charter = try await fixture.charter()
    let other = try await fixture.charter("Other")
    let (first, second) = (try await fixture.checklist("1"), try await fixture.checklist("2"))
    try await fixture.tick(0, of: first, in: charter)
    fixture.now = .day(6, 7)
    try await fixture.tick(0, of: second, in: charter)
    try await fixture.tick(0, of: first, in: other)
    try await repository.saveItemNote(
      checklistID: second.id, charterID: charter.id, itemID: second.items[1].id, note: "x")
    let states = try await repository.loadAllStatesForCharter(charter.id)
    #expect(states.map(\.checklistID) == [first.id, second.id])
    #expect(states.map { $0.itemStates.values.compactMap(\.note) } == [[], ["x"]])
    #expect(try await repository.loadAllStatesForCharter(UUID()) == [])
  }

  @Test func `Damaged ticks are an error with row and column, and a list shows the rest`()
    async throws
  {
    let charter = try await fixture.charter()
    let (first, second) = (try await fixture.checklist("1"), try await fixture.checklist("2"))
    try await fixture.tick(0, of: first, in: charter)
    try await fixture.tick(0, of: second, in: charter)
    try await fixture.run(
      """
      UPDATE checklistExecutionStates SET itemStates = '{"not a uuid":{"checked":true}}'
      WHERE checklistID = \(first.id)
      """)
    let row = ChecklistExecutionState.id(charterID: charter.id, checklistID: first.id).uuidString
    let error = RepositoryError.serializationFailed(row: row, column: "itemStates")
    await #expect(throws: error) { _ = try await fixture.state(first, in: charter) }
    await #expect(throws: error) { try await fixture.tick(1, of: first, in: charter) }
    #expect(
      try await fixture.texts(
        "SELECT itemStates FROM checklistExecutionStates WHERE checklistID = \(first.id)")
        == ["{\"not a uuid\":{\"checked\":true}}"])
    let states = try await repository.loadAllStatesForCharter(charter.id)
    #expect(states.map(\.checklistID) == [second.id])
    #expect(fixture.unreadableRowCount == 1)
  }

  @Test(arguments: [
    ("id", "'x'"), ("lastUpdated", "'yesterday'"), ("syncStatus", "'lost'"),
    ("progressPercentage", "'half'"), ("completedAt", "1"),
  ]) func `Any damaged column is reported`(_ column: String, _ value: String) async throws {
    let (charter, checklist) = (try await fixture.charter(), try await fixture.checklist())
    try await fixture.tick(0, of: checklist, in: charter)
    try await fixture.run(
      SQL(raw: "UPDATE checklistExecutionStates SET \(column) = \(value)"))
    let error = await #expect(throws: RepositoryError.self) {
      _ = try await fixture.state(checklist, in: charter)
    }
    guard case .serializationFailed(let row, column) = error?.kind else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(!row.isEmpty)
  }

  @Test func `Clearing deletes ticks and notes of one checklist in one charter`() async throws {
    let checklist = try await fixture.checklist()
    let (first, second) = (try await fixture.charter("1"), try await fixture.charter("2"))
    for charter in [first, second] {
      try await fixture.tick(0, of: checklist, in: charter)
      try await repository.saveItemIssue(
        checklistID: checklist.id, charterID: charter.id, itemID: checklist.items[0].id,
        issue: .ok)
    }
    try await repository.clearExecutionState(checklistID: checklist.id, charterID: first.id)
    #expect(try await fixture.state(checklist, in: first) == nil)
    #expect(try await fixture.state(checklist, in: second)?.itemStates.values.first?.issue == .ok)
    try await repository.clearExecutionState(checklistID: checklist.id, charterID: first.id)
  }

  // MARK: - Observation

  @Test func `Progress is observed through ticks, notes, and clearing`() async throws {
    let (charter, checklist) = (try await fixture.charter(), try await fixture.checklist())
    var values = repository.progress(checklistID: checklist.id, charterID: charter.id)
      .makeAsyncIterator()
    #expect(try await values.next(isolation: nil) == ItemProgress())
    try await fixture.tick(0, of: checklist, in: charter)
    #expect(try await values.next(isolation: nil)?.checkedItems == [checklist.items[0].id])
    let item = checklist.items[1].id
    try await repository.saveItemNote(
      checklistID: checklist.id, charterID: charter.id, itemID: item, note: "x")
    #expect(try await values.next(isolation: nil)?.remarks == [item: ItemRemarks(note: "x")])
    try await repository.clearExecutionState(checklistID: checklist.id, charterID: charter.id)
    #expect(try await values.next(isolation: nil) == ItemProgress())
  }

  @Test func `All states of a charter are observed, and damage is reported with its checklist`()
    async throws
  {
    let (charter, checklist) = (try await fixture.charter(), try await fixture.checklist())
    var states = repository.executionStates(charterID: charter.id).makeAsyncIterator()
    #expect(try await states.next(isolation: nil) == ReadableStates())
    try await fixture.tick(0, of: checklist, in: charter)
    #expect(try await states.next(isolation: nil)?.states.count == 1)
    try await fixture.run("UPDATE checklistExecutionStates SET itemStates = '['")
    let row = ChecklistExecutionState.id(charterID: charter.id, checklistID: checklist.id)
    #expect(
      try await states.next(isolation: nil)
        == ReadableStates(
          unreadableChecklistIDs: [checklist.id],
          unreadable: [.serializationFailed(row: row.uuidString, column: "itemStates")]))
    try await repository.clearExecutionState(checklistID: checklist.id, charterID: charter.id)
    #expect(try await states.next(isolation: nil) == ReadableStates())
  }

  @Test func `A damaged note is left out, and its checklist's state stays`() async throws {
    let (charter, checklist) = (try await fixture.charter(), try await fixture.checklist())
    try await repository.saveItemNote(
      checklistID: checklist.id, charterID: charter.id, itemID: checklist.items[0].id, note: "x")
    try await fixture.run("UPDATE checklistItemNotes SET issue = 'lost'")
    var states = repository.executionStates(charterID: charter.id).makeAsyncIterator()
    let list = try #require(try await states.next(isolation: nil))
    #expect(list.states.map(\.checklistID) == [checklist.id])
    #expect(list.unreadableChecklistIDs == [])
    #expect(list.unreadable.count == 1)
  }

  @Test func `Damaged progress is an error until it is repaired`() async throws {
    let (charter, checklist) = (try await fixture.charter(), try await fixture.checklist())
    try await fixture.tick(0, of: checklist, in: charter)
    try await fixture.run("UPDATE checklistExecutionStates SET itemStates = '['")
    var values = repository.progress(checklistID: checklist.id, charterID: charter.id)
      .makeAsyncIterator()
    await #expect(throws: RepositoryError.self) { _ = try await values.next(isolation: nil) }
    try await fixture.run("UPDATE checklistExecutionStates SET itemStates = '{}'")
    #expect(try await values.next(isolation: nil) == ItemProgress())
  }
}
