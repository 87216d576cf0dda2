public import Foundation
import OffshorePresentation
public import OffshoreWeb
public import OffshoreWire

/// A row with a link to the members of a scope, and with the user's own permissions.
@MainActor public struct MembersLink: Component {
  /// The row.
  public let html: HTML

  /// Creates a link to the members of the scope with an id.
  public init(_ frame: AppFrame, _ kind: SharedKind, of id: UUID) {
    let role = frame.sync.access(to: id, of: kind.kind).role
    html =
      LinkRow(
        frame.say(.peopleWithAccess), to: kind.members(of: id),
        text: frame.say(role.map { kind.texts.sentence(for: $0) } ?? kind.texts.unshared),
        id: "people-with-access"
      ).html
  }
}

/// A button that opens the page for accepting an invitation.
@MainActor public struct JoinLink: Component {
  /// The button.
  public let html: HTML

  /// Creates a link to the page for accepting invitations of a kind.
  public init(_ frame: AppFrame, _ kind: SharedKind) {
    html = a(.class("button", "plain"), .href(kind.join)) { frame.say(.joinByCode) }
  }
}

/// A line that explains why the user may not edit a scope; nothing for users who may.
@MainActor public struct ReadOnlyNotice: Component {
  /// The line.
  public let html: HTML

  /// Creates a line about a role without the right to write.
  public init(_ role: Role?, _ frame: AppFrame, _ kind: SharedKind) {
    html =
      if let role, !role.canWrite {
        p(.id("look-only"), .class("look-only")) { frame.say(kind.texts.sentence(for: role)) }
      } else {
        HTML()
      }
  }
}
