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
    } else if model.isArriving {
      arriving(at: page)
    } else {
      form(to: page)
    }
  }

  /// The state between joining and the arrival of the rows.
  @HTMLBuilder private func arriving(at page: String) -> HTML {
    if let error = model.arrivalError {
      ErrorView(
        say(error.localizedMessage), suggestion: say(joinedTexts.late),
        retry: signIn(after: error, at: page))
    } else {
      LoadingView(say(joinedTexts.late))
    }
    if let list = joined.flatMap(part(of:)) {
      a(.class("button", "plain"), .href(list.address)) { say(.show(say(list.title))) }
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
    if let error = model.error { view(of: error, at: address) }
    if isInvited { p(.id("invited")) { say(.invitedByLink) } }
    if model.isLookingUp { p(.id("looking-up"), .class("hint")) { say(.lookingUp) } }
    if let preview = model.preview {
      Card(label: say(.joinByCode), id: "preview") {
        div(.class("row")) {
          span(.class("label")) {
            say(invitation(to: preview.title, by: preview.inviter ?? ""))
            small { say(.members(preview.members, preview.role.title)) }
          }
        }
      }
    }
    PostForm(to: address, id: "join-form", isRepeatable: false) {
      Field(
        say(.invitationCode), name: "code", value: model.code, hint: say(kind.texts.joinHint),
        error: model.codeError.map { problem($0) }, isRequired: true)
      SubmitButton(say(joinTitle), action: "join")
      if model.preview == nil {
        SubmitButton(say(.lookUp), style: .plain, action: "look-up")
      }
    }
    if isInvited {
      a(.class("button", "plain"), .href(part?.address ?? "/")) { say(.notNow) }
    }
  }

  private var joinTitle: LocalizedText {
    if model.isJoining { return .joining }
    return model.hasFailedToJoin && model.error?.isRetryable == true ? .tryAgain : .join
  }

  /// Returns the view of an error of a request, with the remedy.
  private func view(of error: AppError, at page: String) -> ErrorView {
    let remedy = error.isRetryable ? LocalizedText.mayStillJoin : error.recoverySuggestion
    return ErrorView(
      say(error.localizedMessage), suggestion: remedy.map { say($0) }, detail: error.detail,
      retry: signIn(after: error, at: page))
  }

  /// Returns the link by which the user signs in again, if the error requires that.
  private func signIn(after error: AppError, at page: String) -> PageAction? {
    [.auth(.expired), .auth(.notSignedIn)].contains(error)
      ? .link(say(.signIn), to: AccountPage.address(then: page)) : nil
  }

  private func invitation(to title: String?, by inviter: String) -> LocalizedText {
    guard let title, !title.isEmpty else { return kind.texts.untitledInvitation(inviter) }
    return .invitedBy(inviter, to: title)
  }

  /// Returns the sentences about an error of the code.
  private func problem(_ error: AppError) -> String {
    guard error != .validation(.missingRequiredFields) else { return say(.enterCode) }
    return [error.localizedMessage, error.recoverySuggestion].compactMap(\.self)
      .map { say($0) }.joined(separator: " ")
  }

  /// The kind of the joined scope; `nil` also if the app has no pages for it.
  private var joined: SharedKind? {
    model.scope.flatMap { scope in kinds.first { $0.kind == scope.kind } }
  }

  private var joinedTexts: MembersTexts { joined?.texts ?? MembersTexts() }

  /// The address of the joined scope's page; the first page of the app if the kind is unknown.
  private var address: String? {
    model.scope.map { joined?.place($0.value)?.page ?? "/" }
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
