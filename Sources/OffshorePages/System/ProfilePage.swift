import OffshorePresentation
import OffshoreSync
import OffshoreWeb

/// The page of the user, with links to the account, syncing and settings.
struct ProfilePage: RoutedPage {
  private let frame: AppFrame
  private let account: AccountModel

  init(_ frame: AppFrame) {
    self.frame = frame
    account = AccountModel(frame.sync)
  }

  private var say: Localizer { frame.say }

  func page(_ tab: Tab) -> Page {
    frame.page(tab, say(.profile), in: .profile, subtitle: say(user)) {
      // The region contains the whole card, because the frame draws the lines between its rows.
      tab.region("profile-rows") { rows }
    }
  }

  private var rows: Card {
    Card(label: say(.profile), id: "profile-list") {
      for row in frame.profileRows {
        LinkRow(say(row.title), to: row.address, leading: row.icon.html)
      }
      LinkRow(
        say(.account), to: SystemRoute.account.address,
        text: account.account?.name ?? say(account.hasServer ? .accountInvitation : .noServer),
        id: "profile-account")
      LinkRow(
        say(.sync), to: SystemRoute.sync.address, text: say(frame.sync.indicator.text),
        id: "profile-sync")
      LinkRow(
        say(.settings), to: SystemRoute.settings.address, text: frame.language.language.name,
        id: "profile-settings")
      LinkRow(say(.openALink), to: SystemRoute.open.address, id: "profile-open")
      LinkRow(say(.about(frame.name)), to: SystemRoute.about.address, id: "profile-about")
    }
  }

  private var user: LocalizedText {
    guard let account = account.account else { return .usedOnThisDevice(frame.name) }
    return self.account.isSignedIn ? .signedInAs(account.name) : .signedOutOf(account.name)
  }
}

extension LocalizedText {
  static let profile = LocalizedText(en: "Profile", ru: "Профиль")

  static func usedOnThisDevice(_ app: LocalizedText) -> LocalizedText {
    LocalizedText(
      en: "You use \(app) on this device, without an account.",
      ru: "Вы пользуетесь приложением \(app) на этом устройстве, без учётной записи.")
  }
}
