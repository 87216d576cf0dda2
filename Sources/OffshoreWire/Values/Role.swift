/// The role of an account in a scope, or the way in which its role ended.
public enum Role: UInt8, Hashable, Sendable, CaseIterable {
  /// May do everything, and grant roles.
  case owner = 1
  /// May read and write.
  case editor
  /// May read.
  case viewer
  /// May do nothing any more: the rows leave the device.
  case revoked
  /// Left the scope: a copy stays on the device, to read.
  case left

  /// Whether an account with this role may read.
  public var canRead: Bool { self != .revoked && self != .left }
  /// Whether an account with this role may write.
  public var canWrite: Bool { self == .owner || self == .editor }

  /// The roles that a member can have.
  public static let granted: [Role] = [.owner, .editor, .viewer]
  /// The roles that an invitation can give.
  public static let invited: [Role] = [.editor, .viewer]

  /// The name in JSON and in forms.
  public var name: String {
    switch self {
    case .owner: "owner"
    case .editor: "editor"
    case .viewer: "viewer"
    case .revoked: "revoked"
    case .left: "left"
    }
  }

  /// Finds a role by its name.
  public init?(name: String) {
    guard let role = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = role
  }
}

extension Role: Codable {
  /// Decodes the name.
  /// - Throws: `DecodingError` if there is no such role.
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
