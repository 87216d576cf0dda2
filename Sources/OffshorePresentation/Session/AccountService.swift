public import Foundation
public import OffshoreSync

/// The requests of a session to the server's accounts. Each throws an error that converts to
/// `AppError`.
public protocol AccountService: Sendable {
  /// Creates an account with the user id of the device's data, and signs the device in.
  func signUp(
    _ name: String, _ password: String, as owner: UUID
  ) async throws -> SignedInAccount

  /// Signs a device in to an account.
  func signIn(_ name: String, _ password: String) async throws -> SignedInAccount

  /// Revokes an access token.
  func signOut(_ token: String) async throws

  /// Changes the password, and signs all other devices out.
  func changePassword(from old: String, to new: String, token: String) async throws
}

extension AccountClient: AccountService {}
