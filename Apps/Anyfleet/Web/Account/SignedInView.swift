import Anyfleet
import OffshorePresentation
import OffshoreSync
import OffshoreWeb

/// The account that this device is signed in to, with its password and the way out.
@MainActor
struct SignedInView: Component {
  private let viewModel: AccountModel
  private let say: Speaker
  private let account: LinkedAccount
  private let isPasswordChanged: Bool

  init(
    viewModel: AccountModel, say: Speaker, _ account: LinkedAccount, isPasswordChanged: Bool
  ) {
    self.viewModel = viewModel
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
      LinkRow(say(.sync), to: Address.sync, id: "account-sync")
    }
    h2 { say(.changePassword) }
    passwordForm
    h2 { say(.signOut) }
    p(.class("hint")) { say(.signOutExplained) }
    PostForm(to: "\(Address.account)/sign-out", id: "sign-out") {
      SubmitButton(say(.signOut), style: .plain)
    }
  }

  private var passwordForm: PostForm {
    PostForm(to: "\(Address.account)/password", id: "change-password") {
      Field(
        say(.currentPassword), name: "password", value: "", kind: .input(.password),
        error: viewModel.message(.password, say), isRequired: true,
        autocomplete: PasswordPurpose.current.rawValue)
      Field(
        say(.newPassword), name: "newPassword", value: "", kind: .input(.password),
        hint: say(.passwordHint), error: viewModel.message(.newPassword, say), isRequired: true,
        autocomplete: PasswordPurpose.new.rawValue)
      SubmitButton(say(.changePassword), style: .plain)
    }
  }
}
