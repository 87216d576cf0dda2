import Anyfleet
import Foundation
import OffshoreHTTP
import OffshorePresentation
import OffshoreWeb

/// Says what is wrong with a link into the app, and takes another one.
struct OpenLinkPage: LivePage {
  let shell: Shell
  /// The link that somebody entered, where they did.
  let link: String?
  /// Why it leads nowhere.
  let error: AppError?

  func page(_ tab: Tab) -> Page {
    let say = shell.say
    return shell.page(
      tab, say(.openALink), in: .profile, back: PageLink(say(.profile), to: Address.profile)
    ) {
      // It only looks something up, so it is sent as part of the address.
      form(.method(.get), .action(Address.open), .id("open-form"), .novalidate()) {
        Field(
          say(.link), name: "link", value: link ?? "", kind: .input(.text), hint: say(.linkHint),
          error: error.map { say(problem($0)) }, isRequired: true)
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
    let link = request.query["link"]?.trimmingCharacters(in: .whitespacesAndNewlines)
    let coordinator = await AppCoordinator()
    if let link, leadsToAScreen(link), await coordinator.open(link) {
      return .redirect(to: await coordinator.page)
    }
    let error = await coordinator.linkError ?? link.map { _ in .content(.notFound) }
    var response = try await tabs.open(request) {
      OpenLinkPage(shell: shell, link: link, error: error)
    }
    if link != nil { response.status = .notFound }
    return response
  }

  /// Whether a link that somebody entered is worth following.
  ///
  /// A system hands over links of the web that belong to the app alone; here any may be pasted, so they
  /// count as foreign. One without a path just opens the app, which is open already.
  private func leadsToAScreen(_ link: String) -> Bool {
    let isOfTheWeb = ["http:", "https:"].contains { link.lowercased().hasPrefix($0) }
    guard !isOfTheWeb else { return false }
    guard let parts = try? DeepLink(link, scheme: AppCoordinator.scheme) else { return true }
    return !parts.path.isEmpty
  }
}
