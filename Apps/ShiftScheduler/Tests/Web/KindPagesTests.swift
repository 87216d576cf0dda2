import Foundation
import OffshoreCalendar
import OffshoreHTTP
import ShiftScheduler
import Testing

@testable import ShiftSchedulerWeb

/// The pages of shift types and locations, without the script.
@MainActor struct KindPagesTests {
  private let pages: ShiftPages
  private let early = PreviewData.shiftTypes[0]

  init() async throws { pages = try await ShiftPages() }

  private func post(_ address: String, _ changes: [String: String]) async -> Response {
    var values = [
      "action": "save", "entry": UUID().uuidString, "title": "Late", "symbol": "🌆",
      "color": "red", "from": "14:00", "to": "22:00", "location": "", "description": "",
    ]
    values.merge(changes) { $1 }
    var fields: Fields = [:]
    for (name, value) in values { fields.items += ([name: value] as Fields).items }
    return await pages.post(address, fields)
  }

  @Test func `Both lists link to the forms`() async throws {
    let page = await pages.get("/kinds").text
    for address in [
      "/kinds/types/new", "/kinds/locations/new", "/kinds/types/edit/\(early.id)",
      "/kinds/locations/edit/\(PreviewData.locations[0].id)",
    ] {
      #expect(page.contains(#"href="\#(address)""#))
      #expect(await pages.get(address).status == .ok)
    }
    #expect(page.contains("06:00–14:00 · Harbor Clinic"))
  }

  @Test func `A shift type is added with its times, color and location`() async throws {
    let location = PreviewData.locations[1].id
    let response = await post("/kinds/types/new", ["location": location.uuidString])
    #expect(response.status == .seeOther)
    let type = try #require(try await pages.app.records.loadShiftTypes().last)
    #expect((type.title, type.symbol, type.color) == ("Late", "🌆", .red))
    #expect(type.locationID == location)
    #expect("\(type.duration)".contains("14"))
  }

  @Test func `A type of the whole day has no times`() async throws {
    _ = await post("/kinds/types/new", ["allDay": "on"])
    #expect(try await pages.app.records.loadShiftTypes().last?.duration == .allDay)
  }

  @Test(arguments: [
    ("title", ""), ("title", " \t "), ("symbol", "AB"), ("symbol", "🌅🌙"), ("symbol", ""),
    ("title", String(repeating: "x", count: 10_000)), ("from", "25:00"),
    ("description", String(repeating: "x", count: 10_000)),
  ])
  func `What is wrong is explained beside its field, and nothing is stored`(
    name: String, text: String
  ) async throws {
    let response = await post("/kinds/types/new", [name: text])
    #expect(response.status == .unprocessableContent)
    #expect(response.error(of: name)?.isEmpty == false)
    #expect(try await pages.app.records.loadShiftTypes() == PreviewData.shiftTypes)
  }

  @Test func `A type is changed, and what others changed meanwhile stays`() async throws {
    var fields: Fields = [
      "action": "save", "entry": early.id.uuidString, "title": "Dawn", "symbol": "🌅",
      "color": "orange", "from": "06:00", "to": "14:00",
      "location": early.locationID?.uuidString ?? "", "description": "",
    ]
    fields.items += await pages.get("/kinds/types/edit/\(early.id)").origins.items
    var other = early
    other.description = "From another page"
    try await pages.app.records.saveShiftType(other)
    #expect(await pages.post("/kinds/types/edit/\(early.id)", fields).status == .seeOther)
    let stored = try #require(try await pages.app.records.loadShiftTypes().first)
    #expect((stored.title, stored.description) == ("Dawn", "From another page"))
  }

  @Test func `A location without a name is refused`() async throws {
    let response = await pages.post(
      "/kinds/locations/new",
      ["action": "save", "entry": UUID().uuidString, "name": " ", "address": "Quay"])
    #expect(response.status == .unprocessableContent)
    #expect(response.error(of: "name") != nil)
    #expect(try await pages.app.records.loadLocations().count == 2)
  }

  // MARK: - Removals

  @Test func `A type with shifts is not removed without a choice`() async throws {
    let address = "/kinds/types/remove/\(early.id)"
    #expect(await pages.get(address).text.contains("1 shift is of this type."))
    let response = await pages.post(address, ["action": "remove"])
    #expect(response.status == .unprocessableContent)
    #expect(response.text.contains("Choose what happens to them."))
    #expect(try await pages.app.records.loadShiftTypes().count == 3)
  }

  @Test func `The shifts of a removed type are changed to another, and all is undone`() async throws
  {
    let night = PreviewData.shiftTypes[1].id
    let response = await pages.post(
      "/kinds/types/remove/\(early.id)", ["action": "remove", "choice": night.uuidString])
    #expect(response.location == "/kinds")
    #expect(try await pages.shifts.first?.shiftTypeID == night)
    let page = await pages.get("/kinds").text
    let removal = try #require(page.firstMatch(of: /name="removal" value="([^"]+)"/)?.1)
    _ = await pages.post(
      "/undo", ["action": "undo-removal", "removal": String(removal), "page": "/kinds"])
    #expect(try await pages.app.records.loadShiftTypes() == PreviewData.shiftTypes)
    #expect(try await pages.shifts == PreviewData.shifts)
  }

  @Test func `The types of a removed location are without one`() async throws {
    let location = PreviewData.locations[0].id
    _ = await pages.post(
      "/kinds/locations/remove/\(location)", ["action": "remove", "choice": "clear"])
    #expect(try await pages.app.records.loadLocations().count == 1)
    #expect(try await pages.app.records.loadShiftTypes().first?.locationID == nil)
  }

  @Test func `A type without shifts is removed at once`() async throws {
    let type = ShiftType(symbol: "X", duration: .allDay, title: "Unused")
    try await pages.app.records.saveShiftType(type)
    _ = await pages.post("/kinds/types/remove/\(type.id)", ["action": "remove"])
    #expect(try await pages.app.records.loadShiftTypes() == PreviewData.shiftTypes)
  }
}
