import Foundation
import OffshoreCalendar
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import Testing

@MainActor struct CalendarExportTests {
  private let app: SampleApp

  init() async throws {
    app = try await SampleApp(addPages: { router, frame in
      let feed = SecretAddress("feed", suffix: ".ics", storedBy: frame.store)
      let today = Today(now: { Date(timeIntervalSince1970: 1_813_053_600) }, calendar: { .current })
      router.addCalendarExport(
        CalendarExport(feed: feed, today: today) { days in
          CalendarFile("\(days.lowerBound) to \(days.upperBound)", product: "Test", events: [])
        }, of: frame)
    })
  }

  @Test func `A range of days leads to its file`() async {
    let response = await app.post(
      "/export", ["action": "export", "first": "2027-06-01", "last": "2027-06-30"])
    #expect(response.headers["Location"] == "/export/2027-06-01/2027-06-30")
    let file = await app.get("/export/2027-06-01/2027-06-30")
    #expect(file.text.contains("2027-06-01 to 2027-06-30"))
    #expect(file.headers["Content-Type"] == CalendarFile.mediaType)
  }

  @Test(arguments: [("2027-02-31", "2027-06-30"), ("2027-06-01", ""), ("2027-06-02", "2027-06-01")])
  func `A range that does not exist is refused`(first: String, last: String) async {
    let response = await app.post(
      "/export", ["action": "export", "first": first, "last": last])
    #expect(response.status == .unprocessableContent)
    #expect(response.text.contains(#"aria-invalid="true""#))
    #expect(response.text.contains(#"value="\#(first)""#))
  }

  @Test func `The subscription has the shown address until it is replaced or withdrawn`()
    async throws
  {
    func create() async throws -> String {
      let page = await app.post("/export", ["action": "create-address"]).text
      return String(try #require(page.firstMatch(of: /href="(\/feed\/[^"]+\.ics)"/)?.1))
    }
    let first = try await create()
    #expect(await app.get(first).text.contains("BEGIN:VCALENDAR"))
    let second = try await create()
    #expect(await app.get(first).status == .notFound)
    #expect(await app.get(second).status == .ok)
    _ = await app.post("/export", ["action": "withdraw-address"])
    #expect(await app.get(second).status == .notFound)
  }
}
