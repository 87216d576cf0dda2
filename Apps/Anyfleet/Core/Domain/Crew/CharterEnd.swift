public import Foundation

/// How a charter that is not here any more came to go, as far as this device knows.
public struct CharterEnd: Equatable, Sendable {
  /// What happened.
  public enum Kind: Equatable, Sendable {
    /// Somebody deleted it at a date, on another device.
    case deletedElsewhere(Date)
    /// It was deleted on this device, at a date.
    case deletedHere(Date)
    /// An owner ended that this account takes part.
    case revoked
  }

  public let kind: Kind
  /// Whether something that was changed on this device did not stay.
  public let hasLostChanges: Bool
}
