import Foundation
import Offshore
import OffshoreCalendar
import Testing

@testable import OffshorePresentation

@MainActor
struct CalendarFieldsTests {
  struct Shift: Identifiable, Equatable, Sendable, Record {
    let id: UUID
    var day: CalendarDay
    var end: CalendarDay?
    var start: TimeOfDay
    var color: CalendarColor

    static let table = Table(
      "shifts", Shift.init,
      Column("id", \.id).primaryKey(), Column("day", \.day), Column("end", \.end),
      Column("start", \.start), Column("color", \.color))

    static let fields: [DraftField<Shift>] = [
      .day("day", \.day, label: .init(en: "Day", ru: "День")),
      .day("end", \.end, label: .init(en: "End", ru: "Конец")),
      .time("start", \.start, label: .init(en: "Start", ru: "Начало")),
      .color("color", \.color, label: .init(en: "Color", ru: "Цвет")),
    ]
  }

  private let database: Database
  private let id = UUID()

  init() throws {
    database = try Database.temporary(
      migrations: [Migration("v1") { try $0.create(Shift.table) }])
  }

  private func draft(isNew: Bool = true) -> Draft<Shift> {
    Draft(Shift.fields, id: id, isNew: isNew, in: database) {
      Shift(
        id: $0, day: CalendarDay(containing: Date(timeIntervalSince1970: 0)), end: nil,
        start: TimeOfDay(hour: 9, minute: 0), color: .teal)
    }
  }

  @Test func `Fields have the texts of their values`() {
    let draft = draft()
    #expect(draft["day"] == "1970-01-01" && draft["end"] == "")
    #expect(draft["start"] == "09:00" && draft["color"] == "teal")
  }

  @Test func `Typed texts are stored as values`() async throws {
    let draft = draft()
    draft["day"] = "2027-06-12"
    draft["end"] = "2027-06-13"
    draft["start"] = " 22:15 "
    draft["color"] = "red"
    let saved = try #require(await draft.save())
    #expect(saved.day.description == "2027-06-12" && saved.end?.description == "2027-06-13")
    #expect(saved.start == TimeOfDay(hour: 22, minute: 15) && saved.color == .red)
  }

  @Test(arguments: [
    ("day", "2027-02-29"), ("day", ""), ("end", "tomorrow"), ("start", "24:00"), ("start", "9"),
    ("start", ""), ("color", "mauve"), ("color", ""),
  ])
  func `A text that is not a value is reported, and nothing is stored`(
    _ name: String, _ text: String
  ) async throws {
    let draft = draft()
    draft[name] = text
    #expect(await draft.save() == nil)
    #expect(draft.problems.keys.sorted() == [name] && draft[name] == text)
    #expect(try await database.read { try Shift.all.count($0) } == 0)
  }

  @Test func `Controls state the kind of their values`() {
    let kinds = Shift.fields.map(\.control.kind)
    guard case .day = kinds[0], case .day = kinds[1], case .time = kinds[2], case .color = kinds[3]
    else {
      Issue.record("\(kinds)")
      return
    }
    #expect(Shift.fields.map(\.control.isRequired) == [true, false, true, false])
  }
}
