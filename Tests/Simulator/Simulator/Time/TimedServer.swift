import Foundation
import OffshoreHTTP
import OffshoreServer
import OffshoreSync
import OffshoreWire
import ServerSupport
import Synchronization

/// The product's server without sockets: its routes and its hub, over a log in memory.
final class TimedServer {
  /// Whether the server can be reached.
  var isUp = true
  /// Whether it ends an account's streams when its grants change, as former servers do.
  let endsStreams: Bool
  let accounts: [AccountID]
  private let storage: MemoryStorage
  private let clock = ServerClock()
  private let hub = HintHub()
  private let router: Router

  /// Starts a server with accounts.
  init(_ accounts: [AccountID], endsStreams: Bool, epoch: UInt64) async throws {
    self.accounts = accounts
    self.endsStreams = endsStreams
    storage = MemoryStorage(epoch: epoch)
    router =
      SyncServer(
        storage: storage, rules: try PushRules(ListApp.shared.get().schema.manifest), hub: hub,
        clock: { [clock] in clock.now }, makeSecret: { [clock] in clock.nextSecret() }
      ).router
    try await storage.write { log in
      for (place, id) in accounts.enumerated() {
        try log.setAccount(
          Account(
            id: id, name: try AccountName("account-\(place)"),
            password: .none, created: 0))
        try log.addToken(
          AccessToken(
            hash: Self.token(place).hash, account: id, label: "", created: 0, expires: .max))
      }
    }
  }

  /// Returns the access token of the account at a place.
  static func token(_ place: Int) -> Secret {
    Secret(bytes: Array(repeating: UInt8(truncatingIfNeeded: place), count: Secret.byteCount))
  }

  /// Ends all streams. The log, which is the server's whole state, remains for the next start.
  func stop() { for account in accounts { hub.closeStreams(of: account) } }

  /// Returns the server's data.
  var state: MemoryState { storage.state }

  /// Answers a request at a given time.
  func respond(to request: Request, at now: Int64) async throws -> Response {
    let before = state
    clock.now = now
    let response = await router.respond(to: request)
    guard endsStreams else { return response }
    let after = state
    for account in accounts
    where before.grants(of: account, after: 0) != after.grants(of: account, after: 0) {
      hub.closeStreams(of: account)
    }
    return response
  }
}

/// The server's clock, and its source of secrets.
private final class ServerClock: Sendable {
  private let state = Mutex<(now: Int64, secrets: UInt8)>((0, 100))

  var now: Int64 {
    get { state.withLock { $0.now } }
    set { state.withLock { $0.now = newValue } }
  }

  /// Returns a secret that differs from the last 255.
  func nextSecret() -> Secret {
    let byte = state.withLock { state in
      state.secrets &+= 1
      return state.secrets
    }
    return Secret(bytes: [byte] + Array(repeating: UInt8.max, count: Secret.byteCount - 1))
  }
}
