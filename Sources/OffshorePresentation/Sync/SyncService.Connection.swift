public import Foundation
import OffshoreSync

extension SyncService {
  /// The state of syncing, in a word.
  public enum State: Equatable, Sendable {
    /// Nothing was synced since the app was started, or nothing is to be.
    case idle
    /// A request is under way.
    case syncing
    /// The latest request succeeded.
    case synced(Date)
    /// The latest request failed.
    case failed(AppError)

    init(_ status: SyncEngine.Status?) {
      self =
        if status?.phase == .syncing {
          .syncing
        } else if let error = status?.lastError {
          .failed(error.asAppError)
        } else if let success = status?.lastSuccess {
          .synced(Date(milliseconds: success))
        } else {
          .idle
        }
    }
  }

  /// Whether this device can sync, and what prevents it.
  public enum Connection: Equatable, Sendable {
    /// The app was started without a server.
    case noServer
    /// The device is signed out.
    case signedOut
    /// Syncing is switched off on this device.
    case airplane
    /// The server cannot be reached.
    case offline
    /// The server is reached, and fails.
    case failed
    /// The server does not accept the access token any more.
    case expired
    /// The server accepts no app of this version.
    case tooOld
    /// The server is reached.
    case online

    /// The connection of a device that is signed in and may send requests.
    init(_ status: SyncEngine.Status?) {
      self =
        switch status?.phase {
        case .paused(.unauthorized): .expired
        case .paused(.upgradeRequired): .tooOld
        case .offline: .offline
        case .syncing, .idle, .waiting, .stopped, nil:
          switch status?.lastError?.code {
          case nil: .online
          case .unreachable, .timedOut: .offline
          default: .failed
          }
        }
    }
  }
}
