import Anyfleet
import AnyfleetTestSupport
import Foundation
import OffshoreHTTP
import Synchronization
import TestSupport
import Testing

/// The days of a charter when the device moves to another time zone.
@MainActor
struct TravelTests {
  private let device: Device
  private let pages: Pages

  /// A device whose clock and time zone a test sets.
  private final class Device: Sendable {
    private let state: Mutex<(calendar: Calendar, now: Date)>

    init(_ calendar: Calendar) { state = Mutex((calendar, .day(6, 1))) }

    var calendar: Calendar {
      get { state.withLock { $0.calendar } }
      set { state.withLock { $0.calendar = newValue } }
    }
    var now: Date {
      get { state.withLock { $0.now } }
      set { state.withLock { $0.now = newValue } }
    }
  }

  init() async throws {
    let device = Device(try .gregorian(in: "Europe/Moscow"))
    self.device = device
    pages = try await Pages {
      $0.calendar = { device.calendar }
      $0.now = { device.now }
    }
  }

  private nonisolated static let places = [
    "Europe/Moscow", "Europe/Zagreb", "Pacific/Auckland", "America/Los_Angeles",
    "Pacific/Kiritimati", "Pacific/Pago_Pago",
  ]

  /// Enters a charter from 12 to 19 June 2026.
  private func enter() async throws -> String {
    let fields = pages.form.setting("startDate", "2026-06-12").setting("endDate", "2026-06-19")
    let response = await pages.post("/charters/new", fields)
    return try #require(response.headers["Location"])
  }

  @Test(arguments: places) func `A charter's days are the same in every time zone`(
    _ place: String
  ) async throws {
    let path = try await enter()
    device.calendar = try .gregorian(in: place)
    for page in ["/charters", path, path + "/report"] {
      #expect(await pages.get(page).text.contains("12 – 19 Jun 2026"), "\(page)")
    }
    let form = await pages.get(path + "/edit").text
    #expect(form.contains(#"value="2026-06-12""#) && form.contains(#"value="2026-06-19""#))
  }

  @Test(arguments: places)
  func `A charter lasts until midnight after its last day in every time zone`(_ place: String)
    async throws
  {
    let path = try await enter()
    let calendar = try Calendar.gregorian(in: place)
    device.calendar = calendar
    for (day, hour, minute, text) in [
      (11, 23, 59, "Upcoming"), (12, 0, 1, "In progress"), (19, 23, 59, "In progress"),
      (20, 0, 1, "Past"),
    ] {
      device.now = try calendar.moment(6, day, hour, minute)
      let page = await pages.get(path).text
      #expect(page.contains(#">\#(text)</span>"#), "\(day) June, \(hour):\(minute)")
    }
  }

  @Test func `Editing another field in another time zone leaves the stored days unchanged`()
    async throws
  {
    let path = try await enter()
    var charter = try #require(
      try await pages.dependencies.charterRepository.fetchAllCharters().first)
    // Instants that cannot be restored from the days in the form alone.
    charter.startDate += 5 * 3600
    charter.endDate -= 7 * 3600
    try await pages.dependencies.charterRepository.saveCharter(charter)
    let before = try await pages.dependencies.charterRepository.fetchAllCharters()
    #expect(before.map(\.startDate) == [charter.startDate])
    device.calendar = try .gregorian(in: "America/Los_Angeles")
    let form = try await pages.sent(by: pages.get(path + "/edit").text)
    #expect(await pages.post(path + "/edit", form.setting("vessel", "Zora")).status == .seeOther)
    let after = try await pages.dependencies.charterRepository.fetchAllCharters()
    #expect(after.map(\.boatName) == ["Zora"])
    #expect(after.map(\.startDate) == before.map(\.startDate))
    #expect(after.map(\.endDate) == before.map(\.endDate))
  }

  @Test func `The time of a check is shown in the device's time zone`() async throws {
    let path = try await pages.createCharter()
    device.now = .day(6, 12)
    let checklist = try await pages.checklistPath(path)
    let item = try #require(pages.itemIDs(await pages.get(checklist).text).first)
    _ = await pages.post(checklist, .tick(item))
    for (place, text) in [
      ("Europe/Moscow", "12 Jun 2026 at 15:00"), ("Pacific/Auckland", "13 Jun 2026 at 00:00"),
    ] {
      device.calendar = try .gregorian(in: place)
      #expect(await pages.get(path + "/report").text.contains("<td>\(text)</td>"))
    }
  }

  @Test func `A form's days are in the Gregorian calendar, whatever the device's calendar is`()
    async throws
  {
    let path = try await enter()
    var calendar = Calendar(identifier: .buddhist)
    calendar.timeZone = .gmt
    device.calendar = calendar
    let form = await pages.get(path + "/edit").text
    #expect(form.contains(#"value="2026-06-12""#) && form.contains(#"value="2026-06-19""#))
  }
}
