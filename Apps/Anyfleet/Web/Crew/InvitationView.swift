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
    if !viewModel.pendingInvitations.isEmpty { pending }
  }

  @HTMLBuilder private var pending: HTML {
    h2 { say(.openInvitations) }
    Card(label: say(.openInvitations), id: "open-invitations") {
      for invitation in viewModel.pendingInvitations { row(invitation) }
    }
  }

  private func row(_ invitation: PendingInvitation) -> HTML {
    let error = viewModel.error(of: .withdrawal(of: invitation.id))
    return div(.class("row"), .id("invitation-\(invitation.id)")) {
      span(.class("label")) {
        say(invitation.role.title)
        small { say(.validUntil(say.dayAndTime(invitation.expires))) }
        if let error { small(.class("error"), .role(.alert)) { say(error.localizedMessage) } }
      }
      PostForm(to: Address.withdraw(invitation.id, from: viewModel.charterID)) {
        SubmitButton(
          say(.withdraw), style: .plain,
          label: say(.of(.withdraw, say(invitation.role.title))))
      }
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
