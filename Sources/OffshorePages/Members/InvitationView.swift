import Foundation
import OffshorePresentation
import OffshoreSync
import OffshoreWeb
import OffshoreWire

/// The form that creates an invitation, its code, and the open invitations.
@MainActor struct InvitationView {
  private let model: MembersModel
  private let frame: AppFrame
  private let kind: SharedKind
  private let address: String

  /// Creates the view.
  /// - Parameter address: the address of the page with the members.
  init(model: MembersModel, frame: AppFrame, kind: SharedKind, to address: String) {
    self.model = model
    self.frame = frame
    self.kind = kind
    self.address = address
  }

  /// The offered numbers of accounts for one code.
  private static let uses = [1, 5, 10, 30, 100]
  /// The offered numbers of days until a code expires.
  private static let days = [1, 7, 30, 90]
  /// The maximum number of characters of a note.
  static let labelLength = 80

  private var say: Localizer { frame.say }

  @HTMLBuilder var html: HTML {
    h2(.id("invite-heading")) { say(.invite) }
    if let invitation = model.invitation { CodeView(invitation, kind, title: title, frame).html }
    PostForm(to: address, id: "invite", isRepeatable: false) {
      Field(
        say(.role), name: "role", value: model.invitedRole.name,
        kind: .choice(Role.invited.map { Field.Choice($0.name, say(kind.texts.choice(of: $0))) }),
        hint: say(.inviteHint),
        error: model.error(of: .invitation).map { say($0.localizedMessage) },
        id: "invited-role")
      Field(
        say(.invitedPeople), name: "uses", value: "\(model.invitedUses)",
        kind: .choice(Self.uses.map { Field.Choice("\($0)", say(.people($0))) }))
      Field(
        say(.invitationDays), name: "days", value: "\(model.invitedDays)",
        kind: .choice(Self.days.map { Field.Choice("\($0)", say(.days($0))) }))
      Field(
        say(.invitationLabel), name: "label", value: "", maximumLength: Self.labelLength)
      SubmitButton(
        say(.makeCode), style: model.invitation == nil ? .primary : .plain, action: "invite")
    }
    if !model.openInvitations.isEmpty { open }
  }

  /// The title of the scope's row; `nil` if it has none.
  private var title: String? { model.title.data.flatMap { $0.isEmpty ? nil : $0 } }

  @HTMLBuilder private var open: HTML {
    h2 { say(.openInvitations) }
    Card(label: say(.openInvitations), id: "open-invitations") {
      for invitation in model.openInvitations { row(invitation) }
    }
  }

  private func row(_ invitation: OpenInvitation) -> HTML {
    let error = model.error(of: .withdrawal(of: invitation.id))
    return div(.class("row"), .id("invitation-\(invitation.id)")) {
      span(.class("label")) {
        invitation.label ?? say(invitation.role.title)
        small { details(of: invitation) }
        if let error { small(.class("error"), .role(.alert)) { say(error.localizedMessage) } }
      }
      PostForm(to: address) {
        HiddenValue("invitation", invitation.id)
        SubmitButton(
          say(.withdraw), style: .plain,
          label: say(.action(.withdraw, on: invitation.label ?? say(invitation.role.title))),
          action: "withdraw")
      }
    }
  }
}

extension InvitationView {
  /// Returns the role, unless it is the name of the row, the number of people, and the expiry.
  private func details(of invitation: OpenInvitation) -> String {
    let role = invitation.label == nil ? nil : say(invitation.role.title)
    return [role, say(.people(invitation.uses ?? 1)), frame.expiry(at: invitation.expires)]
      .compactMap(\.self).joined(separator: " · ")
  }
}

extension AppFrame {
  /// Returns a sentence about the expiry of an invitation.
  func expiry(at milliseconds: Int64) -> String {
    say(.validUntil(say.dayAndTime(Date(milliseconds: milliseconds))))
  }
}

/// The code of a new invitation, which is shown once: to copy, to share, as a link and as a QR
/// code.
///
/// The buttons need the script, and are hidden without it. The code and the link can then be
/// selected.
@MainActor struct CodeView: Component {
  private let invitation: ScopeInvitation
  private let title: String?
  private let frame: AppFrame
  private let part: LocalizedText

  /// Creates the view of an invitation.
  /// - Parameter title: the title of the scope's row; `nil` if it has none.
  init(_ invitation: ScopeInvitation, _ kind: SharedKind, title: String?, _ frame: AppFrame) {
    self.invitation = invitation
    self.title = title
    self.frame = frame
    part = frame.parts.first { $0.id == kind.part }?.title ?? frame.name
  }

  private var say: Localizer { frame.say }
  private var link: String { frame.links.invitation(invitation.code) }

  var html: HTML {
    div(.id("code"), .class("invitation"), .role(.status)) {
      p(.class("sub")) { "\(say(.invitationCode)), \(say(invitation.role.title).lowercased())" }
      p {
        code(.class("secret"), .id("invitation-code")) {
          for group in groups { span { group } }
        }
      }
      div(.class("buttons")) {
        button(
          .type(.button), .class("button", "primary"), .data("copy", invitation.code),
          .data("done", say(.codeCopied))
        ) { say(.copyCode) }
        button(
          .type(.button), .class("button", "plain"), .data("copy", link),
          .data("done", say(.linkCopied))
        ) { say(.copyLink) }
        button(
          .type(.button), .class("button", "plain"),
          .data("share", say(message))
        ) { say(.shareLink) }
      }
      picture
      p { code(.class("link"), .id("invitation-link")) { link } }
      p(.class("hint")) { "\(frame.expiry(at: invitation.expires)) \(say(.codeShownOnce(part)))" }
    }
  }

  private var message: LocalizedText {
    title.map { .invitation(to: $0, in: frame.name, link) } ?? .invitation(in: frame.name, link)
  }

  /// The link as a QR code, or nothing if it is too long.
  @HTMLBuilder private var picture: HTML {
    if let picture = try? QRCode(link, label: say(.qrCode(say(frame.name)))) { picture }
  }

  /// The code in groups of four characters. The gaps between them are drawn without space
  /// characters, so that a copy has none.
  private var groups: [String] {
    var rest = invitation.code[...]
    var groups: [String] = []
    while !rest.isEmpty {
      groups.append(String(rest.prefix(4)))
      rest = rest.dropFirst(4)
    }
    return groups
  }
}
