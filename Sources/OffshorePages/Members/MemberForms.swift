import Foundation
import OffshorePresentation
import OffshoreSync
import OffshoreWeb
import OffshoreWire

/// The collapsed forms that change a member's role and end the membership.
@MainActor struct MemberForms {
  private let member: ScopeMember
  private let model: MembersModel
  private let say: Speaker
  private let texts: MembersTexts
  private let address: String

  /// - Parameter address: the address of the page with the members.
  init(
    member: ScopeMember, model: MembersModel, say: Speaker, texts: MembersTexts, to address: String
  ) {
    self.member = member
    self.model = model
    self.say = say
    self.texts = texts
    self.address = address
  }

  var html: HTML {
    details(
      .id("manage-\(member.id)"), .class("manage"), .open(roleError != nil || removalError != nil)
    ) {
      summary(.ariaLabel(say(.of(.changeOrRemove, member.name)))) { say(.changeOrRemove) }
      PostForm(to: address) {
        HiddenValue("member", member.id.uuidString)
        Field(
          say(.role), name: "role", value: member.role.name,
          kind: .choice(Role.granted.map { Field.Choice($0.name, say($0.choice)) }),
          error: roleError, id: "role-\(member.id)")
        SubmitButton(
          say(.changeRole), style: .plain, label: say(.of(.changeRole, member.name)),
          action: "set-role")
      }
      removal
    }
  }

  private var removal: HTML {
    details(.id("remove-\(member.id)"), .class("remove"), .open(removalError != nil)) {
      summary { say(.remove(member.name)) }
      if let removalError { p(.class("error"), .role(.alert)) { removalError } }
      p(.class("hint")) { say(texts.removal) }
      PostForm(to: address) {
        HiddenValue("member", member.id.uuidString)
        SubmitButton(
          say(.remove), style: .destructive, label: say(.remove(member.name)), action: "remove")
      }
    }
  }

  private var roleError: String? {
    model.error(of: .role(of: member.id)).map { say($0.localizedMessage) }
  }

  private var removalError: String? {
    model.error(of: .removal(of: member.id)).map { say($0.localizedMessage) }
  }
}
