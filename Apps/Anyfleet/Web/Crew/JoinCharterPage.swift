import Anyfleet
import Foundation
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import OffshoreWeb

/// Taking part in somebody else's charter by a code.
struct JoinCharterPage: LivePage {
  let shell: Shell
  let viewModel: JoinCharterViewModel

  private var say: Speaker { shell.say }

  func page(_ tab: Tab) -> Page {
    shell.page(
      tab, say(.joinByCode), in: .charters, back: PageLink(say(.charters), to: Address.charters)
    ) {
      tab.region("join") { content }
    }
  }

  @HTMLBuilder private var content: HTML {
    if !viewModel.hasServer {
      EmptyView(
        icon: Icon("phone", text: "☏"), title: say(.noServerTitle), text: say(.noServerText))
    } else if !viewModel.isSignedIn {
      EmptyView(
        icon: Icon("people", text: "☺☺"), title: say(.signInToJoin), text: say(.signInToJoinText),
        action: .link(say(.signIn), to: SystemRoute.account.address))
    } else if let charter = viewModel.arrived {
      EmptyView(
        icon: Icon("compass", text: "⛵"), title: charter.name, text: say(.charterHasCome),
        action: .link(say(.showCharter(charter.name)), to: Address.charter(charter.id)))
    } else if viewModel.isLate {
      LoadingView(say(.charterIsLate))
    } else {
      form
    }
  }

  @HTMLBuilder private var form: HTML {
    if let error = viewModel.error { ErrorView(error, say) }
    PostForm(to: Address.joinCharter, id: "join-form") {
      Field(
        say(.invitationCode), name: "code", value: viewModel.code, hint: say(.joinHint),
        error: viewModel.codeError.map { say(problem($0)) }, isRequired: true)
      SubmitButton(say(viewModel.isJoining ? .joining : .join))
    }
  }

  private func problem(_ error: AppError) -> LocalizedText {
    error == .validation(.missingRequiredFields) ? .enterCode : error.localizedMessage
  }
}

extension AnyfleetPages {
  func joinCharter(_ request: Request) async throws -> Response {
    try await tabs.open(request) { joinPage }
  }

  /// Takes part by a code, and goes to the charter once it is here.
  func enterCode(_ request: Request) async throws -> Response {
    let code = try request.form["code"] ?? ""
    return try await tabs.act(request, at: Address.joinCharter) {
      joinPage
    } action: { page in
      page.viewModel.code = code
      if let id = await page.viewModel.join() { return .go(to: Address.charter(id)) }
      return page.viewModel.isLate ? .drafted : .invalid
    }
  }

  @MainActor private var joinPage: JoinCharterPage {
    JoinCharterPage(shell: shell, viewModel: dependencies.makeJoinCharter())
  }
}

/// The way to join, beside others.
struct JoinLink: Component {
  private let title: String

  init(_ say: Speaker) { title = say(.joinByCode) }

  var html: HTML { a(.class("button", "plain"), .href(Address.joinCharter)) { title } }
}
