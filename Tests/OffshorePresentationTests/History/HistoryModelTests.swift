import Foundation
import Offshore
import OffshoreSync
import OffshoreWire
import TestSupport
import Testing

@testable import OffshorePresentation

/// A history on two devices of a real server.
@MainActor @Suite(.timeLimit(.minutes(2)))
struct HistoryModelTests {
  private static let tables = [
    HistoryTable(Trip.self, fields: [.text(\.name, label: LocalizedText(verbatim: "Name"))])
  ]

  private func model(_ shared: SharedTrip, on device: SyncService) -> HistoryModel {
    HistoryModel(History(of: shared.scope, in: LoggedStore(device.store), Self.tables), device)
  }

  /// Renames the trip on both devices while they are offline, and returns the winning name.
  private func rename(_ shared: SharedTrip) async throws -> String {
    try await shared.setAirplane(true)
    try await shared.skipper.store.update(Trip.find(shared.trip.id)) { [$0.name.set("Lastovo")] }
    try await shared.mate.store.update(Trip.find(shared.trip.id)) { [$0.name.set("Vis")] }
    try await shared.setAirplane(false)
    for device in [shared.skipper, shared.mate] {
      let model = model(shared, on: device)
      try await model.load()
      await waitUntil { model.content.data?.entries.count == 1 }
    }
    return try #require(
      try await shared.skipper.store.texts("SELECT name FROM trips").first)
  }

  @Test func `Both devices show one conflict, and the losing value can be used`() async throws {
    let shared = try await SharedTrip()
    let model = model(shared, on: shared.skipper)
    try await model.load()
    #expect(model.content.data?.entries == [] && model.canEdit && model.notices.isEmpty)
    let stayed = try await rename(shared)
    let lost = stayed == "Vis" ? "Lastovo" : "Vis"
    await waitUntil { model.content.data?.entries.count == 1 }
    let entry = try #require(model.content.data?.entries.first)
    #expect(entry.winning.value == .text(stayed) && entry.losing.value == .text(lost))
    #expect(entry.winning.isFromThisDevice == (stayed == "Lastovo"))
    #expect(entry.losing.isFromThisDevice == (lost == "Lastovo"))
    let mates = self.model(shared, on: shared.mate)
    try await mates.load()
    #expect(mates.content.data?.entries.map(\.id) == [entry.id])
    #expect(await model.choose(.losing, of: entry.id))
    try await shared.mate.store.wait(for: "SELECT name FROM trips", toBe: [lost])
    await waitUntil { model.content.data?.entries.first?.choices.contains(.losing) == false }
    #expect(await !model.choose(.losing, of: entry.id))
    #expect(model.error == .sync(.conflict))
    #expect(await !model.choose(.losing, of: UUID()))
    #expect(model.error == .database(.notFound))
    await shared.end()
  }

  @Test func `A viewer sees the conflict, and cannot use the losing value`() async throws {
    let shared = try await SharedTrip()
    _ = try await rename(shared)
    let members = MembersModel(shared.scope, shared.skipper)
    await members.load()
    #expect(await members.setRole(.viewer, of: shared.mate.session.userID))
    await shared.mate.waitForRole(.viewer, in: shared.scope)
    let model = model(shared, on: shared.mate)
    try await model.load()
    let entry = try #require(model.content.data?.entries.first)
    #expect(!model.canEdit)
    #expect(await !model.choose(.losing, of: entry.id))
    #expect(model.error == .auth(.forbidden))
    await shared.end()
  }

  @Test func `A model reports a missing thing, and is released when nothing uses it`()
    async throws
  {
    let store = try Journey.open()
    let sync = try await store.sync(with: nil)
    let trip = try await store.addTrip("Kornati")
    weak var released: HistoryModel?
    do {
      let model = HistoryModel(
        History(of: try trip.scope, in: LoggedStore(store), Self.tables), sync)
      released = model
      try await model.load()
      #expect(model.content.data?.heading == .init("Kornati", back: "Kornati"))
      let scope = try ScopeID(kind: "trip", value: UUID().uuidString)
      let other = HistoryModel(History(of: scope, in: LoggedStore(store), Self.tables), sync)
      await #expect(throws: AppError.database(.notFound)) { try await other.load() }
    }
    #expect(released == nil)
  }
}
