/// The role of an account in a scope, or the way in which its role ended.
public enum Role: UInt8, Hashable, Sendable, CaseIterable {
  /// Full access, including the right to grant roles.
  case owner = 1
  /// Access to read and write.
  case editor
  /// Access to read.
  case viewer
  /// No access any more. The rows are removed from the device.
  case revoked
  /// The member left the scope. A read-only copy stays on the device.
  case left

  /// Whether an account with this role may read.
  public var canRead: Bool { self != .revoked && self != .left }
  /// Whether an account with this role may write.
  public var canWrite: Bool { self == .owner || self == .editor }

  /// The roles that a member can have.
  package static let granted: [Role] = [.owner, .editor, .viewer]
  /// The roles that an invitation can give.
  package static let invited: [Role] = [.editor, .viewer]

  /// The name in JSON and in forms.
  package var name: String {
    switch self {
    case .owner: "owner"
    case .editor: "editor"
    case .viewer: "viewer"
    case .revoked: "revoked"
    case .left: "left"
    }
  }

  /// Finds a role by its name.
  /// - Returns: `nil` if no role has this name.
  package init?(name: String) {
    guard let role = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = role
  }
}

extension Role: Codable {
  /// Decodes the name.
  /// - Throws: `DecodingError` if no role has this name.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let name = try container.decode(String.self)
    guard let role = Role(name: name) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "“\(name)” is not a role.")
    }
    self = role
  }

  /// Encodes the name.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(name)
  }
}
