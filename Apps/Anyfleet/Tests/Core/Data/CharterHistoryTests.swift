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
  private let planted: PlantedConflicts

  init() async throws { planted = try await PlantedConflicts() }

  private func only() async throws -> HistoryEntry {
    let entries = try await planted.entries()
    #expect(entries?.count == 1)
    return try #require(entries?.first)
  }

  private func days(_ first: Int, _ last: Int) -> HistoryValue {
    .days(CalendarDay(containing: .day(6, first)), CalendarDay(containing: .day(6, last)))
  }

  @Test func `Each field of a charter is shown with both values, and the losing one can be used`()
    async throws
  {
    try await planted.app.local.setActiveCharter(planted.charter.id)
    try await planted.lose("Korčula", to: "Kornati", "name")
    try await planted.lose(.null, to: "Alma", "boatName")
    try await planted.lose("Split", to: "Biograd", "location")
    try await planted.lose("Dalmatia", to: .null, "region")
    try await planted.lose(4, to: 6, "guests")
    try await planted.lose(#"[{"name":"Ana","role":"skipper"}]"#, to: "[]", "crew")
    let budget = #"{"amount":1200.5,"currencyCode":"EUR","lines":[]}"#
    try await planted.lose(WireValue(budget), to: .null, "budget")
    try await planted.lose(1, to: 0, "isArchived")
    let id = planted.checklist.id
    try await planted.lose(WireValue(id.uuidString), to: .null, "checkInChecklistID")
    let entries = try #require(try await planted.entries())
    let amount = try #require(Decimal(string: "1200.5"))
    #expect(
      entries.reversed().map(\.losing.value) == [
        .text("Korčula"), .missing, .text("Split"), .text("Dalmatia"), .number(4),
        .words(LocalizedText(en: "Ana (skipper)", ru: "Ana (шкипер)")),
        .amount(amount, currencyCode: "EUR"),
        .words(LocalizedText(en: "put away", ru: "в архиве")), .text(planted.checklist.title),
      ])
    #expect(
      entries.reversed().map(\.winning.value) == [
        .text("Kornati"), .text("Alma"), .text("Biograd"), .missing, .number(6),
        .missing, .missing,
        .words(LocalizedText(en: "not put away", ru: "не в архиве")), .missing,
      ])
    for entry in entries {
      #expect(entry.choices.contains(.losing) && entry.row == nil && entry.reason == .later)
      #expect(entry.losing.isFromHere && !entry.winning.isFromHere)
      #expect(entry.losing.date == .day(6, 9))
      try await planted.use(entry)
    }
    #expect(try await planted.entries()?.allSatisfy { !$0.choices.contains(.losing) } == true)
    let charter = try await planted.stored()
    #expect(charter.name == "Korčula" && charter.boatName == nil && charter.location == "Split")
    #expect(charter.region == "Dalmatia" && charter.guests == 4 && charter.crew.count == 1)
    #expect(charter.budget?.amount == amount && charter.checkInChecklistID == id)
    #expect(charter.isArchived && !charter.isActive && charter.syncStatus == .pending)
    #expect(try await planted.app.local.fetchActiveCharter() == nil)
    let found = try await planted.app.local.fetchCharters(
      [.list(.archived)], on: CalendarDay(containing: .day(6, 7)), matching: "korcula", limit: 9)
    #expect(found.charters.map(\.id) == [charter.id], "a search finds it by its other name")
    await planted.end()
  }

  @Test func `Days that were decided together are shown and used together`() async throws {
    try await planted.lose(planted.day(20), to: planted.day(6), "startDate")
    try await planted.lose(planted.day(27), to: planted.day(13), "endDate")
    let entry = try await only()
    #expect(entry.losing.value == days(20, 27))
    #expect(entry.winning.value == days(6, 13) && entry.choices.contains(.losing))
    try await planted.use(entry)
    let charter = try await planted.stored()
    #expect(charter.startDate == .day(6, 20) && charter.endDate == .day(6, 27))
    await planted.end()
  }

  @Test func `A day that would make the end earlier than the start cannot be used`() async throws {
    try await planted.lose(planted.day(20), to: planted.day(6), "startDate")
    let late = try await only()
    #expect(late.label.in(.english) == "First day")
    #expect(late.losing.value == days(20, 20) && !late.choices.contains(.losing))
    await #expect(throws: AppError.sync(.conflict)) { try await planted.use(late) }
    try await planted.lose(planted.day(1), to: planted.day(13), "endDate", at: .day(6, 8))
    let early = try #require(try await planted.entries()?.first)
    #expect(early.losing.value == days(1, 1) && !early.choices.contains(.losing))
    try await planted.lose(planted.day(9), to: planted.day(13), "endDate", at: .day(6, 7))
    let fitting = try #require(try await planted.entries()?.first)
    #expect(fitting.choices.contains(.losing))
    try await planted.use(fitting)
    #expect(try await planted.stored().endDate == .day(6, 9))
    await planted.end()
  }

  @Test func `A check-in by a checklist that the charter does not have any more cannot be used`()
    async throws
  {
    let id = planted.checklist.id
    try await planted.app.local.unassignChecklist(id, fromCharter: planted.charter.id)
    try await planted.lose(WireValue(id.uuidString), to: .null, "checkInChecklistID")
    let entry = try await only()
    #expect(
      entry.losing.value == .text(planted.checklist.title) && !entry.choices.contains(.losing))
    await #expect(throws: AppError.sync(.conflict)) { try await planted.use(entry) }
    #expect(try await planted.stored().checkInChecklistID == nil)
    try await planted.app.local.assignChecklist(id, toCharter: planted.charter.id)
    try await planted.use(try await only())
    #expect(try await planted.stored().checkInChecklistID == id)
    await planted.end()
  }

  @Test func `A check-in by a checklist that is not known here has no title`() async throws {
    try await planted.lose(WireValue(UUID().uuidString), to: .null, "checkInChecklistID")
    let entry = try await only()
    #expect(entry.losing.value == .words(.checklist) && !entry.choices.contains(.losing))
    await planted.end()
  }

  @Test func `Changes of a checklist are shown by its title, and the losing value can be used`()
    async throws
  {
    var other = planted.checklist.sections
    other[0].items[0].title = "Own item"
    let row = planted.snapshotID
    try await planted.loseSections(other)
    try await planted.lose("Arrival", to: WireValue(planted.checklist.title), "title", of: row)
    try await planted.lose("Short", to: .null, "description", of: row)
    try await planted.lose(2, to: 0, "position", of: row)
    let entries = try #require(try await planted.entries())
    let count = LocalizedText.items(planted.checklist.items.count)
    #expect(
      entries.reversed().map(\.losing.value) == [
        .parts(count, own: ["Own item"]), .text("Arrival"), .text("Short"), .number(3),
      ])
    #expect(
      entries.last?.winning.value == .parts(count, own: [planted.checklist.items[0].title]))
    for entry in entries {
      #expect(entry.row?.in(.english) == "“\(planted.checklist.title)”")
      try await planted.use(entry)
    }
    for try await found in planted.app.local.charterChecklists(planted.charter.id) {
      let checklist = try #require(found.rows.first)
      #expect(checklist.snapshot.sections == other && checklist.snapshot.title == "Arrival")
      #expect(checklist.snapshot.description == "Short" && checklist.position == 2)
      #expect(checklist.snapshot.updatedAt > planted.checklist.updatedAt, "editors notice")
      break
    }
    await planted.end()
  }

  @Test func `Two versions of a checklist that differ in a note alone are not the same`()
    async throws
  {
    var other = planted.checklist.sections
    other[0].items[0].note = "Below the chart table"
    try await planted.loseSections(other)
    let entry = try await only()
    #expect(
      entry.winning.value == entry.losing.value && !entry.areEquivalent && entry.choices.contains(.losing)
    )
    try await planted.use(entry)
    for try await found in planted.app.local.charterChecklists(planted.charter.id) {
      #expect(try #require(found.rows.first).snapshot.sections == other)
      break
    }
    await planted.end()
  }

  @Test func `A change of a checklist that was removed is shown, and cannot be used`() async throws
  {
    try await planted.app.local.unassignChecklist(
      planted.checklist.id, fromCharter: planted.charter.id)
    try await planted.lose("Arrival", to: nil, "title", of: planted.snapshotID, because: .ended)
    let entry = try await only()
    #expect(entry.winning.value == .deleted && entry.losing.value == .text("Arrival"))
    #expect(entry.row?.in(.english) == "“\(planted.checklist.title)”")
    #expect(entry.reason == .ended && !entry.choices.contains(.losing))
    await #expect(throws: AppError.sync(.conflict)) { try await planted.use(entry) }
    await planted.end()
  }

  @Test func `Conflicts that have no meaning for a user are left out`() async throws {
    try await planted.lose("Kornati", to: "Kornati", "name")
    try await planted.lose(planted.day(1), to: planted.day(2), "createdAt")
    try await planted.lose("{", to: "[]", "crew")
    try await planted.lose("six", to: 6, "guests")
    try await planted.lose("soon", to: planted.day(6), "startDate")
    try await planted.lose(1, to: 2, "somethingNew", of: planted.snapshotID)
    #expect(try await planted.entries() == [])
    await #expect(throws: AppError.database(.notFound)) {
      try await planted.history.choose(.losing, of: UUID())
    }
    await planted.end()
  }

  @Test func `A charter that was deleted, and a phone without an account, have no history`()
    async throws
  {
    try await planted.lose("Korčula", to: "Kornati", "name")
    try await planted.app.local.deleteCharter(planted.charter.id)
    #expect(try await planted.entries() == nil)
    let alone = try await AppDependencies.makeForTesting()
    let (charter, _) = try await alone.makeCharter()
    for try await content in try #require(alone.makeCharterHistory(charter.id)).contents() {
      #expect(content?.entries == [])
      break
    }
    await planted.end()
  }

  @Test func `The page of a charter counts the entries`() async throws {
    let detail = planted.app.makeCharterDetail(planted.charter.id)
    await detail.load()
    #expect(detail.historyCount == 0)
    try await planted.lose("Korčula", to: "Kornati", "name")
    try await planted.lose(4, to: 6, "guests")
    await until { detail.historyCount == 2 }
    await planted.end()
  }
}
