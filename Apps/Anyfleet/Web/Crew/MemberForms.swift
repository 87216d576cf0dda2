import Anyfleet
import OffshorePresentation
import OffshoreWeb

/// Giving a member another role, and ending that they take part; folded away.
@MainActor
struct MemberForms {
  let member: CharterMember
  let viewModel: CrewViewModel
  let say: Speaker

  var html: HTML {
    details(
      .id("manage-\(member.id)"), .class("manage"), .open(roleError != nil || removalError != nil)
    ) {
      summary(.ariaLabel(say(.of(.changeOrRemove, member.name)))) { say(.changeOrRemove) }
      PostForm(to: Address.role(of: member.id, in: viewModel.charterID)) {
        Field(
          say(.role), name: "role", value: member.role.rawValue,
          kind: .choice(CharterRole.granted.map { Field.Choice($0.rawValue, say($0.choice)) }),
          error: roleError, id: "role-\(member.id)")
        SubmitButton(
          say(.changeRole), style: .plain, label: say(.of(.changeRole, member.name)))
      }
      removal
    }
  }

  @HTMLBuilder private var removal: HTML {
    details(.id("remove-\(member.id)"), .class("remove"), .open(removalError != nil)) {
      summary { say(.remove(member.name)) }
      if let removalError { p(.class("error"), .role(.alert)) { removalError } }
      p(.class("hint")) { say(.removalExplained) }
      PostForm(to: Address.remove(member.id, from: viewModel.charterID)) {
        SubmitButton(say(.remove), style: .destructive, label: say(.remove(member.name)))
      }
    }
  }

  private var roleError: String? {
    viewModel.error(of: .role(of: member.id)).map { say($0.localizedMessage) }
  }

  private var removalError: String? {
    viewModel.error(of: .removal(of: member.id)).map { say($0.localizedMessage) }
  }
}
