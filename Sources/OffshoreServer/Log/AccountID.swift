public import Foundation

/// Names an account, which stands for a person.
public struct AccountID: Hashable, Sendable {
  /// The name, which is random and says nothing about the person.
  public let uuid: UUID

  /// The account that a UUID names.
  public init(_ uuid: UUID) { self.uuid = uuid }
}

extension AccountID: CustomStringConvertible {
  public var description: String { uuid.uuidString }
}
