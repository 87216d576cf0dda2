import Foundation
import OffshoreCalendar
import OffshoreHTTP
import ShiftScheduler
import Testing

@testable import ShiftSchedulerWeb

/// The forms that add, move, copy and repeat shifts, without the script.
@MainActor struct ShiftFormTests {
  private let pages: ShiftPages
  private let early = PreviewData.shiftTypes[0].id
  private let night = PreviewData.shiftTypes[1].id

  init() async throws { pages = try await ShiftPages() }

  private func fields(_ changes: Fields = [:]) -> Fields {
    var fields: Fields = [
      "action": "save", "entry": UUID().uuidString, "type": early.uuidString,
      "date": "2027-06-20", "status": "planned", "overtimeMinutes": "0", "note": "",
    ]
    for item in changes.items {
      fields.items.removeAll { $0.name == item.name }
      fields.items.append(item)
    }
    return fields
  }

  @Test func `A shift is added`() async throws {
    let response = await pages.post(
      "/shifts/2027-06-20/new", fields(["note": "With Anna", "overtimeMinutes": "30"]))
    #expect(response.status == .seeOther)
    #expect(response.location == "/calendar/day/2027-06-20")
    let shift = try #require(try await pages.shifts.last)
    #expect((shift.shiftTypeID, shift.note, shift.overtimeMinutes) == (early, "With Anna", 30))
  }

  @Test func `A form that is sent twice adds one shift`() async throws {
    let fields = fields()
    for _ in 1...2 { _ = await pages.post("/shifts/2027-06-20/new", fields) }
    #expect(try await pages.shifts.count == 4)
  }

  @Test(arguments: [
    ("date", "2027-02-31"), ("date", ""), ("type", ""), ("overtimeMinutes", "-1"),
    ("overtimeMinutes", "a"), ("note", String(repeating: "я", count: 10_000)),
  ])
  func `What is wrong is explained beside its field, and kept`(name: String, text: String)
    async throws
  {
    let response = await pages.post("/shifts/2027-06-20/new", fields([name: text]))
    #expect(response.status == .unprocessableContent)
    #expect(response.error(of: name)?.isEmpty == false)
    if !text.isEmpty { #expect(response.text.contains(text)) }
    #expect(try await pages.shifts == PreviewData.shifts)
  }

  @Test func `Overlapping shifts warn and name each other, and are kept on purpose`() async throws {
    let overlapping = fields(["date": "2027-06-01"])
    let refused = await pages.post("/shifts/2027-06-01/new", overlapping)
    #expect(refused.status == .unprocessableContent)
    #expect(refused.error(of: "keep")?.contains("Early, 1 Jun 2027, 06:00–14:00; Early") == true)
    #expect(try await pages.shifts.count == 3)
    let kept = await pages.post(
      "/shifts/2027-06-01/new", fields(["date": "2027-06-01", "keep": "on"]))
    #expect(kept.status == .seeOther)
    #expect(try await pages.shifts.count == 4)
  }

  @Test func `Another date moves a shift`() async throws {
    let shift = PreviewData.shifts[1]
    let address = "/shifts/2027-06-03/edit/\(shift.id)"
    var fields = fields([
      "entry": shift.id.uuidString, "type": night.uuidString, "date": "2027-06-25",
      "status": "cancelled",
    ])
    fields.items += await pages.get(address).origins.items
    let response = await pages.post(address, fields)
    #expect(response.location == "/calendar/day/2027-06-25")
    let moved = try #require(try await pages.shifts.first { $0.id == shift.id })
    #expect((moved.date, moved.status) == (try day("2027-06-25"), .cancelled))
  }

  @Test func `A shift is copied to each day of a range`() async throws {
    let shift = PreviewData.shifts[0]
    let response = await pages.post(
      "/shifts/2027-06-01/copy/\(shift.id)",
      [
        "action": "save", "entry": UUID().uuidString, "first": "2027-06-21", "last": "2027-06-23",
      ])
    #expect(response.status == .seeOther)
    let copies = try await pages.shifts.dropFirst(3)
    #expect(copies.map(\.date.day) == [21, 22, 23])
    #expect(copies.allSatisfy { $0.shiftTypeID == shift.shiftTypeID && $0.status == .planned })
  }

  @Test func `A pattern of 4 on and 2 off is repeated as one change`() async throws {
    let fields: Fields = [
      "action": "save", "entry": UUID().uuidString, "type": night.uuidString, "on": "4",
      "off": "2", "first": "2027-07-01", "last": "2027-07-12",
    ]
    #expect(await pages.post("/shifts/2027-07-01/pattern", fields).status == .seeOther)
    let days = try await pages.shifts.dropFirst(3).map(\.date.day)
    #expect(days == [1, 2, 3, 4, 7, 8, 9, 10])
    #expect(try await pages.app.records.loadChanges().last?.edits.count == 8)
  }

  @Test(arguments: [
    ("last", "2027-06-01", "The last day lies before the first."),
    ("last", "2035-01-01", "There may be at most 1098 days."), ("on", "0", "Days on"),
  ])
  func `A series with a wrong range is refused`(name: String, text: String, sentence: String)
    async throws
  {
    var fields: Fields = [
      "action": "save", "entry": UUID().uuidString, "type": night.uuidString, "off": "2",
      "first": "2027-07-01",
    ]
    fields.items +=
      (["on": name == "on" ? text : "4", "last": name == "last" ? text : "2027-07-09"]
      as Fields).items
    let response = await pages.post("/shifts/2027-07-01/pattern", fields)
    #expect(response.status == .unprocessableContent)
    #expect(response.error(of: name)?.contains(sentence) == true)
    #expect(try await pages.shifts.count == 3)
  }

  @Test func `A shift that does not exist is not found`() async throws {
    #expect(await pages.get("/shifts/2027-06-03/edit/\(UUID())").status == .notFound)
  }
}
