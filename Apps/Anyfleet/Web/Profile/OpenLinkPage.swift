import Anyfleet
import OffshoreHTTP
import OffshorePresentation
import OffshoreWeb

/// Says what is wrong with a link into the app, and takes another one.
struct OpenLinkPage: LivePage {
  let shell: Shell
  let coordinator: AppCoordinator
  /// The link as it came.
  let link: String

  func page(_ tab: Tab) -> Page {
    let say = shell.say
    return shell.page(
      say(.openALink), in: .profile, back: PageLink(say(.profile), to: Address.profile)
    ) {
      // It only looks something up, so it is sent as part of the address.
      form(.method(.get), .action(Address.open), .id("open-form"), .novalidate()) {
        Field(
          say(.link), name: "link", value: link, kind: .input(.text), hint: say(.linkHint),
          error: coordinator.linkError.map { say(problem($0)) }, isRequired: true)
        SubmitButton(say(.openLink))
      }
    }
  }

  private func problem(_ error: AppError) -> LocalizedText {
    switch error {
    case .content(.unreadable): .linkUnreadable
    case .content(.notFound): .linkLeadsNowhere
    default: error.localizedMessage
    }
  }
}

extension AnyfleetPages {
  /// Goes where a link leads, or says what is wrong with it.
  func openLink(_ request: Request) async throws -> Response {
    let link = request.query["link"]
    let coordinator = await AppCoordinator()
    if let link, await coordinator.open(link) { return .redirect(to: await coordinator.page) }
    var response = try await tabs.open(request) {
      OpenLinkPage(shell: shell, coordinator: coordinator, link: link ?? "")
    }
    if link != nil { response.status = .notFound }
    return response
  }
}
