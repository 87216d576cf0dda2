import OffshoreHTTP
import OffshorePresentation
import OffshoreSync
import OffshoreWeb

/// The page of the account, for signing up, in and out.
struct AccountPage: RoutedPage {
  private static let newAccount = "new"
  private static let passwordChanged = "password-changed"
  private static let deleted = "deleted"
  private static let erased = "erased"
  private static let next = "then"

  private let frame: AppFrame
  private let model: AccountModel
  private let devices: DevicesModel
  /// Whether the form creates an account.
  private let isNew: Bool
  /// Whether the password has just been changed.
  private let isPasswordChanged: Bool
  /// Whether the account has just been deleted.
  private let isDeleted: Bool
  /// Whether everything has just been removed from this device.
  private let isErased: Bool
  /// The address of the page to go to after signing in, if another page requested it.
  private let next: String?

  /// Returns the address of the page with another page to go to after signing in.
  static func address(then next: String) -> String {
    "\(SystemRoute.account.address)?\(([Self.next: next] as Fields).encoded)"
  }

  init(_ frame: AppFrame, _ query: Fields) {
    self.frame = frame
    model = AccountModel(frame.sync)
    devices = DevicesModel(frame.sync)
    isNew = query[Self.newAccount] == "true"
    isPasswordChanged = query[Self.passwordChanged] != nil
    isDeleted = query[Self.deleted] != nil
    isErased = query[Self.erased] != nil
    next = query[Self.next].flatMap { WebAddress.isOfApp($0) ? $0 : nil }
  }

  private var say: Localizer { frame.say }

  func load() async throws { await devices.load() }

  func run() async { await devices.observeChanges() }

  func page(_ tab: Tab) -> Page {
    frame.page(tab, say(.account), in: .profile, back: frame.backToProfile) {
      tab.region("account") {
        if let failure = model.failure { ErrorView(failure, say) }
        content
      }
    }
  }

  @HTMLBuilder private var content: HTML {
    if let account = model.account, model.isSignedIn, !model.isExpired {
      SignedInView(
        model: model, devices: devices, say: say, account, isPasswordChanged: isPasswordChanged)
    } else if !model.hasServer {
      noServer
    } else if let account = model.account, isDeleted {
      DeletedAccountView(account, say)
      ErasureView(model: model, say: say, account)
    } else if let account = model.account {
      if isNew { creatingAgain(account) } else { signingInAgain(account) }
      ErasureView(model: model, say: say, account)
    } else {
      if isErased { p(.class("notices"), .id("erased"), .role(.status)) { say(.deviceErased) } }
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
      p { code { frame.facts.serverCommand } }
    }
  }

  // MARK: - Forms

  /// Returns the address of one of the two forms, with the page to go to.
  private func address(isNew: Bool) -> String {
    var query: Fields = isNew ? [Self.newAccount: "true"] : [:]
    if let next { query.items += ([Self.next: next] as Fields).items }
    let address = SystemRoute.account.address
    return query.items.isEmpty ? address : "\(address)?\(query.encoded)"
  }

  private var choice: HTML {
    nav(.class("filters"), .ariaLabel(say(.account))) {
      a(.href(address(isNew: false)), isNew ? .none : .ariaCurrent(.page)) { say(.signIn) }
      a(.href(address(isNew: true)), isNew ? .ariaCurrent(.page) : .none) { say(.newAccount) }
    }
  }

  private var signInForm: PostForm {
    PostForm(to: address(isNew: false), id: "sign-in") {
      nameField()
      passwordField(.current)
      SubmitButton(say(.signIn), action: "sign-in")
    }
  }

  private var signUpForm: PostForm {
    PostForm(to: address(isNew: true), id: "sign-up", isRepeatable: false) {
      nameField(hint: say(.accountNameHint))
      passwordField(.new)
      SubmitButton(say(.createAccount), action: "sign-up")
    }
  }

  /// Returns the form that signs in again. It has no field for the name, because one account owns
  /// the rows on the device.
  @HTMLBuilder private func signingInAgain(_ account: LinkedAccount) -> HTML {
    p { say(model.isExpired ? .expiredFor(account.name) : .belongsTo(account.name)) }
    if let server = model.formerServer { p(.id("former-server")) { say(.signedInTo(server)) } }
    PostForm(to: address(isNew: false), id: "sign-in") {
      HiddenValue("name", account.name)
      passwordField(.current)
      div(.class("buttons")) {
        SubmitButton(say(.signIn), action: "sign-in")
        a(.class("button", "plain"), .href("/")) { say(.continueHere) }
      }
    }
    p(.class("hint")) { a(.href(address(isNew: true))) { say(.accountIsMissing) } }
  }

