import Foundation
import Offshore
import OffshoreSync
import ServerSupport
import TestSupport
import Testing

@testable import OffshorePresentation

/// The page of syncing, and the user's decisions on it.
@MainActor @Suite(.timeLimit(.minutes(2)))
struct SyncModelTests {
  private let server: LoopbackServer
  private let sync: SyncService
  private let model: SyncModel

  /// A device in airplane mode, without pending changes.
  init() async throws {
    server = try LoopbackServer()
    sync = try await server.device(of: "skipper")
    try await sync.store.waitUntilSent()
    await waitUntil { [sync] in sync.indicator == .synced }
    model = SyncModel(sync)
    #expect(await model.setAirplane(true))
    await model.load()
  }

  private var pending: [PendingChange] { model.pending.data?.listed ?? [] }

  private func waitForPending(
    _ isMet: @escaping @MainActor @Sendable ([PendingChange]) -> Bool
  ) async {
    await waitUntil { [model] in isMet(model.pending.data?.listed ?? []) }
  }

  @Test func `Offline edits are listed and counted until they are undone`() async throws {
    #expect(model.connection == .airplane && model.isAirplane && sync.indicator == .airplane(0))
    #expect(model.accountName == "skipper" && pending.isEmpty && model.lastSuccess != nil)
    let trip = try await sync.store.addTrip("Kornati")
    await waitForPending { !$0.isEmpty }
    #expect(pending.map(\.row) == [RowName(table: "trips", title: "Kornati")])
    await waitUntil { [sync, model] in sync.indicator == .airplane(1) && model.pendingCount == 1 }
    #expect(await model.cancel("trips-\(trip.id)"))
    await waitForPending(\.isEmpty)
    await waitUntil { [sync, model] in sync.indicator == .airplane(0) && model.pendingCount == 0 }
    #expect(model.problem == nil && model.notices.isEmpty)
    #expect(await !model.cancel("trips-\(trip.id)"))
    #expect(model.problem == .notCancelled)
    await server.end(sync)
  }

  @Test func `A change that is being sent cannot be cancelled`() async throws {
    let trip = try await sync.store.addTrip("Kornati")
    await server.end()
    #expect(await model.setAirplane(false))
    await waitForPending { $0.first?.isBeingSent == true }
    #expect(pending.count == 1 && pending[0].id == "trips-\(trip.id)-sealed")
    #expect(await !model.cancel(pending[0].id))
    #expect(model.problem == .notCancelled)
    await waitUntil { [sync, model] in sync.indicator == .offline(1) && model.connection == .offline
    }
    #expect(model.lastError == .network(.offline) && model.nextRetry != nil)
    await sync.stop()
  }

  @Test func `A refused change is retried or discarded`() async throws {
    let trip = try await sync.store.addTrip("Kornati")
    #expect(await model.setAirplane(false))
    try await sync.store.waitUntilSent()
    try await refuse(trip.id)
    await waitUntil { [model] in model.refused.data?.count == 1 }
    let change = try #require(model.refused.data?.first?.change)
    #expect(change.reason == .forbidden && change.row.title == "Kornati")
    await waitUntil { [sync] in sync.indicator == .refused(1) }
    #expect(await !model.retry(change.id), "there is no edit to make again")
    #expect(model.problem == .notRetried)
    #expect(await model.discard(change.id))
    #expect(model.problem == nil)
    await waitUntil { [model, sync] in
      model.refused.data?.isEmpty ?? true && sync.indicator == .synced
    }
    await server.end(sync)
  }

  @Test func `A request that the file cannot fulfil reports the reason`() async throws {
    try await sync.store.run(
      "CREATE TRIGGER refuse BEFORE INSERT ON settings BEGIN SELECT raise(ABORT, 'refused'); END",
      "CREATE TRIGGER refuseUpdate BEFORE UPDATE ON settings BEGIN SELECT raise(ABORT, 'no'); END")
    #expect(await !model.setAirplane(false))
    #expect(model.problem == .failed(.database(.writeFailed)) && model.isAirplane)
    await model.syncNow()
    #expect(model.problem == nil)
    await server.end(sync)
  }

  /// Refuses a change as the server does.
  private func refuse(_ id: UUID) async throws {
    try await sync.store.run(
      """
      INSERT INTO _dead (at, tbl, id, code, message)
      VALUES (1, 'trips', \(id), 'forbidden', 'No.')
      """)
  }
}
