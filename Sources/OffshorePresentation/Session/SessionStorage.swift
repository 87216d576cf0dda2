public import Foundation

/// Keeps the id of a device's user, and the account that it belongs to.
public protocol SessionStorage: Sendable {
  /// The id that is kept, or a candidate that is kept from now on where there is none.
  ///
  /// Both happen at once, so that two starts at the same time agree.
  /// - Throws: where the id can be neither read nor kept.
  func userID(firstly candidate: UUID) async throws -> UUID

  /// The account that the device's data belongs to, if it belongs to one.
  /// - Throws: where it cannot be read.
  func credentials() async throws -> Session.Credentials?

  /// Gives the device's data to an account, in one transaction: its rows become the account's, and from
  /// then on ``userID(firstly:)`` is the account's id.
  /// - Throws: where it belongs to another account, or cannot be kept; nothing has changed then.
  func link(_ credentials: Session.Credentials) async throws

  /// Keeps what lets the device in, or that nothing does.
  /// - Throws: where it cannot be kept.
  func keepToken(_ token: String?) async throws
}
