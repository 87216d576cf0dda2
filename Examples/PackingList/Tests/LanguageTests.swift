import Foundation
import Offshore
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import Testing

@testable import packing_list

/// The app in a third language, which no source of the library or the app knows.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct LanguageTests {
  @Test func `Every page is in the added language`() async throws {
    let missing = MissingTexts()
    let device = try await PackingDevice(languages: [.german.recording(missing), .english])
    #expect(await device.get("/").text.contains("Noch keine Listen"))
    let list = try await device.makeList("Wochenende", items: "Zelt", "Karte")
    let zelt = try await device.row(Item.where { $0.name == "Zelt" })
    let page = PackingRoute.list(list.id).address
    _ = await device.post(page, ["item": zelt.id.uuidString, "isOn": "true"])
    #expect(await device.get("/").text.contains("1 von 2 eingepackt"))
    #expect(await device.add("", to: list.id).text.contains("Fülle dieses Feld aus."))
    _ = await device.post(page, ["item": zelt.id.uuidString, "action": "delete"])
    #expect(await device.get(page).text.contains("„Zelt“ wurde gelöscht."))
    let addresses =
      [PackingRoute.lists, .newList, .list(list.id), .editList(list.id)].map(\.address)
      + [
        "/profile", "/profile/account", "/profile/account?new=true", "/profile/sync", "/settings",
        "/about", "/open", SharedKind.list.membersAddress(of: list.id), SharedKind.list.joinAddress,
      ]
    for address in addresses {
      let response = await device.get(address)
      #expect(response.status == .ok && response.text.contains(#"<html lang="de">"#), "\(address)")
    }
    #expect(missing.keys == [])
  }
}
