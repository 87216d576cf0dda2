/// Somebody who sails along, and as what.
public struct CrewMember: Equatable, Hashable, Codable, Sendable {
  /// How many characters a name may have.
  public static let maximumNameLength = 80

  public var name: String
  public var role: CrewRole

  /// Creates a member of a crew.
  public init(name: String, role: CrewRole) {
    self.name = name
    self.role = role
  }
}

/// What somebody does on board.
public enum CrewRole: String, CaseIterable, Codable, Sendable {
  case skipper
  case coSkipper
  case crew
  case guest
}
