public import Foundation
public import OffshorePresentation

/// What the server has besides.
///
/// What it sends comes to the screen on one way alone, which is through what is stored here. So nothing
/// that is written waits for it, and a failure of the network changes nothing that is shown.
extension CharterStore {
  /// Reads what is on this device, and goes on to ask the server, whose answer shows when it has come.
  public func loadChartersOfflineFirst() async {
    refreshing =
      refreshing
      ?? Task { [weak self] in
        await self?.takeRemote()
        self?.refreshing = nil
      }
    await loadCharters()
  }

  /// Asks the server what is new, and reads all charters again once that is here.
  ///
  /// Where the server takes long, what it has shows when it comes; where it cannot be asked,
  /// ``remoteError`` says why.
  ///
  /// - Parameter preserveExisting: whether the charters that show now stay meanwhile.
  public func loadRemoteCharters(preserveExisting: Bool) async {
    if !preserveExisting { replacing += 1 }
    await takeRemote()
    await loadCharters()
    if !preserveExisting { replacing -= 1 }
  }

  /// Asks the server what is new, and reads all of it again; what shows stays meanwhile.
  public func refreshCharters() async { await loadRemoteCharters(preserveExisting: true) }

  /// Why the server could not be asked for charters the last time, until it answers again or is not to
  /// be asked any more.
  public var remoteError: AppError? {
    switch syncService?.connection {
    case .offline, .failed, .expired, .tooOld: failedPull
    case .airplane: failedPull == nil ? nil : .network(.offline)
    case .noServer, .signedOut, .online, nil: nil
    }
  }

  /// Has what the server has come to this device; where it cannot be asked, ``remoteError`` says why.
  /// - Returns: whether the server was asked and did not fail, where there is one.
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

  /// One charter: of this device, or else as the server has it, whence it comes to this device next.
  /// - Throws: ``RepositoryError``: `notFound` where there is none of that id; `AppError` where the
  ///   server cannot be asked.
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

  /// One charter of this device.
  /// - Throws: ``RepositoryError``: `notFound` where there is none of that id.
  func storedCharter(_ id: UUID) async throws -> CharterModel {
    guard let charter = try await repository.fetchCharter(id: id) else {
      throw RepositoryError.notFound
    }
    return charter
  }
}
