import OffshorePresentation

/// The state of a phone's syncing.
package struct PhoneStatus: Codable, Equatable, Sendable {
  /// Whether airplane mode is on.
  package var isAirplane = false
  /// Whether the server is reached.
  package var isOnline = false
  /// The number of pending changes, as the phone's own pages show it.
  package var pending = 0
}

extension PhoneStatus {
  /// Makes the status of one app, as its own pages show it: without states that pass at once.
  init(isAirplane: Bool, showing indicator: SyncIndicator) {
    self.init(isAirplane: isAirplane)
    switch indicator {
    case .synced, .syncing, .connecting, .refused: isOnline = true
    case .pending(let count): (isOnline, pending) = (true, count)
    case .offline(let count), .failed(let count), .airplane(let count): pending = count
    case .notSynced, .signInAgain, .updateApp: break
    }
  }

  /// Makes the status of a phone: it is online, or in airplane mode, if all its apps are.
  init(of apps: [PhoneStatus]) {
    isAirplane = !apps.isEmpty && apps.allSatisfy(\.isAirplane)
    isOnline = !apps.isEmpty && apps.allSatisfy(\.isOnline)
    pending = apps.map(\.pending).reduce(0, +)
  }
}
