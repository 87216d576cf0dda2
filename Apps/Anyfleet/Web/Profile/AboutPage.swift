import Anyfleet
import OffshoreHTTP
import OffshorePresentation
import OffshoreWeb

/// What the app is, its version and licence, and where the data is.
struct AboutPage: LivePage {
  let shell: Shell
  let viewModel: SettingsViewModel

  func page(_ tab: Tab) -> Page {
    let say = shell.say
    return shell.page(
      tab, say(.about), in: .profile, back: PageLink(say(.profile), to: Address.profile)
    ) {
      p { say(.whatItIs) }
      p { say(.whereDataStays) }
      DataFactsView(viewModel: viewModel, say: say)
      h2 { say(.licence) }
      p { say(.licenceText) }
    }
  }
}

extension AnyfleetPages {
  func about(_ request: Request) async throws -> Response {
    try await tabs.open(request) {
      AboutPage(shell: shell, viewModel: dependencies.makeSettings())
    }
  }
}
