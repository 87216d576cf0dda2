import OffshorePresentation
import Testing

@testable import OffshoreHost

struct PhoneStatusTests {
  @Test(
    arguments: [
      (.synced, PhoneStatus(isOnline: true)), (.syncing, PhoneStatus(isOnline: true)),
      (.connecting, PhoneStatus(isOnline: true)),
      (.pending(2), PhoneStatus(isOnline: true, pending: 2)),
      (.refused(1), PhoneStatus(isOnline: true)), (.offline(3), PhoneStatus(pending: 3)),
      (.failed(1), PhoneStatus(pending: 1)),
      (.notSynced, PhoneStatus(blocker: .signedOut)),
      (.signInAgain, PhoneStatus(blocker: .signInAgain)),
      (.updateApp, PhoneStatus(blocker: .updateApp)),
    ] as [(SyncIndicator, PhoneStatus)])
  func `The dock shows the same status of a phone as its own pages`(
    _ indicator: SyncIndicator, _ status: PhoneStatus
  ) {
    #expect(PhoneStatus(isAirplane: false, showing: indicator) == status)
  }

  @Test func `The status of a phone is the sum over its apps`() {
    let apps = [
      PhoneStatus(isOnline: true, pending: 2), PhoneStatus(isAirplane: true, pending: 3),
    ]
    #expect(PhoneStatus(of: apps) == PhoneStatus(pending: 5))
    let signedOut = PhoneStatus(account: "ada", blocker: .signedOut)
    #expect(
      PhoneStatus(of: [apps[0], signedOut])
        == PhoneStatus(pending: 2, account: "ada", blocker: .signedOut))
    #expect(PhoneStatus(of: [apps[0], apps[0]]) == PhoneStatus(isOnline: true, pending: 4))
    #expect(PhoneStatus(of: [apps[1], apps[1]]) == PhoneStatus(isAirplane: true, pending: 6))
    #expect(PhoneStatus(of: []) == PhoneStatus())
  }
}
