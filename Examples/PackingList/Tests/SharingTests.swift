import Foundation
import Offshore
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import OffshoreSync
import ServerSupport
import Testing

@testable import packing_list

/// Two devices and a real server.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct SharingTests {
  @Test func `a list and its ticks are on both devices of an account`() async throws {
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
}
