import OffshorePresentation
import OffshoreSync
import OffshoreWeb

/// The account that this device is signed in to, with forms for its password and for signing out.
@MainActor
struct SignedInView: Component {
  private let model: AccountModel
  private let say: Speaker
  private let account: LinkedAccount
  private let isPasswordChanged: Bool

  init(
    model: AccountModel, say: Speaker, _ account: LinkedAccount, isPasswordChanged: Bool
  ) {
    self.model = model
    self.say = say
    self.account = account
    self.isPasswordChanged = isPasswordChanged
  }

  var html: HTML {
    if isPasswordChanged { p(.class("notices"), .role(.status)) { say(.passwordChanged) } }
    Card(id: "account-card") {
      div(.class("row")) {
        span(.class("label"), .id("account-name")) { account.name }
        Badge(say(.signedIn), tone: .good)
      }
      LinkRow(say(.sync), to: SystemRoute.sync.address, id: "account-sync")
    }
    h2 { say(.changePassword) }
    passwordForm
    h2 { say(.signOut) }
    p(.class("hint")) { say(.signOutExplained) }
    PostForm(to: SystemRoute.account.address, id: "sign-out") {
      SubmitButton(say(.signOut), style: .plain, action: "sign-out")
    }
  }

  private var passwordForm: PostForm {
    PostForm(to: SystemRoute.account.address, id: "change-password", isRepeatable: false) {
      Field(
        say(.currentPassword), name: "password", value: "", kind: .input(.password),
        error: model.message(.password, say), isRequired: true,
        autocomplete: PasswordPurpose.current.rawValue)
      Field(
        say(.newPassword), name: "newPassword", value: "", kind: .input(.password),
        hint: say(.passwordHint), error: model.message(.newPassword, say), isRequired: true,
        autocomplete: PasswordPurpose.new.rawValue)
      SubmitButton(say(.changePassword), style: .plain, action: "change-password")
    }
  }
}
