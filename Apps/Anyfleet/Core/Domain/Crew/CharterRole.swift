/// What somebody may do with a charter that is shared.
public enum CharterRole: String, CaseIterable, Sendable {
  /// Everything, and letting others in.
  case owner
  /// Looking and changing.
  case editor
  /// Looking.
  case viewer
  /// Looking at the copy that stayed on this device when they left.
  case left
  /// Nothing any more: the charter has left their devices.
  case revoked

  /// Whether they may change the charter and what belongs to it.
  public var canEdit: Bool { self == .owner || self == .editor }

  /// The roles that somebody can be given.
  public static let granted: [CharterRole] = [.owner, .editor, .viewer]

  /// The roles that somebody can be invited to.
  public static let invited: [CharterRole] = [.editor, .viewer]
}
