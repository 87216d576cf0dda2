import OffshorePresentation
import OffshoreSync
import OffshoreWeb

/// The collapsed form that removes everything of the user from this device, and signs it out.
///
/// It needs two steps, opening and a tick, with and without the script.
@MainActor
struct ErasureView: Component {
  private let model: AccountModel
  private let say: Localizer
  private let account: LinkedAccount

  init(model: AccountModel, say: Localizer, _ account: LinkedAccount) {
    (self.model, self.say, self.account) = (model, say, account)
  }

  var html: HTML {
    let error = model.errors[.erasureConfirmation].map { _ in say(.erasureConfirmationMissing) }
    details(.id("erase"), .class("section"), .open(error != nil)) {
      summary { h2 { say(.eraseDevice) } }
      p { say(.erasureExplained) }
      if model.unsentCount > 0 { p(.id("erase-unsent")) { say(.unsentAreLost(model.unsentCount)) } }
      PostForm(to: SystemRoute.account.address, id: "erasure", isRepeatable: false) {
        CheckField(
          say(.eraseAllOf(account.name)), name: "confirmed", isOn: false, error: error,
          id: "erasure-confirmed")
        SubmitButton(say(.eraseDevice), style: .destructive, action: "erase")
      }
    }
  }
}
