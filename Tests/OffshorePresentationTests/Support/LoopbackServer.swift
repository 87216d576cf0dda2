import Foundation
import OffshorePresentation
import OffshoreSync
import ServerSupport
import TestSupport

extension LoopbackServer {
  /// Starts a server of the small app.
  convenience init(opensSignUp: Bool = true) throws {
    try self.init(Journey.schema.manifest, opensSignUp: opensSignUp)
  }

  /// Creates a device that was just started for the first time.
  @MainActor func device(
    log: Log = Log(), seeds: SyncService.Seeds? = nil,
    sleep: @escaping @Sendable (Duration) async throws -> Void = waitUntilCancelled
  ) async throws -> SyncService {
    try await Journey.open(log: log).sync(with: url, seeds: seeds, sleep: sleep)
  }

  /// Creates a device that is signed in; the first one of a name signs up.
  @MainActor func device(
    of name: String, log: Log = Log(), seeds: SyncService.Seeds? = nil
  ) async throws -> SyncService {
    let sync = try await device(log: log, seeds: seeds)
    do {
      try await sync.signUp(name: name, password: "correct horse")
    } catch AppError.auth(.nameTaken) {
      try await sync.signIn(name: name, password: "correct horse")
    }
    return sync
  }

  /// Stops devices and the server.
  @MainActor func end(_ devices: SyncService...) async {
    for device in devices { await device.stop() }
    await stop()
  }
}
