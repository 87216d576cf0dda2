public import Foundation

/// Whom a server knows: a person with some devices.
public struct Account: Hashable, Sendable, Codable, Identifiable {
  /// The id, which owns what the person makes.
  public let id: UUID
  /// What the person signs in with.
  public let name: String

  /// Names an account.
  public init(id: UUID, name: String) {
    self.id = id
    self.name = name
  }
}
