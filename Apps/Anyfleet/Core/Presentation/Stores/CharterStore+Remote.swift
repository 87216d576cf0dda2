public import Foundation
public import OffshorePresentation

/// Requests to the server.
///
/// Charters from the server are stored on this device first, and screens show stored charters only.
/// So no write waits for the server, and a network failure does not change a screen.
extension CharterStore {
  /// Reads the charters on this device, and pulls from the server in the background.
  public func loadChartersOfflineFirst() async {
    refreshing =
      refreshing
      ?? Task { [weak self] in
        await self?.takeRemote()
        self?.refreshing = nil
      }
    await loadCharters()
  }

  /// Pulls from the server, and then reads all charters again.
  ///
  /// If the server takes long, its charters appear when they arrive. If the pull fails,
  /// ``remoteError`` has the reason.
  ///
  /// - Parameter preserveExisting: whether the current charters remain visible meanwhile.
  public func loadRemoteCharters(preserveExisting: Bool) async {
    if !preserveExisting { replacing += 1 }
    await takeRemote()
    await loadCharters()
    if !preserveExisting { replacing -= 1 }
  }

  /// Pulls from the server, and reads all charters again. The current ones remain visible
  /// meanwhile.
  public func refreshCharters() async { await loadRemoteCharters(preserveExisting: true) }

  /// The error of the latest pull, until one succeeds or the server is no longer used.
  public var remoteError: AppError? {
    switch syncService?.connection {
    case .offline, .failed, .expired, .tooOld: failedPull
    case .airplane: failedPull == nil ? nil : .network(.offline)
    case .noServer, .signedOut, .online, nil: nil
    }
  }

  /// Pulls from the server. If that fails, ``remoteError`` has the reason.
  /// - Returns: `false` if the pull failed. Without a server it is `true`.
  @discardableResult
  func takeRemote() async -> Bool {
    do {
      try await syncService?.pull()
      failedPull = nil
      return true
    } catch {
      failedPull = error.asAppError
      return false
    }
  }

  /// Fetches a charter from this device, or else from the server, and then syncs without delay.
  /// - Throws: ``RepositoryError`` with `notFound` if the charter does not exist; `AppError` if the
  ///   request fails.
  public func fetchCharter(_ id: UUID) async throws -> CharterModel {
    do {
      return try await storedCharter(id)
    } catch RepositoryError.notFound {
      guard let apiClient, !deletedIDs.contains(id) else {
        throw RepositoryError.notFound
      }
      let charter = try await remoteCharter(id, apiClient)
      await syncService?.syncNow()
      return charter
    }
  }

  private func remoteCharter(_ id: UUID, _ api: any CharterAPI) async throws -> CharterModel {
    do {
      let found: CharterDTO = try await api.get(path: CharterDTO.path(of: id))
      return try found.charter()
    } catch AppError.content(.notFound), AppError.auth(.notSignedIn) {
      throw RepositoryError.notFound
    }
  }

  /// Fetches a charter from this device.
  /// - Throws: ``RepositoryError`` with `notFound` if it does not exist.
  func storedCharter(_ id: UUID) async throws -> CharterModel {
    guard let charter = try await repository.fetchCharter(id: id) else {
      throw RepositoryError.notFound
    }
    return charter
  }
}
