import Anyfleet
import OffshoreHTTP
import OffshorePresentation
import OffshoreSync
import OffshoreWeb

/// Who uses the app, and what can be set.
struct ProfilePage: LivePage {
  let shell: Shell
  let account: AccountModel

  func page(_ tab: Tab) -> Page {
    let say = shell.say
    return shell.page(tab, say(.profile), in: .profile, subtitle: say(user)) {
      // What is around the rows as well, since a line between two is the frame's.
      tab.region("profile-rows") { rows }
    }
  }

  private var rows: Card {
    let say = shell.say
    return Card(label: say(.profile), id: "profile-list") {
      LinkRow(
        say(.account), to: Address.account,
        text: account.account?.name ?? say(account.hasServer ? .accountInvitation : .noServer),
        id: "profile-account")
      LinkRow(
        say(.sync), to: Address.sync, text: say(shell.sync.indicator.text), id: "profile-sync")
      LinkRow(
        say(.settings), to: Address.settings, text: shell.language.language.name,
        id: "profile-settings")
      LinkRow(say(.openALink), to: Address.open, id: "profile-open")
      LinkRow(say(.about), to: Address.about, id: "profile-about")
    }
  }

  private var user: LocalizedText {
    guard let account = account.account else { return .usedOnThisDevice }
    return self.account.isSignedIn ? .signedInAs(account.name) : .signedOutOf(account.name)
  }
}

extension AnyfleetPages {
  func profile(_ request: Request) async throws -> Response {
    try await tabs.open(request) {
      ProfilePage(shell: shell, account: dependencies.makeAccount())
    }
  }
}
