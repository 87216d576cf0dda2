import AnyfleetTestSupport
import Foundation
import Offshore
import OffshoreCalendar
import OffshorePresentation
import OffshoreSync
import OffshoreWire
import TestSupport
import Testing

@testable import Anyfleet

/// The entries of a charter's history, and the effects of using losing values.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct CharterHistoryTests {
  private let conflicts: ConflictFixture

  init() async throws { conflicts = try await ConflictFixture() }

  private func onlyEntry() async throws -> HistoryEntry {
    let entries = try await conflicts.entries()
    #expect(entries?.count == 1)
    return try #require(entries?.first)
  }

  private func days(_ first: Int, _ last: Int) -> HistoryValue {
    .days(CalendarDay(containing: .day(6, first)), CalendarDay(containing: .day(6, last)))
  }

  @Test func `Each field of a charter is shown with both values, and the losing one can be used`()
    async throws
  {
    try await conflicts.app.local.setActiveCharter(conflicts.charter.id)
    try await conflicts.addConflict(losing: "Korčula", to: "Kornati", "name")
    try await conflicts.addConflict(losing: .null, to: "Alma", "boatName")
    try await conflicts.addConflict(losing: "Split", to: "Biograd", "location")
    try await conflicts.addConflict(losing: "Dalmatia", to: .null, "region")
    try await conflicts.addConflict(losing: 4, to: 6, "guests")
    try await conflicts.addConflict(losing: #"[{"name":"Ana","role":"skipper"}]"#, to: "[]", "crew")
    let budget = #"{"amount":1200.5,"currencyCode":"EUR","lines":[]}"#
    try await conflicts.addConflict(losing: WireValue(budget), to: .null, "budget")
    try await conflicts.addConflict(losing: 1, to: 0, "isArchived")
    let id = conflicts.checklist.id
    try await conflicts.addConflict(
      losing: WireValue(id.uuidString), to: .null, "checkInChecklistID")
    let entries = try #require(try await conflicts.entries())
    let amount = try #require(Decimal(string: "1200.5"))
    #expect(
      entries.reversed().map(\.losing.value) == [
        .text("Korčula"), .missing, .text("Split"), .text("Dalmatia"), .number(4),
        .words(LocalizedText(en: "Ana (skipper)", ru: "Ana (шкипер)")),
        .amount(amount, currencyCode: "EUR"),
        .words(LocalizedText(en: "put away", ru: "в архиве")), .text(conflicts.checklist.title),
      ])
    #expect(
      entries.reversed().map(\.winning.value) == [
        .text("Kornati"), .text("Alma"), .text("Biograd"), .missing, .number(6),
        .missing, .missing,
        .words(LocalizedText(en: "not put away", ru: "не в архиве")), .missing,
      ])
    for entry in entries {
      #expect(entry.choices.contains(.losing) && entry.row == nil && entry.reason == .later)
      #expect(entry.losing.isFromThisDevice && !entry.winning.isFromThisDevice)
      #expect(entry.losing.date == .day(6, 9))
      try await conflicts.useLosingValue(of: entry)
    }
    #expect(try await conflicts.entries()?.allSatisfy { !$0.choices.contains(.losing) } == true)
    let charter = try await conflicts.storedCharter()
    #expect(charter.name == "Korčula" && charter.boatName == nil && charter.location == "Split")
    #expect(charter.region == "Dalmatia" && charter.guests == 4 && charter.crew.count == 1)
    #expect(charter.budget?.amount == amount && charter.checkInChecklistID == id)
    #expect(charter.isArchived && !charter.isActive && charter.syncStatus == .pending)
    #expect(try await conflicts.app.local.fetchActiveCharter() == nil)
    let found = try await conflicts.app.local.fetchCharters(
      [.list(.archived)], on: CalendarDay(containing: .day(6, 7)), matching: "korcula", limit: 9)
    #expect(found.charters.map(\.id) == [charter.id], "a search finds it by its other name")
    await conflicts.end()
  }

  @Test func `Days that were decided together are shown and used together`() async throws {
    try await conflicts.addConflict(losing: conflicts.day(20), to: conflicts.day(6), "startDate")
    try await conflicts.addConflict(losing: conflicts.day(27), to: conflicts.day(13), "endDate")
    let entry = try await onlyEntry()
    #expect(entry.losing.value == days(20, 27))
    #expect(entry.winning.value == days(6, 13) && entry.choices.contains(.losing))
    try await conflicts.useLosingValue(of: entry)
    let charter = try await conflicts.storedCharter()
    #expect(charter.startDate == .day(6, 20) && charter.endDate == .day(6, 27))
    await conflicts.end()
  }

  @Test func `A day that would make the end earlier than the start cannot be used`() async throws {
    try await conflicts.addConflict(losing: conflicts.day(20), to: conflicts.day(6), "startDate")
    let late = try await onlyEntry()
    #expect(late.label.in(.english) == "First day")
    #expect(late.losing.value == days(20, 20) && !late.choices.contains(.losing))
    await #expect(throws: AppError.sync(.conflict)) { try await conflicts.useLosingValue(of: late) }
    try await conflicts.addConflict(
      losing: conflicts.day(1), to: conflicts.day(13), "endDate", at: .day(6, 8))
    let early = try #require(try await conflicts.entries()?.first)
    #expect(early.losing.value == days(1, 1) && !early.choices.contains(.losing))
    try await conflicts.addConflict(
      losing: conflicts.day(9), to: conflicts.day(13), "endDate", at: .day(6, 7))
    let fitting = try #require(try await conflicts.entries()?.first)
    #expect(fitting.choices.contains(.losing))
    try await conflicts.useLosingValue(of: fitting)
    #expect(try await conflicts.storedCharter().endDate == .day(6, 9))
    await conflicts.end()
  }

  @Test func `A check-in by a checklist that the charter does not have any more cannot be used`()
    async throws
  {
    let id = conflicts.checklist.id
    try await conflicts.app.local.unassignChecklist(id, fromCharter: conflicts.charter.id)
    try await conflicts.addConflict(
      losing: WireValue(id.uuidString), to: .null, "checkInChecklistID")
    let entry = try await onlyEntry()
    #expect(
      entry.losing.value == .text(conflicts.checklist.title) && !entry.choices.contains(.losing))
    await #expect(throws: AppError.sync(.conflict)) {
      try await conflicts.useLosingValue(of: entry)
    }
    #expect(try await conflicts.storedCharter().checkInChecklistID == nil)
    try await conflicts.app.local.assignChecklist(id, toCharter: conflicts.charter.id)
    try await conflicts.useLosingValue(of: try await onlyEntry())
    #expect(try await conflicts.storedCharter().checkInChecklistID == id)
    await conflicts.end()
  }

  @Test func `A check-in by a checklist that is not known here has no title`() async throws {
    try await conflicts.addConflict(
      losing: WireValue(UUID().uuidString), to: .null, "checkInChecklistID")
    let entry = try await onlyEntry()
    #expect(entry.losing.value == .words(.checklist) && !entry.choices.contains(.losing))
    await conflicts.end()
  }

  @Test func `Changes of a checklist are shown by its title, and the losing value can be used`()
    async throws
  {
    var other = conflicts.checklist.sections
    other[0].items[0].title = "Own item"
    let row = conflicts.snapshotID
    try await conflicts.addSectionConflict(losing: other)
    try await conflicts.addConflict(
      losing: "Arrival", to: WireValue(conflicts.checklist.title), "title", of: row)
    try await conflicts.addConflict(losing: "Short", to: .null, "description", of: row)
    try await conflicts.addConflict(losing: 2, to: 0, "position", of: row)
    let entries = try #require(try await conflicts.entries())
    let count = LocalizedText.items(conflicts.checklist.items.count)
    #expect(
      entries.reversed().map(\.losing.value) == [
        .collection(count, own: ["Own item"]), .text("Arrival"), .text("Short"), .number(3),
      ])
    #expect(
      entries.last?.winning.value == .collection(count, own: [conflicts.checklist.items[0].title]))
    for entry in entries {
      #expect(entry.row?.in(.english) == "“\(conflicts.checklist.title)”")
      try await conflicts.useLosingValue(of: entry)
    }
    for try await found in conflicts.app.local.charterChecklists(conflicts.charter.id) {
      let checklist = try #require(found.rows.first)
      #expect(checklist.snapshot.sections == other && checklist.snapshot.title == "Arrival")
      #expect(checklist.snapshot.description == "Short" && checklist.position == 2)
      #expect(checklist.snapshot.updatedAt > conflicts.checklist.updatedAt, "editors notice")
      break
    }
    await conflicts.end()
  }

  @Test func `Two versions of a checklist that differ in a note alone are not the same`()
    async throws
  {
    var other = conflicts.checklist.sections
    other[0].items[0].note = "Below the chart table"
    try await conflicts.addSectionConflict(losing: other)
    let entry = try await onlyEntry()
    #expect(
      entry.winning.value == entry.losing.value && !entry.areEquivalent
        && entry.choices.contains(.losing)
    )
    try await conflicts.useLosingValue(of: entry)
    for try await found in conflicts.app.local.charterChecklists(conflicts.charter.id) {
      #expect(try #require(found.rows.first).snapshot.sections == other)
      break
    }
    await conflicts.end()
  }

  @Test func `A change of a checklist that was removed is shown, and cannot be used`() async throws
  {
    try await conflicts.app.local.unassignChecklist(
      conflicts.checklist.id, fromCharter: conflicts.charter.id)
    try await conflicts.addConflict(
      losing: "Arrival", to: nil, "title", of: conflicts.snapshotID, because: .ended)
    let entry = try await onlyEntry()
    #expect(entry.winning.value == .deleted && entry.losing.value == .text("Arrival"))
    #expect(entry.row?.in(.english) == "“\(conflicts.checklist.title)”")
    #expect(entry.reason == .ended && !entry.choices.contains(.losing))
    await #expect(throws: AppError.sync(.conflict)) {
      try await conflicts.useLosingValue(of: entry)
    }
    await conflicts.end()
  }

  @Test func `Conflicts that have no meaning for a user are left out`() async throws {
    try await conflicts.addConflict(losing: "Kornati", to: "Kornati", "name")
    try await conflicts.addConflict(losing: conflicts.day(1), to: conflicts.day(2), "createdAt")
    try await conflicts.addConflict(losing: "{", to: "[]", "crew")
    try await conflicts.addConflict(losing: "six", to: 6, "guests")
    try await conflicts.addConflict(losing: "soon", to: conflicts.day(6), "startDate")
    try await conflicts.addConflict(losing: 1, to: 2, "somethingNew", of: conflicts.snapshotID)
    #expect(try await conflicts.entries() == [])
    await #expect(throws: AppError.database(.notFound)) {
      try await conflicts.history.choose(.losing, of: UUID())
    }
    await conflicts.end()
  }

  @Test func `A charter that was deleted, and a phone without an account, have no history`()
    async throws
  {
    try await conflicts.addConflict(losing: "Korčula", to: "Kornati", "name")
    try await conflicts.app.local.deleteCharter(conflicts.charter.id)
    #expect(try await conflicts.entries() == nil)
    let alone = try await AppDependencies.makeForTesting()
    let (charter, _) = try await alone.makeCharter()
    for try await content in try #require(alone.makeCharterHistory(charter.id)).contents() {
      #expect(content?.entries == [])
      break
    }
    await conflicts.end()
  }

  @Test func `The page of a charter counts the entries`() async throws {
    let detail = conflicts.app.makeCharterDetail(conflicts.charter.id)
    await detail.load()
    #expect(detail.historyCount == 0)
    try await conflicts.addConflict(losing: "Korčula", to: "Kornati", "name")
    try await conflicts.addConflict(losing: 4, to: 6, "guests")
    await waitUntil { detail.historyCount == 2 }
    await conflicts.end()
  }
}
