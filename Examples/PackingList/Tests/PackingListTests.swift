import Foundation
import Offshore
import OffshoreHTTP
import OffshorePages
import OffshoreSync
import Testing

@testable import packing_list

/// The pages of one device.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct PackingListTests {
  private func items(_ device: PackingDevice) async throws -> [String] {
    try await device.store.read { try Item.order { $0.name }.all($0) }
      .map { $0.isPacked ? "✓ \($0.name)" : $0.name }
  }

  @Test func `The first page is empty, and then lists the packed items`() async throws {
    let device = try await PackingDevice()
    #expect(await device.get("/").text.contains("No lists yet"))
    let list = try await device.makeList("Weekend", items: "Tent", "Map")
    let tent = try await device.row(Item.where { $0.name == "Tent" })
    let page = PackingRoute.list(list.id).address
    let ticked = await device.post(page, ["item": tent.id.uuidString, "isOn": "true"])
    #expect(ticked.status == .seeOther && ticked.headers["Location"] == page)
    let text = await device.get("/").text
    #expect(text.contains("Weekend") && text.contains("1 of 2 packed"))
    #expect(try await items(device) == ["Map", "✓ Tent"])
  }

  @Test func `A form that is sent twice makes one list`() async throws {
    let device = try await PackingDevice()
    let fields: Fields = ["entry": UUID().uuidString, "title": "Weekend", "action": "save"]
    for _ in 0..<2 { _ = await device.post(PackingRoute.newList.address, fields) }
    #expect(try await device.row(PackingList.all).title == "Weekend")
  }

  @Test func `A list needs a title, and a thing a name`() async throws {
    let device = try await PackingDevice()
    let untitled = await device.post(
      PackingRoute.newList.address, ["entry": UUID().uuidString, "note": "Oslo", "action": "save"])
    #expect(untitled.status == .unprocessableContent)
    #expect(untitled.text.contains("Fill in this field.") && untitled.text.contains("Oslo"))
    let list = try await device.makeList("Weekend")
    let unnamed = await device.add("  ", to: list.id)
    #expect(unnamed.status == .unprocessableContent)
    #expect(unnamed.text.contains("Fill in this field."))
    #expect(try await items(device) == [])
  }

  @Test func `A list is edited, unless it was edited elsewhere meanwhile`() async throws {
    let device = try await PackingDevice()
    let list = try await device.makeList("Weekend")
    let page = PackingRoute.editList(list.id).address
    func form(_ text: String) throws -> Fields {
      let origin = try #require(text.firstMatch(of: /name="origin.title" value="([^"]+)"/)?.1)
      return [
        "entry": list.id.uuidString, "title": "Week", "origin.title": String(origin),
        "action": "save",
      ]
    }
    let opened = try form(await device.get(page).text)
    try await device.store.update(PackingList.all) { [$0.title.set("Month")] }
    let conflict = await device.post(page, opened)
    #expect(conflict.status == .unprocessableContent)
    #expect(conflict.text.contains("Nothing you entered is lost"))
    #expect(try await device.row(PackingList.all).title == "Month")
    // The form comes back with the digest of the other version, so that saving again replaces it.
    #expect(await device.post(page, try form(conflict.text)).status == .seeOther)
    #expect(try await device.row(PackingList.all).title == "Week")
  }

  @Test func `What was deleted is restored by the bar on any page`() async throws {
    let device = try await PackingDevice()
    let list = try await device.makeList("Weekend", items: "Tent", "Map")
    let tent = try await device.row(Item.where { $0.name == "Tent" })
    let page = PackingRoute.list(list.id).address
    _ = await device.post(page, ["item": tent.id.uuidString, "action": "delete"])
    #expect(try await items(device) == ["Map"])
    try await undo(device, at: page, "“Tent” was deleted.")
    #expect(try await items(device) == ["Map", "Tent"])
    let deleted = await device.post(
      PackingRoute.editList(list.id).address, ["entry": list.id.uuidString, "action": "delete"])
    #expect(deleted.headers["Location"] == "/")
    #expect(try await items(device) == [])
    #expect(await device.get(page).status != .ok)
    try await undo(device, at: "/", "“Weekend” was deleted.")
    #expect(try await items(device) == ["Map", "Tent"])
  }

  private func undo(_ device: PackingDevice, at page: String, _ sentence: String) async throws {
    let text = await device.get(page).text
    #expect(text.contains(sentence))
    let id = try #require(text.firstMatch(of: /name="removal" value="([^"]+)"/)?.1)
    let undone = await device.post(
      "/undo", ["removal": String(id), "action": "undo-removal", "page": page])
    #expect(undone.headers["Location"] == page)
    #expect(await !device.get(page).text.contains(sentence))
  }

  @Test func `A thing that is sent before the page has answered is another thing`() async throws {
    let device = try await PackingDevice()
    let (list, id) = (try await device.makeList("Weekend"), UUID())
    for name in ["Tent", "Tent", "Map"] { _ = await device.add(name, to: list.id, id: id) }
    #expect(try await items(device) == ["Map", "Tent"])
  }

  @Test func `A list changes its own things alone`() async throws {
    let device = try await PackingDevice()
    let own = try await device.makeList("Weekend")
    _ = try await device.makeList("Other", items: "Tent")
    let tent = try await device.row(Item.all)
    let page = PackingRoute.list(own.id).address
    _ = await device.post(page, ["item": tent.id.uuidString, "isOn": "true"])
    _ = await device.post(page, ["item": tent.id.uuidString, "action": "delete"])
    #expect(try await items(device) == ["Tent"])
    #expect(await device.post(page, ["item": "tent", "isOn": "true"]).status == .badRequest)
    #expect(await device.post(page, ["item": tent.id.uuidString]).status == .badRequest)
  }
}
