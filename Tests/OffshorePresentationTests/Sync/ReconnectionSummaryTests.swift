import Foundation
import OffshoreSync
import ServerSupport
import TestSupport
import Testing

@testable import OffshorePresentation

/// The summary of changes after a device reaches the server again.
@MainActor @Suite(.timeLimit(.minutes(2)))
struct ReconnectionSummaryTests {
  @Test func `A return is summarized until it is dismissed, and each return separately`()
    async throws
  {
    let server = try LoopbackServer()
    let sync = try await server.device(of: "skipper")
    let other = try await server.device(of: "skipper")
    try await sync.store.waitUntilSent()
    await waitUntil { sync.indicator == .synced && other.indicator == .synced }
    #expect(sync.reconnectionSummary == nil)
    try await sync.setAirplane(true)
    try await sync.store.addTrip("Kornati")
    try await sync.store.addTrip("Vis")
    try await other.store.addTrip("Lastovo")
    try await other.store.waitUntilSent()
    await waitUntil { sync.storeStatus.pendingCount == 2 }
    try await sync.setAirplane(false)
    await waitUntil { sync.reconnectionSummary != nil }
    #expect(sync.reconnectionSummary?.sent == 2 && sync.reconnectionSummary?.received == 1)
    #expect(sync.reconnectionSummary?.refused == 0)
    sync.dismissReconnectionSummary()
    #expect(sync.reconnectionSummary == nil)
    try await sync.setAirplane(true)
    try await sync.setAirplane(false)
    await waitUntil { sync.indicator == .synced }
    #expect(sync.reconnectionSummary == nil, "nothing was exchanged")
    await server.end(sync, other)
  }

  private func store(pending: Int = 0, refused: Int = 0) -> SyncedStore.Status {
    var status = SyncedStore.Status()
    (status.pendingCount, status.refusedCount) = (pending, refused)
    return status
  }

  @Test func `Refused changes are counted as refused, and not as sent`() {
    let date = Date(timeIntervalSince1970: 1_800_000_000)
    var dates = [date + 10, date]
    var detector = ReconnectionDetector { dates.removeLast() }
    #expect(detector.update(.online, isSettled: true, received: 7, store(refused: 1)) == nil)
    #expect(
      detector.update(.offline, isSettled: true, received: 7, store(pending: 3, refused: 1)) == nil)
    #expect(
      detector.update(.online, isSettled: true, received: 7, store(pending: 3, refused: 1)) == nil)
    #expect(
      detector.update(.online, isSettled: true, received: 7, store(refused: 2))
        == ReconnectionSummary(sent: 2, received: 0, refused: 1, since: date))
    #expect(detector.update(.online, isSettled: true, received: 7, store(refused: 2)) == nil)
  }

  @Test func `A short time offline is not summarized, unless the user chose it`() {
    let date = Date(timeIntervalSince1970: 1_800_000_000)
    var detector = ReconnectionDetector { date }
    _ = detector.update(.offline, isSettled: true, received: 7, store(pending: 1))
    #expect(detector.update(.online, isSettled: true, received: 9, store()) == nil)
    _ = detector.update(.airplane, isSettled: true, received: 9, store(pending: 1))
    #expect(detector.update(.online, isSettled: true, received: 10, store())?.received == 1)
  }

  @Test func `A return that is interrupted continues with the same start`() {
    var dates = [Date(timeIntervalSince1970: 2), Date(timeIntervalSince1970: 1)]
    var detector = ReconnectionDetector { dates.removeLast() }
    _ = detector.update(.airplane, isSettled: true, received: 7, store(pending: 1))
    _ = detector.update(.online, isSettled: true, received: 7, store(pending: 1))
    _ = detector.update(.offline, isSettled: true, received: 7, store(pending: 1))
    _ = detector.update(.online, isSettled: true, received: 7, store(pending: 1))
    let result = detector.update(.online, isSettled: true, received: 7, store())
    #expect(result?.since == Date(timeIntervalSince1970: 1) && result?.sent == 1)
    _ = detector.update(.airplane, isSettled: true, received: 7, store(pending: 1))
    _ = detector.update(.signedOut, isSettled: true, received: 7, store(pending: 1))
    #expect(
      detector.update(.online, isSettled: true, received: 7, store()) == nil,
      "signing in is no return"
    )
  }
}
