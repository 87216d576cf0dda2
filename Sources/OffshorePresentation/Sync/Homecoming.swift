public import Foundation
import OffshoreSync

/// The summary of the first sync after a period without the server.
public struct Homecoming: Hashable, Sendable {
  /// The number of changes that were sent.
  public let sent: Int
  /// The number of rows on this device that pulls have changed.
  public let received: Int
  /// The number of changes that were refused.
  public let refused: Int
  /// The time at which the period began.
  public let since: Date
}

/// A detector of periods without the server, which summarizes the sync after each.
struct HomecomingWatch {
  private enum Place {
    case home
    case away(since: Date, refused: Int, isChosen: Bool)
    case returning(Return)
  }

  private struct Return {
    let since: Date
    let refused: Int
    let isChosen: Bool
    let pending: Int
    let received: Int
  }

  /// The shortest period, in seconds, that is summarized, unless the user switched syncing off.
  private static let shortestTime: TimeInterval = 10

  private var place = Place.home
  /// The number of pulled rows when the device was last without the server.
  private var received = 0
  private let now: () -> Date

  init(now: @escaping () -> Date) { self.now = now }

  /// Applies a change of the state of syncing.
  /// - Parameters:
  ///   - isSettled: whether no request is due and the event stream is open.
  ///   - count: the number of rows that pulls have changed since the start.
  /// - Returns: the summary if a return is complete now and changes were exchanged.
  mutating func update(
    _ connection: SyncService.Connection, isSettled: Bool, received count: Int,
    _ store: SyncedStore.Status
  ) -> Homecoming? {
    switch (place, connection) {
    case (.home, .airplane), (.home, .offline):
      place = .away(
        since: now(), refused: store.refusedCount, isChosen: connection == .airplane)
      received = count
    case (.away(let since, let refused, let isChosen), .online):
      place = .returning(
        Return(
          since: since, refused: refused, isChosen: isChosen, pending: store.pendingCount,
          received: received))
      return update(connection, isSettled: isSettled, received: count, store)
    case (.returning(let start), .online):
      guard isSettled, store.pendingCount == 0 else { return nil }
      place = .home
      guard start.isChosen || now().timeIntervalSince(start.since) >= Self.shortestTime else {
        return nil
      }
      let refused = max(0, store.refusedCount - start.refused)
      let result = Homecoming(
        sent: max(0, start.pending - refused),
        received: max(0, count - start.received), refused: refused,
        since: start.since)
      return result.sent + result.received + result.refused > 0 ? result : nil
    case (.returning(let start), .airplane), (.returning(let start), .offline):
      place = .away(since: start.since, refused: start.refused, isChosen: start.isChosen)
    case (_, .signedOut), (_, .noServer): place = .home
    default: break
    }
    return nil
  }
}
