import Foundation
import OffshoreHTTP
import OffshorePresentation
import OffshoreWeb
import OffshoreWire

/// The page on which the user becomes a member by the code of an invitation.
struct JoinPage: RoutedPage {
  private let frame: AppFrame
  private let kind: SharedKind
  private let model: JoinModel

  init(_ frame: AppFrame, _ kind: SharedKind) {
    self.frame = frame
    self.kind = kind
    model = JoinModel(kind.kind, frame.sync)
  }

  private var say: Speaker { frame.say }
  private var part: AppFrame.Part? { frame.parts.first { $0.id == kind.part } }

  func page(_ tab: Tab) -> Page {
    frame.page(
      tab, say(.joinByCode), in: kind.part,
      back: part.map { PageLink(say($0.title), to: $0.address) }
    ) {
      tab.region("join") { content }
    }
  }

  @HTMLBuilder private var content: HTML {
    if !model.hasServer {
      EmptyView(
        icon: Icon("phone", text: "☏"), title: say(.noServerTitle), text: say(kind.texts.noServer))
    } else if !model.isSignedIn {
      EmptyView(
        icon: Icon("people", text: "☺☺"), title: say(.signInToJoin),
        text: say(kind.texts.signInToJoin),
        action: .link(say(.signIn), to: SystemRoute.account.address))
    } else if let title = model.title, let address {
      EmptyView(
        icon: part?.icon ?? Icon("people", text: "☺☺"), title: title, text: say(kind.texts.arrived),
        action: .link(say(.show(title)), to: address))
    } else if model.isLate {
      LoadingView(say(kind.texts.late))
    } else {
      form
    }
  }

  @HTMLBuilder private var form: HTML {
    if let error = model.error { ErrorView(error, say) }
    PostForm(to: kind.join, id: "join-form") {
      Field(
        say(.invitationCode), name: "code", value: model.code, hint: say(kind.texts.joinHint),
        error: model.codeError.map { say(problem($0)) }, isRequired: true)
      SubmitButton(say(model.isJoining ? .joining : .join), action: "join")
    }
  }

  private func problem(_ error: AppError) -> LocalizedText {
    error == .validation(.missingRequiredFields) ? .enterCode : error.localizedMessage
  }

  /// The address of the thing that was joined.
  private var address: String? {
    model.scope.flatMap { UUID(uuidString: $0.value) }.map(kind.page)
  }

  /// Joins by a code, and goes to the thing once it is on this device.
  func perform(_ form: PageForm) async throws -> Outcome {
    guard form.action == "join" else { throw form.unknownAction }
    model.code = form.text("code")
    if await model.join() != nil, let address { return .go(to: address) }
    return model.isLate ? .drafted : .invalid
  }
}
