import Foundation
import OffshoreHTTP
import OffshorePresentation
import OffshoreSync
import OffshoreWeb
import OffshoreWire

/// The page with the members of a shared scope, for inviting others and for leaving.
final class MembersPage: RoutedPage {
  private let frame: AppFrame
  private let kind: SharedKind
  private let place: SharedKind.Place
  private let model: MembersModel
  /// The address of the scope's own page if the scope is not on this device: that page explains
  /// why.
  private(set) var redirection: String?

  /// - Throws: `HTTPError` with 404 if the kind has no scope with the value.
  init(_ frame: AppFrame, _ kind: SharedKind, of value: String) throws {
    guard let place = kind.place(value),
      let scope = try? ScopeID(kind: kind.kind, value: place.value)
    else { throw HTTPError(.notFound) }
    self.frame = frame
    self.kind = kind
    self.place = place
    model = MembersModel(scope, frame.sync)
  }

  private var say: Localizer { frame.say }
  private var address: String { kind.membersAddress(ofScope: place.value) }

  func load() async throws {
    await model.load()
    if model.title.errorValue == .database(.notFound) {
      redirection = place.page
      throw AppError.database(.notFound)
    }
  }

  func run() async { await model.observeChanges() }

  func page(_ tab: Tab) -> Page {
    let title = model.title.data.flatMap { $0.isEmpty ? nil : $0 }
    return frame.page(
      tab, say(.peopleWithAccess), in: kind.part, subtitle: title,
      back: PageLink(title ?? say(.back), to: place.page)
    ) {
      tab.region("access") { self.access }
      tab.region("invitation") {
        if self.model.canManage {
          Notices(
            Notice.all(of: [self.model.refreshError].compactMap(\.self)), self.say,
            address: self.address)
          InvitationView(model: self.model, frame: self.frame, kind: self.kind, to: self.address)
            .html
        }
      }
      tab.region("addition") {
        if !self.model.knownAccounts.isEmpty {
          AdditionForm(
            model: self.model, say: self.say, texts: self.kind.texts, to: self.address
          ).html
        }
      }
      tab.region("leaving") {
        if self.model.canLeave { self.leaving }
      }
    }
  }

  @HTMLBuilder private var access: HTML {
    switch model.sharing {
    case .noServer:
      EmptyView(
        icon: Icon("phone", text: "☏"), title: say(.noServerTitle), text: say(kind.texts.noServer))
    case .signedOut:
      EmptyView(
        icon: Icon("people", text: "☺☺"), title: say(.signInToShare),
        text: say(kind.texts.signInToShare),
        action: .link(say(.signIn), to: AccountPage.address(then: address)))
    case .unsent:
      EmptyView(
        icon: Icon("cloud-upload", text: "↑"), title: say(.notSentTitle),
        text: say(kind.texts.unsent), action: .link(say(.refresh), to: address))
    case .shared(let role):
      p(.id("own-role"), .class("hint")) { say(kind.texts.sentence(for: role)) }
      if role != .left { members }
    }
  }

  // MARK: - Members

  @HTMLBuilder private var members: HTML {
    StateContent(model.members, say, loading: .askingWho, address: address) { members in
      Card(label: say(.peopleWithAccess), id: "members") {
        for member in members { row(member) }
      }
    }
    RefreshLink(to: address, say)
  }

  private func row(_ member: Member) -> HTML {
    div(.id("member-\(member.id)")) {
      div(.class("row")) {
        span(.class("label")) {
          member.name
          if model.isOwn(member) { small { say(.you) } }
          if member.isPending { small { say(.notSentTitle) } }
        }
        Badge(say(member.role.title), tone: member.role == .owner ? .accent : .none)
      }
      if model.canManage, !model.isOwn(member) {
        MemberForms(member: member, model: model, say: say, texts: kind.texts, to: address).html
      }
    }
  }

  // MARK: - Leaving

  /// The collapsed form for leaving, which needs two steps, with and without the script.
  private var leaving: HTML {
    let error = model.error(of: .leaving)
    return details(.id("leave"), .class("section"), .open(error != nil)) {
      summary { h2 { say(kind.texts.leaving) } }
      if let error { p(.class("error"), .role(.alert)) { say(error.localizedMessage) } }
      p { say(.leavingExplained) }
      if let heir = model.heir { p(.id("heir")) { say(.nextOwner(heir.name)) } }
      PostForm(to: address) {
        CheckField(
          say(.removeCopyToo), name: "remove-copy", isOn: false, hint: say(.removeCopyExplained))
        SubmitButton(
          say(.leave), style: .destructive, label: say(kind.texts.leaving), action: "leave")
      }
    }
  }

