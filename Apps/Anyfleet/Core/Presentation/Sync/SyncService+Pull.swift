import OffshorePresentation
import OffshoreSync

extension SyncService {
  /// How long a screen waits for what the server has.
  private static var longestPull: Duration { .seconds(2) }

  /// Syncs without delay, and waits a moment for what the server has. A device on its own has it all.
  /// - Throws: `AppError`: why nothing comes. That it takes long is no error: it shows when it comes.
  public func pull() async throws {
    guard let driver, session.isSignedIn else { return }
    guard !isAirplane else { throw AppError.network(.offline) }
    let pulling = Task { () async -> AppError? in
      do {
        try await driver.pullNow()
        return nil
      } catch {
        return error.asAppError
      }
    }
    let hasEnded = await wait(for: pulling, atMost: Self.longestPull, by: sleep)
    take(await driver.status)
    if hasEnded, let error = await pulling.value { throw error }
  }

  /// Why nothing comes from the server now, where something keeps it from coming.
  var hindrance: AppError? {
    switch connection {
    case .noServer, .online: nil
    case .signedOut: .auth(.notSignedIn)
    case .airplane, .offline: .network(.offline)
    case .failed: lastError
    case .expired: .auth(.expired)
    case .tooOld: .sync(.tooOld)
    }
  }
}
