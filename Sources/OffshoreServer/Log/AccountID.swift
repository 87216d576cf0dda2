public import Foundation

/// The identifier of a user's account.
public struct AccountID: Hashable, Sendable {
  /// The identifier as a random UUID, without information about the user.
  public let uuid: UUID

  /// Creates an identifier from a UUID.
  public init(_ uuid: UUID) { self.uuid = uuid }
}

extension AccountID: CustomStringConvertible {
  public var description: String { uuid.uuidString }
}