  // MARK: - Requests by the user

  /// Invites, withdraws an invitation, adds a known account, changes a role, removes a member, or leaves.
  ///
  /// A new code is part of the response, not of an address, because it is shown once.
  func perform(_ form: PageForm) async throws -> Outcome {
    switch form.action {
    case "invite": return try await invite(form)
    case "withdraw":
      return await model.withdraw(try form.value("invitation")) ? .done : .invalid
    case "set-role":
      let role = try role(form, of: Role.granted)
      return await model.setRole(role, of: try form.value("member")) ? .done : .invalid
    case "remove": return await model.remove(try form.value("member")) ? .done : .invalid
    case "add":
      let role = try role(form, of: Role.granted)
      return await model.add(try form.value("account"), as: role) ? .done : .invalid
    case "leave":
      return await model.leave(retainingCopy: form.text("remove-copy") != "on")
        ? .go(to: place.page) : .invalid
    default: throw form.unknownAction
    }
  }

  private func invite(_ form: PageForm) async throws -> Outcome {
    let (role, label) = (try role(form, of: Role.invited), form.text("label"))
    let uses = try number("uses", in: 1...100, or: 1, form)
    let days = try number("days", in: 1...90, or: 7, form)
    guard label.count <= InvitationView.labelLength else {
      throw HTTPError(
        .badRequest, "A note has at most \(InvitationView.labelLength) characters. Shorten it.")
    }
    let hasSucceeded = await model.invite(
      as: role, uses: uses, days: days, label: label.isEmpty ? nil : label)
    return hasSucceeded ? .drafted : .invalid
  }

  /// Returns the number in a field of a form, or the usual one if the field is empty.
  private func number(
    _ name: String, in range: ClosedRange<Int>, or usual: Int, _ form: PageForm
  ) throws -> Int {
    guard !form.text(name).isEmpty else { return usual }
    let number = try form.value(name, as: Int.self)
    guard range.contains(number) else {
      throw HTTPError(
        .badRequest,
        "The field \(name) is a number from \(range.lowerBound) to \(range.upperBound).")
    }
    return number
  }

  private func role(_ form: PageForm, of roles: [Role]) throws -> Role {
    guard let role = Role(name: form.text("role")), roles.contains(role) else {
      throw HTTPError(.badRequest, "The form has no field role that is one of the roles.")
    }
    return role
  }
}

/// The collapsed form that adds an account without an invitation.
@MainActor private struct AdditionForm {
  private let model: MembersModel
  private let say: Localizer
  private let texts: MembersTexts
  private let address: String

  init(model: MembersModel, say: Localizer, texts: MembersTexts, to address: String) {
    (self.model, self.say, self.texts, self.address) = (model, say, texts, address)
  }

  var html: HTML {
    let error = model.error(of: .addition).map { say($0.localizedMessage) }
    return details(.id("add"), .class("section"), .open(error != nil)) {
      summary { h2 { say(.addPerson) } }
      p(.class("hint")) { say(.additionOfPersonExplained) }
      PostForm(to: address) {
        Field(
          say(.person), name: "account", value: model.knownAccounts.first?.id.uuidString ?? "",
          kind: .choice(model.knownAccounts.map { Field.Choice($0.id.uuidString, $0.name) }),
          error: error)
        Field(
          say(.role), name: "role", value: Role.editor.name,
          kind: .choice(Role.granted.map { Field.Choice($0.name, say(texts.choice(of: $0))) }),
          id: "role-of-addition")
        SubmitButton(say(.add), style: .plain, label: say(.addPerson), action: "add")
      }
    }
  }
}

extension LocalizedText {
  static let back = LocalizedText(en: "Back", ru: "Назад")
}

/// The collapsed forms that change a member's role and end the membership.
@MainActor struct MemberForms {
  private let member: Member
  private let model: MembersModel
  private let say: Localizer
  private let texts: MembersTexts
  private let address: String

  /// - Parameter address: the address of the page with the members.
  init(
    member: Member, model: MembersModel, say: Localizer, texts: MembersTexts,
    to address: String
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
      summary(.ariaLabel(say(.action(.changeOrRemove, on: member.name)))) { say(.changeOrRemove) }
      PostForm(to: address) {
        HiddenValue("member", member.id.uuidString)
        Field(
          say(.role), name: "role", value: member.role.name,
          kind: .choice(Role.granted.map { Field.Choice($0.name, say(texts.choice(of: $0))) }),
          error: roleError, id: "role-\(member.id)")
        SubmitButton(
          say(.changeRole), style: .plain, label: say(.action(.changeRole, on: member.name)),
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
