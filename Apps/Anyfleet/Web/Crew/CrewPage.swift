import Anyfleet
import Foundation
import OffshorePages
import OffshorePresentation
import OffshoreWeb

/// Who has access to a charter, letting others in, and leaving.
struct CrewPage: LivePage {
  let shell: Shell
  let viewModel: CrewViewModel

  private var say: Speaker { shell.say }
  private var address: String { Address.crew(viewModel.charterID) }

  func load() async throws {
    await viewModel.load()
    if viewModel.charter.errorValue == .database(.notFound) {
      throw AppError.database(.notFound)
    }
  }

  func run() async { await viewModel.follow() }

  func page(_ tab: Tab) -> Page {
    shell.page(
      tab, say(.peopleWithAccess), in: .charters, subtitle: viewModel.charter.data?.name,
      back: PageLink(
        viewModel.charter.data?.name ?? say(.charter), to: Address.charter(viewModel.charterID))
    ) {
      tab.region("access") { access }
      tab.region("invitation") {
        if viewModel.canManage { InvitationView(viewModel: viewModel, say: say).html }
      }
      tab.region("leaving") {
        if viewModel.canLeave { leaving }
      }
    }
  }

  @HTMLBuilder private var access: HTML {
    switch viewModel.sharingState {
    case .noServer:
      EmptyView(
        icon: Icon("phone", text: "☏"), title: say(.noServerTitle), text: say(.noServerText))
    case .signedOut:
      EmptyView(
        icon: Icon("people", text: "☺☺"), title: say(.signInToShare),
        text: say(.signInToShareText), action: .link(say(.signIn), to: SystemRoute.account.address))
    case .unsent:
      EmptyView(
        icon: Icon("cloud-upload", text: "↑"), title: say(.notSentTitle), text: say(.notSentText),
        action: .link(say(.refresh), to: address))
    case .shared(let role):
      p(.id("own-role"), .class("hint")) { say(role.ownSentence) }
      if role != .left { members }
    }
  }

  // MARK: - Members

  @HTMLBuilder private var members: HTML {
    if viewModel.members.errorValue == .network(.offline) {
      EmptyView(
        icon: Icon("wifi-off", text: "⌁"), title: say(.offlineTitle), text: say(.offlineText),
        action: .link(say(.tryAgain), to: address))
    } else {
      Notices([viewModel.refreshError].compactMap(\.self), say, address: address)
      StateContent(viewModel.members, say, loading: .askingWho, address: address) { members in
        Card(label: say(.peopleWithAccess), id: "members") {
          for member in members { row(member) }
        }
      }
      RefreshLink(to: address, say)
    }
  }

  private func row(_ member: CharterMember) -> HTML {
    div(.id("member-\(member.id)")) {
      div(.class("row")) {
        span(.class("label")) {
          member.name
          if viewModel.isOwn(member) { small { say(.you) } }
        }
        Badge(say(member.role.title), tone: member.role == .owner ? .accent : .none)
      }
      if viewModel.canManage, !viewModel.isOwn(member) {
        MemberForms(member: member, viewModel: viewModel, say: say).html
      }
    }
  }

  // MARK: - Leaving

  /// Folded away, so that it takes two steps, with and without the script.
  private var leaving: HTML {
    let error = viewModel.error(of: .leaving)
    return details(.id("leave"), .class("section"), .open(error != nil)) {
      summary { h2 { say(.leaveThisCharter) } }
      if let error { p(.class("error"), .role(.alert)) { say(error.localizedMessage) } }
      p { say(.leavingExplained) }
      PostForm(to: Address.leave(viewModel.charterID)) {
        SubmitButton(say(.leave), style: .destructive, label: say(.leaveThisCharter))
      }
    }
  }
}
