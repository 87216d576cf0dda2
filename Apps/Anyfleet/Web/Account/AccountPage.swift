import Anyfleet
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import OffshoreSync
import OffshoreWeb

/// Who uses the app: signing up, in and out.
struct AccountPage: LivePage {
  let shell: Shell
  let viewModel: AccountModel
  /// Whether the form is that of a new account.
  var isNew = false
  /// Whether the password has just been changed.
  var isPasswordChanged = false

  private var say: Speaker { shell.say }

  func page(_ tab: Tab) -> Page {
    shell.page(
      tab, say(.account), in: .profile, back: PageLink(say(.profile), to: Address.profile)
    ) {
      tab.region("account") {
        if let failure = viewModel.failure { ErrorView(failure, say) }
        content
      }
    }
  }

  @HTMLBuilder private var content: HTML {
    if let account = viewModel.account, viewModel.isSignedIn, !viewModel.isExpired {
      SignedInView(viewModel: viewModel, say: say, account, isPasswordChanged: isPasswordChanged)
    } else if !viewModel.hasServer {
      noServer
    } else if let account = viewModel.account {
      signingInAgain(account)
    } else {
      choice
      p(.class("hint")) { say(.signInExplained) }
      if isNew { signUpForm } else { signInForm }
    }
  }

  private var noServer: HTML {
    div(.class("state")) {
      Icon("cloud-slash", text: "☁")
      h2 { say(.noServer) }
      p { say(.noServerExplained) }
      p { code { "offshore-apps --server URL" } }
    }
  }

  // MARK: - Forms

  private var choice: HTML {
    nav(.class("filters"), .ariaLabel(say(.account))) {
      a(.href(Address.account), isNew ? .none : .ariaCurrent(.page)) { say(.signIn) }
      a(.href(Address.newAccount), isNew ? .ariaCurrent(.page) : .none) { say(.newAccount) }
    }
  }

  private var signInForm: PostForm {
    PostForm(to: "\(Address.account)/sign-in", id: "sign-in") {
      nameField()
      passwordField(.current)
      SubmitButton(say(.signIn))
    }
  }

  private var signUpForm: PostForm {
    PostForm(to: "\(Address.account)/sign-up", id: "sign-up") {
      nameField(hint: say(.accountNameHint))
      passwordField(.new)
      SubmitButton(say(.createAccount))
    }
  }

  /// The device's data belongs to one account, so nothing but the password is asked for.
  @HTMLBuilder private func signingInAgain(_ account: LinkedAccount) -> HTML {
    p { say(viewModel.isExpired ? .expiredFor(account.name) : .belongsTo(account.name)) }
    if let server = viewModel.formerServer { p(.id("former-server")) { say(.signedInTo(server)) } }
    PostForm(to: "\(Address.account)/sign-in", id: "sign-in") {
      HiddenValue("name", account.name)
      passwordField(.current)
      div(.class("buttons")) {
        SubmitButton(say(.signIn))
        a(.class("button", "plain"), .href(Address.home)) { say(.continueHere) }
      }
    }
  }

  private func nameField(hint: String? = nil) -> Field {
    Field(
      say(.accountName), name: "name", value: viewModel.name, hint: hint,
      error: viewModel.message(.name, say), isRequired: true, autocomplete: "username")
  }

  /// A password is never sent back, whatever was wrong with it.
  private func passwordField(_ purpose: PasswordPurpose) -> Field {
    Field(
      say(.password), name: "password", value: "", kind: .input(.password),
      hint: purpose == .new ? say(.passwordHint) : nil,
      error: viewModel.message(.password, say), isRequired: true, autocomplete: purpose.rawValue)
  }
}

/// What a browser may fill into a field for a password.
enum PasswordPurpose: String {
  case current = "current-password"
  case new = "new-password"
}

extension AccountModel {
  /// What is wrong with a field.
  func message(_ field: Field, _ say: Speaker) -> String? {
    errors[field].map { error in
      if case .validation(.outOfRange) = error { return say(.nameImpossible) }
      return say(error.localizedMessage)
    }
  }
}
