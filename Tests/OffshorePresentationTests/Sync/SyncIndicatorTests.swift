import Testing

@testable import OffshorePresentation
@testable import OffshoreSync

/// The summary of syncing for every page.
@MainActor
struct SyncIndicatorTests {
  private func status(
    _ phase: SyncEngine.Phase = .idle, isListening: Bool = true,
    error: SyncEngine.Failure.Code? = nil
  ) -> SyncEngine.Status {
    SyncEngine.Status(
      phase: phase, isListening: isListening, nextRetry: nil,
      lastError: error.map { SyncEngine.Failure($0, "No.") }, lastSuccess: nil)
  }

  private func store(pending: Int = 0, refused: Int = 0) -> SyncedStore.Status {
    var status = SyncedStore.Status()
    (status.pendingCount, status.refusedCount) = (pending, refused)
    return status
  }

  @Test func `a device has the same as the server only while it hears of changes`() {
    #expect(SyncIndicator(.online, status(), store()) == .synced)
    #expect(SyncIndicator(.online, status(isListening: false), store()) == .syncing)
    #expect(SyncIndicator(.online, status(.syncing), store()) == .syncing)
    #expect(SyncIndicator(.online, nil, store()) == .syncing)
  }

  @Test func `pending changes matter more than refused ones, and both more than a request`() {
    #expect(SyncIndicator(.online, status(.syncing), store(pending: 2, refused: 1)) == .pending(2))
    #expect(SyncIndicator(.online, status(.syncing), store(refused: 1)) == .refused(1))
  }

  @Test(arguments: [
    (SyncService.Connection.noServer, SyncIndicator.notSynced), (.signedOut, .notSynced),
    (.airplane, .airplane(3)), (.offline, .offline(3)), (.failed, .failed(3)),
    (.expired, .signInAgain), (.tooOld, .updateApp),
  ])
  func `a device that cannot sync says why, and how much is pending`(
    connection: SyncService.Connection, indicator: SyncIndicator
  ) {
    #expect(SyncIndicator(connection, status(), store(pending: 3)) == indicator)
  }

  @Test func `the connection follows from the phase, and from the latest failure`() {
    #expect(SyncService.Connection(status(.paused(.unauthorized))) == .expired)
    #expect(SyncService.Connection(status(.paused(.upgradeRequired))) == .tooOld)
    #expect(SyncService.Connection(status(.offline)) == .offline)
    #expect(SyncService.Connection(status(error: .timedOut)) == .offline)
    #expect(SyncService.Connection(status(.waiting(until: 1), error: .server)) == .failed)
    #expect(SyncService.Connection(nil) == .online)
  }
}
