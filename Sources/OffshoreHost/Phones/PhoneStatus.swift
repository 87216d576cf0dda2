import OffshorePresentation

/// The state of a phone's syncing.
package struct PhoneStatus: Codable, Equatable, Sendable {
  /// Whether airplane mode is on.
  package var isAirplane = false
  /// Whether the server is reached.
  package var isOnline = false
  /// The number of pending changes, as the phone's own pages show it.
  package var pending = 0
  /// The name of the account that the phone's data belongs to, whether the phone is signed in or not.
  package var account: String?
  /// The reason why the phone syncs nothing until its user acts, if there is one.
  package var hindrance: Hindrance?

  /// A reason why a phone syncs nothing.
  package enum Hindrance: String, Codable, Sendable {
    case signedOut, signInAgain, updateApp
  }

  /// Describes a phone; unless stated, one that has reported nothing.
  package init(
    isAirplane: Bool = false, isOnline: Bool = false, pending: Int = 0, account: String? = nil,
    hindrance: Hindrance? = nil
  ) {
    self.isAirplane = isAirplane
    self.isOnline = isOnline
    self.pending = pending
    self.account = account
    self.hindrance = hindrance
  }
}

extension PhoneStatus {
  /// Makes the status of one app, as its own pages show it: without states that pass at once.
  init(isAirplane: Bool, account: String? = nil, showing indicator: SyncIndicator) {
    self.init(isAirplane: isAirplane, account: account)
    switch indicator {
    case .synced, .syncing, .connecting, .refused: isOnline = true
    case .pending(let count): (isOnline, pending) = (true, count)
    case .offline(let count), .failed(let count), .airplane(let count): pending = count
    case .notSynced: hindrance = .signedOut
    case .signInAgain: hindrance = .signInAgain
    case .updateApp: hindrance = .updateApp
    }
  }

  /// Makes the status of a phone: it is online, or in airplane mode, if all its apps are.
  init(of apps: [PhoneStatus]) {
    self.init()
    isAirplane = !apps.isEmpty && apps.allSatisfy(\.isAirplane)
    isOnline = !apps.isEmpty && apps.allSatisfy(\.isOnline)
    pending = apps.map(\.pending).reduce(0, +)
    account = apps.compactMap(\.account).first
    hindrance = apps.compactMap(\.hindrance).first
  }
}
