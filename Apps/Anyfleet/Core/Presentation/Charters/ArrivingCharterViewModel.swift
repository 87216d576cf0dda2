import Foundation
public import Observation
public import OffshorePresentation

/// A charter that the server has and this device does not, as where a link is opened before it has come.
@MainActor @Observable
public final class ArrivingCharterViewModel {
  /// The charter as the server has it, once it is found there.
  public private(set) var charter: CharterModel?
  /// Why it does not come now, where something keeps it from coming.
  public var error: AppError? { store.syncService?.hindrance }
  /// Whether it is on this device.
  public var hasArrived: Bool { liveCharter.state.data.flatMap(\.self) != nil }

  private let charterID: UUID
  private let store: CharterStore
  private let liveCharter: Live<CharterModel?>
  private let sleep: @Sendable (Duration) async throws -> Void

  /// How long a screen waits for the server.
  private static let patience = Duration.seconds(2)

  init(
    charterID: UUID, store: CharterStore, sleep: @escaping @Sendable (Duration) async throws -> Void
  ) {
    self.charterID = charterID
    self.store = store
    self.sleep = sleep
    liveCharter = store.liveCharter(charterID)
  }

  /// Asks the server for the charter, and waits for it here from then on.
  /// - Returns: whether the server has said that it has the charter, and this device does not.
  public func find() async -> Bool {
    await liveCharter.load()
    guard case .loaded(nil) = liveCharter.state else { return false }
    let asking = Task { [store, charterID] in try? await store.fetchCharter(charterID) }
    guard await wait(for: asking, atMost: Self.patience, by: sleep) else { return false }
    charter = await asking.value
    return charter != nil
  }

  /// Asks the server what is new.
  /// - Returns: whether it could be asked; if not, ``error`` says why unless that has passed.
  public func refresh() async -> Bool { await store.takeRemote() }
}
