public import Foundation
import OffshoreSync

/// The summary of the first sync after a period without the server.
public struct ReconnectionSummary: Hashable, Sendable {
  /// The number of changes that were sent.
  public let sent: Int
  /// The number of rows on this device that pulls have changed.
  public let received: Int
  /// The number of changes that were refused.
  public let refused: Int
  /// The time at which the period began.
  public let since: Date
}

/// A detector of periods without the server, which summarizes the sync after each of them.
struct ReconnectionDetector {
  private enum Phase {
    case connected
    case disconnected(since: Date, refused: Int, isAirplane: Bool)
    case reconnecting(Reconnection)
  }

  private struct Reconnection {
    let since: Date
    let refused: Int
    let isAirplane: Bool
    let pending: Int
    let received: Int
  }

  /// The shortest period, in seconds, that is summarized, unless airplane mode was on.
  private static let minimumDuration: TimeInterval = 10

  private var phase = Phase.connected
  /// The number of pulled rows when the latest period without the server began.
  private var received = 0
  private let now: () -> Date

  init(now: @escaping () -> Date) { self.now = now }

  /// Applies a change of the state of syncing.
  /// - Parameters:
  ///   - isSettled: whether no request is due and the event stream is open.
  ///   - count: the number of rows that pulls have changed since the start.
  /// - Returns: the summary if the sync after a period is complete now and has exchanged changes.
  mutating func update(
    _ connection: SyncService.Connection, isSettled: Bool, received count: Int,
    _ store: SyncedStore.Status
  ) -> ReconnectionSummary? {
    switch (phase, connection) {
    case (.connected, .airplane), (.connected, .offline):
      phase = .disconnected(
        since: now(), refused: store.refusedCount, isAirplane: connection == .airplane)
      received = count
    case (.disconnected(let since, let refused, let isAirplane), .online):
      phase = .reconnecting(
        Reconnection(
          since: since, refused: refused, isAirplane: isAirplane, pending: store.pendingCount,
          received: received))
      return update(connection, isSettled: isSettled, received: count, store)
    case (.reconnecting(let start), .online):
      guard isSettled, store.pendingCount == 0 else { return nil }
      phase = .connected
      guard start.isAirplane || now().timeIntervalSince(start.since) >= Self.minimumDuration else {
        return nil
      }
      let refused = max(0, store.refusedCount - start.refused)
      let result = ReconnectionSummary(
        sent: max(0, start.pending - refused),
        received: max(0, count - start.received), refused: refused,
        since: start.since)
      return result.sent + result.received + result.refused > 0 ? result : nil
    case (.reconnecting(let start), .airplane), (.reconnecting(let start), .offline):
      phase = .disconnected(
        since: start.since, refused: start.refused, isAirplane: start.isAirplane)
    case (_, .signedOut), (_, .noServer): phase = .connected
    default: break
    }
    return nil
  }
}
