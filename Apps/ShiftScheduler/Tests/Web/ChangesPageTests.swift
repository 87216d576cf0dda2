import Foundation
import OffshoreCalendar
import OffshoreHTTP
import ShiftScheduler
import Testing

@testable import ShiftSchedulerWeb

/// The pages of changes, search and totals, without the script.
@MainActor struct ChangesPageTests {
  private let pages: ShiftPages

  init() async throws { pages = try await ShiftPages() }

  private func move(_ shift: ScheduledShift, to text: String) async throws -> ScheduledShift {
    var moved = shift
    moved.date = try day(text)
    try await pages.app.records.saveShift(moved)
    return moved
  }

  @Test func `Each change is listed with the record before and after`() async throws {
    _ = try await move(PreviewData.shifts[1], to: "2027-06-25")
    let page = await pages.get("/changes").text
    #expect(page.contains("Night, 3 Jun 2027, 22:00–06:00, Planned → Night, 25 Jun 2027"))
  }

  @Test func `The latest change is undone and redone`() async throws {
    let moved = try await move(PreviewData.shifts[1], to: "2027-06-25")
    let id = try #require(try await pages.app.records.loadChanges().last).id.uuidString
    // A form that is sent twice undoes one change.
    for _ in 1...2 {
      let response = await pages.post("/changes", ["action": "undo", "undo": id])
      #expect(response.status == .seeOther)
      #expect(try await pages.shifts == PreviewData.shifts)
    }
    #expect(await pages.post("/changes", ["action": "redo", "redo": id]).status == .seeOther)
    #expect(try await pages.shifts.contains(moved))
  }

  @Test func `A record that has changed since is not reverted, and both versions are shown`()
    async throws
  {
    let moved = try await move(PreviewData.shifts[1], to: "2027-06-25")
    let first = try #require(try await pages.app.records.loadChanges().last)
    let last = try await move(moved, to: "2027-06-26")
    let response = await pages.post(
      "/changes", ["action": "revert", "change": first.id.uuidString])
    #expect(response.status == .unprocessableContent)
    #expect(response.text.contains("Expected: Night, 25 Jun 2027"))
    #expect(response.text.contains("Now: Night, 26 Jun 2027"))
    #expect(try await pages.shifts.contains(last))
  }

  @Test func `A change of many records lists the first ones`() async throws {
    let first = try day("2027-07-01")
    try await pages.app.records.apply(
      (0..<50).map { number in
        let shift = ScheduledShift(
          shiftTypeID: PreviewData.shiftTypes[2].id, date: first + number)
        return .shift(before: nil, after: shift)
      })
    #expect(await pages.get("/changes").text.contains("and 45 more"))
  }

  // MARK: - Search and totals

  @Test func `Shifts are found by text, type, location, status and days`() async throws {
    let (early, city) = (PreviewData.shiftTypes[0].id, PreviewData.locations[1].id)
    for (query, title) in [
      ("q=harbor", "Early"), ("type=\(early)", "Early"), ("location=\(city)", "Night"),
      ("status=done", "Early"), ("from=2027-06-05&to=2027-06-30", "Vacation"),
    ] {
      let page = await pages.get("/search?\(query)")
      #expect(page.text.contains("1 shift<"), "\(query)")
      #expect(try page.region("results").contains(title), "\(query)")
    }
    #expect(await pages.get("/search?q=nowhere").text.contains("Nothing found"))
  }

  @Test func `A day that does not exist is explained in the search`() async throws {
    let page = await pages.get("/search?from=2027-02-31")
    #expect(page.error(of: "from") == "There is no such day.")
    #expect(page.text.contains(#"value="2027-02-31""#))
  }

  @Test func `The totals of a month have a chart and a table of its weeks`() async throws {
    var shift = PreviewData.shifts[0]
    shift.overtimeMinutes = 90
    try await pages.app.records.saveShift(shift)
    let page = await pages.get("/totals?month=2027-06").text
    for text in ["<svg", "<dd>16 hours</dd>", "<dd>1.5 hours</dd>", "31 May – 6 Jun 2027"] {
      #expect(page.contains(text), "\(text)")
    }
    #expect(page.contains(#"href="/totals?month=2027-05""#))
  }
}
