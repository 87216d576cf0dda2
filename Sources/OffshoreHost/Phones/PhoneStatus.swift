import Observation
import OffshorePresentation
import OffshoreSync

/// The state of a phone's syncing.
package struct PhoneStatus: Codable, Equatable, Sendable {
  /// Whether airplane mode is on.
  package var isAirplane = false
  /// Whether the server is reachable.
  package var isOnline = false
  /// The number of pending changes, as on the phone's own pages.
  package var pending = 0
  /// The name of the account that owns the phone's data, whether or not the phone is signed in.
  package var account: String?
  /// The reason why the phone cannot sync until its user acts, or `nil`.
  package var blocker: Blocker?

  /// A reason why a phone cannot sync.
  package enum Blocker: String, Codable, Sendable {
    case signedOut, signInAgain, updateApp
  }

  /// Creates a status; by default that of a phone without reports.
  package init(
    isAirplane: Bool = false, isOnline: Bool = false, pending: Int = 0, account: String? = nil,
    blocker: Blocker? = nil
  ) {
    self.isAirplane = isAirplane
    self.isOnline = isOnline
    self.pending = pending
    self.account = account
    self.blocker = blocker
  }
}

extension PhoneStatus {
  /// Creates the status of one app as shown on its own pages, without transient states.
  init(isAirplane: Bool, account: String? = nil, showing indicator: SyncIndicator) {
    self.init(isAirplane: isAirplane, account: account)
    switch indicator {
    case .synced, .syncing, .connecting, .refused: isOnline = true
    case .pending(let count), .waitingForGrant(let count): (isOnline, pending) = (true, count)
    case .offline(let count), .failed(let count), .airplane(let count): pending = count
    case .notSynced: blocker = .signedOut
    case .signInAgain: blocker = .signInAgain
    case .updateApp: blocker = .updateApp
    }
  }

  /// Creates the status of a phone. It is online, or in airplane mode, if all its apps are.
  init(of apps: [PhoneStatus]) {
    self.init()
    isAirplane = !apps.isEmpty && apps.allSatisfy(\.isAirplane)
    isOnline = !apps.isEmpty && apps.allSatisfy(\.isOnline)
    pending = apps.map(\.pending).reduce(0, +)
    account = apps.compactMap(\.account).first
    blocker = apps.compactMap(\.blocker).first
  }
}

/// A reporter of the state of a phone's syncing, at its start and after each change.
@MainActor
final class StatusReporter {
  private let host: DeviceHost
  private let send: (PhoneStatus) -> Void
  private var last: PhoneStatus?

  init(_ host: DeviceHost, send: @escaping (PhoneStatus) -> Void) {
    self.host = host
    self.send = send
  }

  func report() {
    let status = withObservationTracking {
      PhoneStatus(
        of: host.apps.map { app in
          PhoneStatus(
            isAirplane: app.sync.isAirplane, account: app.sync.session.account?.name,
            showing: app.sync.indicator)
        })
    } onChange: {
      Task { @MainActor in self.report() }
    }
    guard status != last else { return }
    last = status
    send(status)
  }
}
