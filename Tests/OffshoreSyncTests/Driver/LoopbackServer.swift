import Foundation
import OffshoreHTTP
import OffshoreServer
import OffshoreWire
import Synchronization

@testable import OffshoreSync

/// A real server on this machine, of which account 1 owns charter c1 and account 2 edits it.
final class LoopbackServer: Sendable {
  let log: SQLiteChangeLog
  let port: UInt16
  private let server: HTTPServer
  private let streams = StreamCount()
  /// The number of event streams that devices have asked for.
  var streamsBegun: Int { streams.count.withLock(\.self) }

  /// Starts a server, or another one on the log of one that has stopped.
  init(_ former: LoopbackServer? = nil) async throws {
    log = try former?.log ?? .inMemory(epoch: 7)
    let now: @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970 * 1_000) }
    let sync = SyncServer(
      log: log, rules: try PushRules(SyncSchema.fleet(claimableKinds: ["charter"]).manifest),
      clock: now)
    var configuration = HTTPServer.Configuration()
    configuration.port = former?.port ?? 0
    configuration.heartbeat = .milliseconds(200)
    var router = sync.router
    router.middleware.append(
      Middleware { [streams] request, next in
        if request.path == "/v1/events" { streams.count.withLock { $0 += 1 } }
        return try await next(request)
      })
    server = HTTPServer(configuration, router: router)
    port = try server.start()
    guard former == nil else { return }
    try await log.write { log in
      for (number, role) in [(1, Role.owner), (2, .editor)] {
        let account = AccountID(Ship.uuid(2, number))
        try log.setAccount(
          Account(
            id: account, name: AccountName("person-\(number)"),
            password: PasswordHash(stored: ""), created: 0))
        try log.addToken(
          AccessToken(
            hash: Self.secret(number).hash, account: account, label: "", created: 0,
            expires: .max))
        try log.grant(role, to: account, in: ScopeID(kind: "charter", value: "c1"))
      }
    }
  }

  var url: URL { URL(string: "http://127.0.0.1:\(port)") ?? URL(filePath: "/") }

  static func secret(_ number: Int) -> Secret {
    Secret(bytes: Array(repeating: UInt8(number), count: Secret.byteCount))
  }

  static func token(_ number: Int) -> String { secret(number).text }

  func stop() async { await server.stop() }
}

private final class StreamCount: Sendable {
  let count = Mutex(0)
}
