import Foundation
import OffshoreHTTP
import OffshorePresentation
import OffshoreSync
import OffshoreWeb
import OffshoreWire

/// The page on which the user accepts an invitation by its code.
///
/// A code does not show its kind. A code for another kind leads to the page of that kind.
struct JoinPage: RoutedPage {
  private let frame: AppFrame
  private let kind: SharedKind
  private let kinds: [SharedKind]
  let model: JoinModel
  /// Whether the code was part of a link, rather than entered by the user.
  private let isInvited: Bool

  /// - Parameters:
  ///   - kinds: all shared kinds of the app.
  ///   - kind: the kind of the page's address.
  ///   - code: the code in a link. Nothing is accepted before the user presses the button.
  init(_ frame: AppFrame, _ kinds: [SharedKind], at kind: SharedKind, code: String? = nil) {
    self.frame = frame
    self.kind = kind
    self.kinds = kinds
    model = JoinModel(frame.sync)
    model.code = code ?? ""
    isInvited = code?.isEmpty == false
  }

  private var say: Localizer { frame.say }
  private var part: AppFrame.Part? { part(of: kind) }

  private func part(of kind: SharedKind) -> AppFrame.Part? {
    frame.parts.first { $0.id == kind.part }
  }

  func load() async throws {
    // The page does not wait for a slow server.
    if isInvited, model.hasServer, model.isSignedIn { await model.beginLookUp() }
  }

  func page(_ tab: Tab) -> Page {
    frame.page(
      tab, say(.joinByCode), in: kind.part,
      back: part.map { PageLink(say($0.title), to: $0.address) }
    ) {
      tab.region("join") { self.content(at: tab.address) }
    }
  }

  /// - Parameter page: the page's own address, with the code of a link.
  @HTMLBuilder private func content(at page: String) -> HTML {
    if !model.hasServer {
      EmptyView(
        icon: Icon("phone", text: "☏"), title: say(.noServerTitle), text: say(kind.texts.noServer))
    } else if !model.isSignedIn {
      EmptyView(
        icon: Icon("people", text: "☺☺"), title: say(.signInToJoin),
        text: say(kind.texts.signInToJoin),
        action: .link(say(.signIn), to: AccountPage.address(then: page)))
    } else if let title = model.title, let address {
      arrival(of: title, at: address)
    } else if model.isLate {
      LoadingView(say(joinedTexts.late))
    } else {
      form(to: page)
    }
  }

  /// - Parameter title: the title of the scope's row; empty if its kind has no titles.
  private func arrival(of title: String, at address: String) -> HTML {
    EmptyView(
      icon: joined.flatMap(part(of:))?.icon ?? Icon("people", text: "☺☺"),
      title: title.isEmpty ? say(.youTakePart) : title, text: say(joinedTexts.arrived),
      action: .link(say(title.isEmpty ? .show : .show(title)), to: address)
    ).html
  }

  @HTMLBuilder private func form(to address: String) -> HTML {
    if let error = model.error { ErrorView(error, say) }
    if isInvited { p(.id("invited")) { say(.invitedByLink) } }
    if model.isLookingUp { p(.id("looking-up"), .class("hint")) { say(.lookingUp) } }
    if let preview = model.preview {
      Card(label: say(.joinByCode), id: "preview") {
        div(.class("row")) {
          span(.class("label")) {
            say(.invitedBy(preview.inviter ?? "", to: preview.title ?? say(kindName)))
            small { say(.members(preview.members, preview.role.title)) }
          }
        }
      }
    }
    PostForm(to: address, id: "join-form", isRepeatable: false) {
      Field(
        say(.invitationCode), name: "code", value: model.code, hint: say(kind.texts.joinHint),
        error: model.codeError.map { say(problem($0)) }, isRequired: true)
      SubmitButton(say(model.isJoining ? .joining : .join), action: "join")
      if model.preview == nil {
        SubmitButton(say(.lookUp), style: .plain, action: "look-up")
      }
    }
  }

  /// The name of the part of the app, for a scope without a title.
  private var kindName: LocalizedText { part?.title ?? frame.name }

  private func problem(_ error: AppError) -> LocalizedText {
    error == .validation(.missingRequiredFields) ? .enterCode : error.localizedMessage
  }

  /// The kind of the joined scope; `nil` also if the app has no pages for it.
  private var joined: SharedKind? {
    model.scope.flatMap { scope in kinds.first { $0.kind == scope.kind } }
  }

  private var joinedTexts: MembersTexts { joined?.texts ?? MembersTexts() }

  /// The address of the joined scope's page; the first page of the app if the kind is unknown.
  private var address: String? {
    model.scope.map { scope in
      guard let joined, let id = UUID(uuidString: scope.value) else { return "/" }
      return joined.page(id)
    }
  }

  /// Accepts the invitation, and goes to the scope's page once its row is on this device.
  func perform(_ form: PageForm) async throws -> Outcome {
    model.code = form.text("code")
    if form.action == "look-up" { return await model.lookUp() ? .drafted : .invalid }
    guard form.action == "join" else { throw form.unknownAction }
    if await model.join() != nil, let address { return .go(to: address) }
    return model.isLate ? .drafted : .invalid
  }
}