  /// Returns the form that creates the account of the device's rows on a server that lacks it.
  @HTMLBuilder private func creatingAgain(_ account: LinkedAccount) -> HTML {
    p { say(.createAgainExplained(account.name)) }
    PostForm(to: address(isNew: true), id: "sign-up", isRepeatable: false) {
      HiddenValue("name", account.name)
      passwordField(.new)
      div(.class("buttons")) {
        SubmitButton(say(.createAccount), action: "sign-up")
        a(.class("button", "plain"), .href(address(isNew: false))) { say(.signIn) }
      }
    }
  }

  private func nameField(hint: String? = nil) -> Field {
    Field(
      say(.accountName), name: "name", value: model.name, hint: hint,
      error: model.message(.name, say), isRequired: true, autocomplete: "username")
  }

  /// Returns a field for a password. The page never sends a password back, valid or not.
  private func passwordField(_ purpose: PasswordPurpose) -> Field {
    Field(
      say(.password), name: "password", value: "", kind: .input(.password),
      hint: purpose == .new ? say(.passwordHint) : nil,
      error: model.message(.password, say), isRequired: true, autocomplete: purpose.rawValue)
  }

  // MARK: - Requests by the user

  /// Signs up, in or out, changes the password, signs another device out, deletes the account, or erases
  /// the device.
  func perform(_ form: PageForm) async throws -> Outcome {
    let (name, password) = (form.text("name"), form.text("password"))
    let account = SystemRoute.account.address
    var address = next ?? account
    let isDone: Bool
    switch form.action {
    case "sign-up": isDone = await model.signUp(name: name, password: password)
    case "sign-in": isDone = await model.signIn(name: name, password: password)
    case "sign-out":
      isDone = await model.signOut(isConfirmed: form.text("confirmed") == "on")
      address = account
    case "change-password":
      address = "\(account)?\(Self.passwordChanged)=true"
      isDone = await model.changePassword(from: password, to: form.text("newPassword"))
    case "sign-out-device":
      return await devices.signOut(form.text("device")) ? .done : .invalid
    case "delete-account":
      address = "\(account)?\(Self.deleted)=true"
      isDone = await model.deleteAccount(
        password: password, isConfirmed: form.text("confirmed") == "on")
    case "erase":
      address = "\(account)?\(Self.erased)=true"
      isDone = await model.erase(isConfirmed: form.text("confirmed") == "on")
      if isDone { frame.discardMemory() }
    default: throw form.unknownAction
    }
    return isDone ? .go(to: address) : .invalid
  }
}

/// The kind of password that a browser may fill in.
enum PasswordPurpose: String {
  case current = "current-password"
  case new = "new-password"
}

/// The account that this device is signed in to, with its devices, and forms for its password, for
/// signing out and for deleting it.
@MainActor
struct SignedInView: Component {
  private let model: AccountModel
  private let devices: DevicesModel
  private let say: Localizer
  private let account: LinkedAccount
  private let isPasswordChanged: Bool

  init(
    model: AccountModel, devices: DevicesModel, say: Localizer, _ account: LinkedAccount,
    isPasswordChanged: Bool
  ) {
    self.model = model
    self.devices = devices
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
    DevicesView(model: devices, say: say)
    h2 { say(.changePassword) }
    passwordForm
    h2 { say(.signOut) }
    p(.class("hint")) { say(.signOutExplained) }
    signOutForm
    ErasureView(model: model, say: say, account)
    AccountDeletionView(model: model, say: say, account)
  }

  /// A form that signs out. It asks first if changes are not sent.
  private var signOutForm: PostForm {
    let error = model.errors[.signOutConfirmation].map { _ in say(.signOutConfirmationMissing) }
    return PostForm(to: SystemRoute.account.address, id: "sign-out") {
      if model.unsentCount > 0 {
        p(.id("sign-out-unsent")) { say(.unsentStay(model.unsentCount)) }
        CheckField(
          say(.signOutUnsent), name: "confirmed", isOn: false, error: error,
          id: "sign-out-confirmed")
      }
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
