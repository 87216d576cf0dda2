import Anyfleet
import OffshorePresentation
import OffshoreWeb

/// Inviting somebody by a code, which shows once.
@MainActor
struct InvitationView {
  let viewModel: CrewViewModel
  let say: Speaker

  @HTMLBuilder var html: HTML {
    h2(.id("invite-heading")) { say(.inviteSomebody) }
    if let invitation = viewModel.invitation { shown(invitation) }
    PostForm(to: Address.invite(to: viewModel.charterID), id: "invite") {
      Field(
        say(.role), name: "role", value: role.rawValue,
        kind: .choice(CharterRole.invited.map { Field.Choice($0.rawValue, say($0.choice)) }),
        hint: say(.inviteHint),
        error: viewModel.error(of: .invitation).map { say($0.localizedMessage) },
        id: "invited-role")
      SubmitButton(say(.makeCode), style: viewModel.invitation == nil ? .primary : .plain)
    }
  }

  private var role: CharterRole { viewModel.invitedRole }

  private func shown(_ invitation: CharterInvitation) -> HTML {
    div(.id("code"), .class("invitation"), .role(.status)) {
      p(.class("sub")) {
        "\(say(.invitationCode)), \(say(invitation.role.title).lowercased())"
      }
      p { OffshoreWeb.code(.class("secret"), .id("invitation-code")) { invitation.code } }
      p(.class("hint")) {
        "\(say(.validUntil(say.dayAndTime(invitation.expires)))) \(say(.codeShownOnce))"
      }
    }
  }
}
