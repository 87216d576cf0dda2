import Foundation
import Offshore
import OffshoreCalendar
import OffshoreSync
import OffshoreWire
import TestSupport
import Testing

@testable import Anyfleet

/// What is told of conflicts about a charter, and what using the other does.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct CharterHistoryRepositoryTests {
  private let planted: PlantedDecisions

  init() async throws { planted = try await PlantedDecisions() }

  private func only() async throws -> CharterDecision {
    let decisions = try await planted.decisions()
    #expect(decisions.count == 1)
    return try #require(decisions.first)
  }

  @Test func `Each thing of a charter is told with both sides, and the other can be used`()
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
    let decisions = try await planted.decisions()
    let amount = try #require(Decimal(string: "1200.5"))
    #expect(
      decisions.reversed().map(\.lost.value) == [
        .name("Korčula"), .boat(nil), .destination("Split"), .region("Dalmatia"), .guests(4),
        .crew([CrewMember(name: "Ana", role: .skipper)]),
        .budget(CharterBudget(amount: amount, currencyCode: "EUR")), .archived(true),
        .checkIn(isChosen: true, title: planted.checklist.title),
      ])
    #expect(
      decisions.reversed().map(\.stayed.value) == [
        .name("Kornati"), .boat("Alma"), .destination("Biograd"), .region(nil), .guests(6),
        .crew([]), .budget(nil), .archived(false), .checkIn(isChosen: false, title: nil),
      ])
    for decision in decisions {
      #expect(decision.isUsable && decision.subject == .charter && decision.reason == .later)
      #expect(decision.lost.isFromHere && !decision.stayed.isFromHere)
      #expect(decision.lost.date == .day(6, 9))
      try await planted.use(decision)
    }
    #expect(try await planted.decisions().allSatisfy { !$0.isUsable })
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

  @Test func `Days that were decided together are told and used together`() async throws {
    try await planted.lose(planted.day(20), to: planted.day(6), "startDate")
    try await planted.lose(planted.day(27), to: planted.day(13), "endDate")
    let decision = try await only()
    #expect(decision.lost.value == .days(.day(6, 20), .day(6, 27)))
    #expect(decision.stayed.value == .days(.day(6, 6), .day(6, 13)) && decision.isUsable)
    try await planted.use(decision)
    let charter = try await planted.stored()
    #expect(charter.startDate == .day(6, 20) && charter.endDate == .day(6, 27))
    await planted.end()
  }

  @Test func `A day that would leave the end before the start cannot be used`() async throws {
    try await planted.lose(planted.day(20), to: planted.day(6), "startDate")
    let late = try await only()
    #expect(late.lost.value == .firstDay(.day(6, 20)) && !late.isUsable)
    await #expect(throws: RepositoryError.conflict()) { try await planted.use(late) }
    try await planted.lose(planted.day(1), to: planted.day(13), "endDate", at: .day(6, 8))
    let early = try await planted.decisions()[0]
    #expect(early.lost.value == .lastDay(.day(6, 1)) && !early.isUsable)
    try await planted.lose(planted.day(9), to: planted.day(13), "endDate", at: .day(6, 7))
    let fitting = try await planted.decisions()[0]
    #expect(fitting.isUsable)
    try await planted.use(fitting)
    #expect(try await planted.stored().endDate == .day(6, 9))
    await planted.end()
  }

  @Test func `A check-in by a checklist that the charter has no more cannot be used`() async throws
  {
    let id = planted.checklist.id
    try await planted.app.local.unassignChecklist(id, fromCharter: planted.charter.id)
    try await planted.lose(WireValue(id.uuidString), to: .null, "checkInChecklistID")
    let decision = try await only()
    #expect(decision.lost.value == .checkIn(isChosen: true, title: planted.checklist.title))
    #expect(!decision.isUsable)
    await #expect(throws: RepositoryError.conflict()) { try await planted.use(decision) }
    #expect(try await planted.stored().checkInChecklistID == nil)
    try await planted.app.local.assignChecklist(id, toCharter: planted.charter.id)
    try await planted.use(try await only())
    #expect(try await planted.stored().checkInChecklistID == id)
    await planted.end()
  }

  @Test func `Changes of a checklist are told by its title, and the other can be used`()
    async throws
  {
    var other = planted.checklist.sections
    other[0].items[0].title = "Own item"
    let losing = String(decoding: try JSONEncoder().encode(other), as: UTF8.self)
    let winning = String(
      decoding: try JSONEncoder().encode(planted.checklist.sections), as: UTF8.self)
    let row = planted.snapshotID
    try await planted.lose(WireValue(losing), to: WireValue(winning), "sections", of: row)
    try await planted.lose("Arrival", to: WireValue(planted.checklist.title), "title", of: row)
    try await planted.lose("Short", to: .null, "description", of: row)
    try await planted.lose(2, to: 0, "position", of: row)
    let decisions = try await planted.decisions()
    let count = planted.checklist.items.count
    #expect(
      decisions.reversed().map(\.lost.value) == [
        .items(count: count, own: ["Own item"]), .title("Arrival"), .description("Short"),
        .place(3),
      ])
    #expect(
      decisions.last?.stayed.value
        == .items(count: count, own: [planted.checklist.items[0].title]))
    for decision in decisions {
      #expect(decision.subject == .checklist(title: planted.checklist.title))
      try await planted.use(decision)
    }
    for try await found in planted.app.local.charterChecklists(planted.charter.id) {
      let checklist = try #require(found.rows.first)
      #expect(checklist.snapshot.sections == other && checklist.snapshot.title == "Arrival")
      #expect(checklist.snapshot.description == "Short" && checklist.position == 2)
      #expect(checklist.snapshot.updatedAt > planted.checklist.updatedAt, "editors are told")
      break
    }
    await planted.end()
  }

  @Test func `What was changed of a checklist that was taken away is told, and stays away`()
    async throws
  {
    try await planted.app.local.unassignChecklist(
      planted.checklist.id, fromCharter: planted.charter.id)
    try await planted.lose("Arrival", to: nil, "title", of: planted.snapshotID, because: .ended)
    let decision = try await only()
    #expect(decision.stayed.value == .removed && decision.lost.value == .title("Arrival"))
    #expect(decision.subject == .checklist(title: planted.checklist.title))
    #expect(decision.reason == .ended && !decision.isUsable)
    await #expect(throws: RepositoryError.conflict()) { try await planted.use(decision) }
    await planted.end()
  }

  @Test func `What tells a person nothing is left out`() async throws {
    try await planted.lose("Kornati", to: "Kornati", "name")
    try await planted.lose(planted.day(1), to: planted.day(2), "createdAt")
    try await planted.lose("{", to: "[]", "crew")
    try await planted.lose("six", to: 6, "guests")
    try await planted.lose("soon", to: planted.day(6), "startDate")
    try await planted.lose(1, to: 2, "somethingNew", of: planted.snapshotID)
    #expect(try await planted.decisions() == [])
    await #expect(throws: RepositoryError.notFound) {
      try await planted.app.local.useLost(UUID(), charterID: planted.charter.id)
    }
    await planted.end()
  }

  @Test func `A charter that is gone, and a phone on its own, have no history`() async throws {
    try await planted.lose("Korčula", to: "Kornati", "name")
    try await planted.app.local.deleteCharter(planted.charter.id)
    #expect(try await planted.decisions() == [])
    let alone = try await AppDependencies.makeForTesting()
    let (charter, _) = try await alone.makeCharter()
    for try await decisions in alone.local.decisions(charterID: charter.id) {
      #expect(decisions == [])
      break
    }
    await planted.end()
  }
}
