import Foundation
import Observation
import OffshorePresentation

/// The charters on the server.
///
/// A pull stores them on this device, and screens show stored charters only. So no write waits for
/// the server, and a network failure does not change a screen.
@MainActor @Observable
final class RemoteCharters {
  /// The client for charters that are not on this device; `nil` without a server.
  let apiClient: (any CharterAPI)?
  private let syncService: SyncService?
  /// The charters that were deleted on this device and may still exist on the server.
  @ObservationIgnored private var deletedIDs: Set<UUID> = []
  /// The error of the latest pull, or `nil`.
  private var pullError: AppError?

  init(_ apiClient: (any CharterAPI)?, _ syncService: SyncService?) {
    self.apiClient = apiClient
    self.syncService = syncService
  }

  // MARK: - Pulling

  /// Pulls from the server. If that fails, ``error`` has the reason.
  /// - Returns: `false` if the pull failed. Without a server it is `true`.
  @discardableResult
  func pull() async -> Bool {
    do {
      try await syncService?.pull()
      pullError = nil
      return true
    } catch {
      pullError = error.asAppError
      return false
    }
  }

  /// The error of the latest pull, until one succeeds or the server is no longer used.
  var error: AppError? {
    switch syncService?.connection {
    case .offline, .failed, .expired, .tooOld: pullError
    case .airplane: pullError == nil ? nil : .network(.offline)
    case .noServer, .signedOut, .online, nil: nil
    }
  }

  /// The reason why no charter can arrive now, or `nil`.
  var arrivalError: AppError? { syncService?.blockingError }

  // MARK: - Single charters

  /// Fetches a charter, and then syncs without delay, so that it arrives on this device.
  /// - Throws: ``RepositoryError`` with `notFound` if the charter does not exist or was deleted on
  ///   this device; `AppError` if the request fails.
  func fetchCharter(_ id: UUID) async throws -> CharterModel {
    guard let apiClient, !deletedIDs.contains(id) else { throw RepositoryError.notFound }
    do {
      let found: CharterDTO = try await apiClient.get(path: CharterDTO.path(of: id))
      let charter = try found.charter()
      await syncService?.syncNow()
      return charter
    } catch AppError.content(.notFound), AppError.auth(.notSignedIn) {
      throw RepositoryError.notFound
    }
  }

  /// Records that a charter was deleted on this device, or restored.
  func setDeleted(_ isDeleted: Bool, _ id: UUID) {
    if isDeleted { deletedIDs.insert(id) } else { deletedIDs.remove(id) }
  }
}
