import Foundation
import Observation
package import OffshorePresentation

/// The model of a charter that is on the server but not on this device yet, for example after
/// opening a link.
@MainActor @Observable
package final class ArrivingCharterViewModel {
  /// The charter on the server, once it was fetched.
  package private(set) var charter: CharterModel?
  /// The reason why the charter cannot arrive now, or `nil`.
  package var error: AppError? { store.remote.arrivalError }
  /// Whether the charter is on this device.
  package var hasArrived: Bool { liveCharter.state.data.flatMap(\.self) != nil }

  private let charterID: UUID
  private let store: CharterStore
  private let liveCharter: Live<CharterModel?>
  private let sleep: @Sendable (Duration) async throws -> Void

  /// The maximum time that a screen waits for the server.
  private static let maximumWait = Duration.seconds(2)

  init(
    charterID: UUID, store: CharterStore, sleep: @escaping @Sendable (Duration) async throws -> Void
  ) {
    self.charterID = charterID
    self.store = store
    self.sleep = sleep
    liveCharter = store.liveCharter(charterID)
  }

  /// Fetches the charter from the server, and observes its arrival on this device.
  /// - Returns: whether the server has the charter and this device does not.
  package func find() async -> Bool {
    await liveCharter.load()
    guard case .loaded(nil) = liveCharter.state else { return false }
    let request = Task { [store, charterID] in try? await store.fetchCharter(charterID) }
    guard await wait(for: request, atMost: Self.maximumWait, by: sleep) else { return false }
    charter = await request.value
    return charter != nil
  }

  /// Pulls from the server.
  /// - Returns: `false` if the pull failed. ``error`` has the reason while it persists.
  package func refresh() async -> Bool { await store.remote.pull() }
}
