import Foundation
import Offshore
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import OffshoreSync
import OffshoreWire
import ServerSupport
import Testing

@testable import packing_list

/// Two devices and a real server.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct SharingTests {
  @Test func `A list and its ticks are on both devices of an account`() async throws {
    let server = try LoopbackServer(PackingSchema.current.manifest)
    let first = try await PackingDevice(of: "ann", on: server)
    let list = try await first.makeList("Weekend", items: "Tent")
    let second = try await PackingDevice(of: "ann", on: server)
    try await second.wait(for: Item.all) { $0.map(\.name) == ["Tent"] }
    let tent = try await second.row(Item.all)
    _ = await second.post(
      PackingRoute.list(list.id).address, ["item": tent.id.uuidString, "isOn": "true"])
    try await first.wait(for: Item.all) { $0.first?.isPacked == true }
    #expect(await first.get("/").text.contains("1 of 1 packed"))
    for device in [first, second] { await device.frame.sync.stop() }
    await server.stop()
  }

  @Test(arguments: [Role.editor, .viewer])
  func `A friend joins by a code, and may do what the role allows`(role: Role) async throws {
    let server = try LoopbackServer(PackingSchema.current.manifest)
    let owner = try await PackingDevice(of: "ann", on: server)
    let list = try await owner.makeList("Weekend", items: "Tent")
    try await owner.waitUntilSent(list.id)
    let friend = try await PackingDevice(of: "ben", on: server)
    let page = PackingRoute.list(list.id).address
    #expect(await friend.get(page).status != .ok)
    let code = try await owner.invitation(to: list.id, as: role)
    _ = await friend.post(SharedKind.list.joinAddress, ["code": code, "action": "join"])
    try await friend.wait(for: Item.all) { $0.map(\.name) == ["Tent"] }
    let tent = try await friend.row(Item.all)
    let ticked = await friend.post(page, ["item": tent.id.uuidString, "isOn": "true"])
    if role == .editor {
      try await owner.wait(for: Item.all) { $0.first?.isPacked == true }
    } else {
      #expect(ticked.status != .seeOther)
      let text = await friend.get(page).text
      #expect(!text.contains("add-form") && !text.contains(PackingRoute.editList(list.id).address))
      #expect(try await friend.row(Item.all).isPacked == false)
    }
    for device in [owner, friend] { await device.frame.sync.stop() }
    await server.stop()
  }
}
