public import Foundation
import OffshorePresentation
public import OffshoreWeb
public import OffshoreWire

/// A row that leads to the members of a thing, with the user's own permissions.
@MainActor public struct MembersLink: Component {
  /// The row.
  public let html: HTML

  /// Links to the members of the thing with an id.
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

/// A button that leads to joining by a code.
@MainActor public struct JoinLink: Component {
  /// The button.
  public let html: HTML

  /// Links to the page for joining things of a kind.
  public init(_ frame: AppFrame, _ kind: SharedKind) {
    html = a(.class("button", "plain"), .href(kind.join)) { frame.say(.joinByCode) }
  }
}

/// A line that says that the user may not change a thing, and why; nothing for users who may.
@MainActor public struct ReadOnlyNotice: Component {
  /// The line.
  public let html: HTML

  /// Shows the permissions of a role that may not write.
  public init(_ role: Role?, _ frame: AppFrame, _ kind: SharedKind) {
    html =
      if let role, !role.canWrite {
        p(.id("look-only"), .class("look-only")) { frame.say(kind.texts.sentence(for: role)) }
      } else {
        HTML()
      }
  }
}
