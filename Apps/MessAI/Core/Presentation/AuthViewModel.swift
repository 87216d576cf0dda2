import Foundation
public import Observation
public import OffshorePresentation

/// The model of signing in and out.
@MainActor @Observable
public final class AuthViewModel {
  /// The forms of signing up, in and out.
  public let account: AccountModel
  @ObservationIgnored private let service: SyncService

  /// Creates a model of the service that syncs the file.
  public init(_ service: SyncService) {
    self.service = service
    account = AccountModel(service)
  }

  /// Whether the device is signed in to an account.
  public var isAuthenticated: Bool { service.session.isSignedIn }
  /// The user id, by which messages name their author.
  public var userId: String { service.session.userID.uuidString }
}
