public import Foundation
import OffshoreSync

extension SyncService {
  /// The state of the latest request.
  public enum State: Equatable, Sendable {
    /// No request was sent since the app was started, or the app does not sync.
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

  /// The connection to the server, or the reason why the device cannot sync.
  public enum Connection: Equatable, Sendable {
    /// The app was started without a server.
    case noServer
    /// The device is signed out.
    case signedOut
    /// Syncing is switched off on this device.
    case airplane
    /// The server cannot be reached.
    case offline
    /// The server is reachable, but answers with errors.
    case failed
    /// The server has rejected the access token.
    case expired
    /// The server does not accept this version of the app.
    case tooOld
    /// The server is reachable.
    case online

    /// Creates the connection of a device that is signed in with syncing switched on.
    init(_ status: SyncEngine.Status?) {
      self =
        switch status?.phase {
        case .paused(.unauthorized): .expired
        case .paused(.upgradeRequired): .tooOld
        case .offline: .offline
        case .syncing, .idle, .refused, .waitingForGrant, .waiting, .stopped, nil:
          switch status?.lastError?.code {
          case nil: .online
          case .unreachable, .timedOut: .offline
          default: .failed
          }
        }
    }
  }
}
