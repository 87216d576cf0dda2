import Foundation
import Observation
import OffshoreCalendar
import OffshoreFiles
import OffshoreHTTP
import ShiftScheduler
import Synchronization
import TestSupport
import Testing

@testable import OffshoreWeb
@testable import ShiftSchedulerWeb

/// The pages of a month, a week and a day.
@MainActor struct CalendarPageTests {
  private let pages: ShiftPages

  init() async throws { pages = try await ShiftPages() }

  @Test func `The month is a table with the shifts in the cells of their days`() async throws {
    let page = await pages.get("/")
    #expect(page.status == .ok)
    #expect(page.text.contains("<table"))
    #expect(page.text.contains(#"<caption>June 2027</caption>"#))
    #expect(try page.region("shifts-2027-06-01").contains("🌅"))
    #expect(try page.region("shifts-2027-06-01").contains("Early, Done"))
    #expect(!(try page.region("shifts-2027-06-02").contains("class=\"shift")))
    #expect(page.text.contains("3 shifts · 16 hours · 1 whole day"))
  }

  @Test func `A change elsewhere updates the cell of its day, and no other`() async throws {
    let page = await pages.get("/")
    let shift = ScheduledShift(
      shiftTypeID: PreviewData.shiftTypes[1].id, date: try day("2027-06-20"))
    let changes = Task { try await pages.changes(of: page, upTo: "4 shifts") }
    try await pages.app.records.saveShift(shift)
    let sent = try await changes.value.joined()
    #expect(sent.contains("shifts-2027-06-20"))
    #expect(!sent.contains("shifts-2027-06-01"))
  }

  @Test func `The page outside of its regions observes nothing of the store`() async throws {
    let page = CalendarPage(pages.app, .month, try day("2027-06-01"))
    await page.load()
    let tab = Tab(id: "t", address: "/", page: page)
    let changes = Mutex(0)
    withObservationTracking {
      // Regions are rendered apart from the page.
      _ = page.page(tab)
    } onChange: {
      changes.withLock { $0 += 1 }
    }
    await page.store.load(.schedule(.deleteShift(PreviewData.shifts[0].id)))
    #expect(try await pages.shifts.count == 2)
    #expect(changes.withLock(\.self) == 0)
  }

  @Test func `The first day of the week is the chosen one`() async throws {
    #expect(await pages.get("/").text.contains(#"<th scope="col" aria-label="Monday">"#))
    _ = await pages.post("/settings", ["action": "use-weekday", "weekday": "sunday"])
    let page = await pages.get("/").text
    let first = page.firstMatch(of: /<th scope="col" aria-label="(\w+day)">/)
    #expect(first?.1 == "Sunday")
    #expect(try await pages.app.storage.settings.loadRestoring().firstWeekday == .sunday)
  }

  @Test func `A week has a table, and a list of the shifts of each day`() async throws {
    let page = await pages.get("/calendar/week/2027-06-03")
    #expect(page.text.contains(#"id="agenda-2027-06-03""#))
    #expect(try page.region("agenda-2027-06-03").contains("22:00–06:00 · City Hospital"))
    #expect(page.text.contains("2 shifts"))
  }

  @Test func `A day links to its neighbors, and to the form for each type`() async throws {
    let page = await pages.get("/calendar/day/2027-06-03").text
    #expect(page.contains(#"href="/calendar/day/2027-06-02""#))
    let type = PreviewData.shiftTypes[0].id
    #expect(page.contains(#"href="/shifts/2027-06-03/new?type=\#(type)""#))
  }

  @Test func `Overlaps are named above the shifts`() async throws {
    let early = PreviewData.shiftTypes[0].id
    try await pages.app.records.saveShift(
      ScheduledShift(shiftTypeID: early, date: try day("2027-06-01")))
    let page = await pages.get("/calendar/day/2027-06-01")
    #expect(page.text.contains("These overlap: Early, 1 Jun 2027, 06:00–14:00; Early"))
  }

  @Test func `A shift is deleted without the script, and the deletion is undone`() async throws {
    let shift = PreviewData.shifts[1]
    let response = await pages.post(
      "/calendar/day/2027-06-03", ["action": "delete", "shift": shift.id.uuidString])
    #expect(response.status == .seeOther)
    #expect(try await pages.shifts.count == 2)
    let page = await pages.get("/calendar/day/2027-06-03").text
    #expect(page.contains("“Night” was deleted."))
    let removal = try #require(page.firstMatch(of: /name="removal" value="([^"]+)"/)?.1)
    _ = await pages.post(
      "/undo", ["action": "undo-removal", "removal": String(removal), "page": "/"])
    #expect(try await pages.shifts == PreviewData.shifts)
  }

  @Test func `A shift without its type is shown, and its form keeps that until another is chosen`()
    async throws
  {
    let shift = ScheduledShift(shiftTypeID: UUID(), date: try day("2027-06-09"))
    try await pages.app.records.saveShift(shift)
    #expect(await pages.get("/calendar/day/2027-06-09").text.contains("Without a type"))
    let form = await pages.get("/shifts/2027-06-09/edit/\(shift.id)").text
    let option = #"<option value="\#(shift.shiftTypeID)" selected>Not on this device</option>"#
    #expect(form.contains(option))
  }

  @Test func `The store of a page is released with its tab`() async throws {
    weak var store: ShiftStore?
    do {
      let page = CalendarPage(pages.app, .month, try day("2027-06-01"))
      store = page.store
      await page.load()
      let running = Task { await page.run() }
      #expect(store != nil)
      running.cancel()
      await running.value
    }
    #expect(store == nil)
  }

  @Test func `A calendar beyond the days that exist does not trap`() async throws {
    for path in ["month/0000-01-01", "week/9999-12-31", "day/0000-01-01", "day/9999-12-31"] {
      #expect(await pages.get("/calendar/\(path)").status == .ok)
    }
    #expect(await pages.get("/calendar/day/2027-02-31").status == .notFound)
  }

  @Test func `The pages are in Russian at once after the choice`() async throws {
    _ = await pages.post("/settings", ["action": "use-language", "language": "ru"])
    let page = await pages.get("/").text
    #expect(page.contains("3 смены · 16 часов · 1 полный день"))
    #expect(page.contains(#"<html lang="ru">"#))
    #expect(try await pages.app.storage.settings.loadRestoring().language == "ru")
  }
}
