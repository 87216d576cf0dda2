import Anyfleet
import OffshoreHTTP
import OffshorePresentation
import OffshoreWeb

/// Who uses the app, and what can be set.
struct ProfilePage: LivePage {
  let shell: Shell

  func page(_ tab: Tab) -> Page {
    let say = shell.say
    return shell.page(say(.profile), in: .profile, subtitle: say(.usedOnThisDevice)) {
      Card(label: say(.profile), id: "profile-list") {
        LinkRow(
          say(.settings), to: Address.settings, text: shell.language.language.name,
          id: "profile-settings")
        LinkRow(say(.openALink), to: Address.open, id: "profile-open")
        LinkRow(say(.about), to: Address.about, id: "profile-about")
      }
    }
  }
}

extension AnyfleetPages {
  func profile(_ request: Request) async throws -> Response {
    try await tabs.open(request) { ProfilePage(shell: shell) }
  }
}
