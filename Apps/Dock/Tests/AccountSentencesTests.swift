import OffshoreHost
import OffshorePresentation
import Testing

@testable import offshore_apps

struct AccountSentencesTests {
  private func text(_ first: PhoneStatus, _ second: PhoneStatus) -> String {
    LocalizedText.accounts(of: [(1, first), (2, second)], password: "two boats").in(.english)
  }

  private func status(_ account: String?, isSignedOut: Bool = false) -> PhoneStatus {
    var status = PhoneStatus()
    status.account = account
    status.blocker = isSignedOut ? .signedOut : nil
    return status
  }

  @Test func `The page names the account of each phone and the password of both`() {
    #expect(
      text(status("skipper"), status("crew"))
        == "Phone 1 is signed in as skipper. Phone 2 is signed in as crew. "
        + "The password of both is “two boats”.")
  }

  @Test func `The page says if both phones of an earlier version share an account`() {
    #expect(
      text(status("skipper"), status("skipper"))
        == "Both phones are signed in as skipper. The password of skipper is “two boats”.")
  }

  @Test func `The page follows a phone that signs out`() {
    #expect(
      text(status("skipper"), status("skipper", isSignedOut: true))
        == "Phone 1 is signed in as skipper. Phone 2 is signed out of skipper. "
        + "The password of skipper is “two boats”.")
  }

  @Test func `The page gives no password of accounts that the dock did not make`() {
    #expect(
      text(status("ada"), status(nil, isSignedOut: true))
        == "Phone 1 is signed in as ada. Phone 2 has no account.")
  }
}
