import OffshorePresentation
import OffshoreSync
import OffshoreWeb

/// The collapsed form that deletes the account, with an explanation of the consequences.
///
/// It needs two steps, the password and a tick, with and without the script.
@MainActor
struct AccountDeletionView: Component {
  private let model: AccountModel
  private let say: Localizer
  private let account: LinkedAccount

  init(model: AccountModel, say: Localizer, _ account: LinkedAccount) {
    (self.model, self.say, self.account) = (model, say, account)
  }

  var html: HTML {
    details(.id("delete-account"), .class("section"), .open(isOpen)) {
      summary { h2 { say(.deleteAccount) } }
      p { say(.deletionExplained) }
      p { say(.sharedStays) }
      p { say(.dataStaysHere) }
      deletionForm
    }
  }

  /// Whether the form shows an error.
  private var isOpen: Bool {
    model.errors[.deletionPassword] != nil || model.errors[.confirmation] != nil
  }

  private var deletionForm: PostForm {
    PostForm(to: SystemRoute.account.address, id: "deletion", isRepeatable: false) {
      Field(
        say(.password), name: "password", value: "", kind: .input(.password),
        error: model.message(.deletionPassword, say), isRequired: true,
        autocomplete: PasswordPurpose.current.rawValue, id: "deletion-password")
      CheckField(
        say(.deleteForGood(account.name)), name: "confirmed", isOn: false,
        error: model.errors[.confirmation].map { _ in say(.confirmationMissing) })
      SubmitButton(say(.deleteAccount), style: .destructive, action: "delete-account")
    }
  }
}

/// The account of this device after its deletion.
@MainActor
struct DeletedAccountView: Component {
  private let account: LinkedAccount
  private let say: Localizer

  init(_ account: LinkedAccount, _ say: Localizer) {
    (self.account, self.say) = (account, say)
  }

  var html: HTML {
    p(.class("notices"), .id("account-deleted"), .role(.status)) {
      say(.accountDeleted(account.name))
    }
    p { say(.dataStaysHere) }
    div(.class("buttons")) {
      a(.class("button", "plain"), .href("/")) { say(.continueHere) }
    }
  }
}
