public import Foundation
public import OffshoreSync

/// Makes accounts and lets devices in to them; every call throws what `AppError` can be made of.
public protocol AccountService: Sendable {
  /// Makes an account with the id that a device's data belongs to, and signs the device in to it.
  func signUp(
    _ name: String, _ password: String, as owner: UUID
  ) async throws -> SignedInAccount

  /// Signs a device in.
  func signIn(_ name: String, _ password: String) async throws -> SignedInAccount

  /// Forgets what let a device in.
  func signOut(_ token: String) async throws

  /// Changes the password, and signs all other devices out.
  func changePassword(from old: String, to new: String, token: String) async throws
}

extension AccountClient: AccountService {}
