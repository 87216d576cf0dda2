import Foundation
import OffshoreHTTP
import OffshorePresentation
import OffshoreServer
import OffshoreSync
import Synchronization

/// A real server on this machine, whose answers a test can hold back or replace by failures.
@MainActor
final class LoopbackServer {
  private let server: HTTPServer
  private let port: UInt16
  private let traffic = Traffic()

  /// - Parameter opensSignUp: whether accounts can be made over the network.
  init(opensSignUp: Bool = true) async throws {
    var configuration = ServerConfiguration()
    configuration.opensSignUp = opensSignUp
    let sync = SyncServer(
      log: try SQLiteChangeLog.inMemory(epoch: 7), rules: try PushRules(Journey.schema.manifest),
      hasher: PasswordHasher(cost: .least), configuration: configuration,
      clock: { Int64(Date().timeIntervalSince1970 * 1_000) })
    var router = sync.router
    router.middleware.insert(traffic.middleware, at: 0)
    server = HTTPServer(HTTPServer.Configuration(), router: router)
    port = try server.start()
  }

  var url: URL { URL(string: "http://127.0.0.1:\(port)") ?? URL(filePath: "/") }

  /// The number of requests so far.
  var requestCount: Int { traffic.state.withLock(\.count) }

  /// Whether every request fails.
  var isFailing: Bool {
    get { traffic.state.withLock(\.isFailing) }
    set { traffic.state.withLock { $0.isFailing = newValue } }
  }

  /// Holds all requests back while it is closed.
  var gate: Gate { traffic.gate }

  func stop() async { await server.stop() }

  // MARK: - Devices

  /// A device that was just started for the first time.
  func device(
    log: Log = Log(), seeds: SyncService.Seeds? = nil,
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) async throws -> SyncService {
    try await Journey.open(log: log).sync(with: url, seeds: seeds, sleep: sleep)
  }

  /// A device that is signed in: the first of a name signs up.
  func device(
    of name: String, log: Log = Log(), seeds: SyncService.Seeds? = nil
  ) async throws -> SyncService {
    let sync = try await device(log: log, seeds: seeds)
    do {
      try await sync.signUp(name: name, password: "correct horse")
    } catch AppError.auth(.nameTaken) {
      try await sync.signIn(name: name, password: "correct horse")
    }
    return sync
  }

  /// Stops devices and the server.
  func end(_ devices: SyncService...) async {
    for device in devices { await device.stop() }
    await server.stop()
  }
}

/// Counts the requests of a server, and answers in its place while it is to fail.
private final class Traffic: Sendable {
  let state = Mutex((count: 0, isFailing: false))
  let gate: Gate

  @MainActor init() { gate = Gate() }

  var middleware: Middleware {
    Middleware { [self] request, next in
      state.withLock { $0.count += 1 }
      await gate.pass()
      return state.withLock(\.isFailing)
        ? Response(.internalServerError) : try await next(request)
    }
  }
}
