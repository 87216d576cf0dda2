import Foundation
import Offshore
import OffshoreHTTP
import OffshorePresentation
import OffshoreServer
import OffshoreSync
import Synchronization

@testable import Anyfleet

/// A real server on this machine, and apps that sync with it.
@MainActor
final class SyncedFleet {
  let log: SQLiteChangeLog
  private let server: HTTPServer
  private let port: UInt16
  private let traffic = Traffic()

  /// - Parameter opensSignUp: whether anybody can make an account.
  init(opensSignUp: Bool = true) async throws {
    log = try .inMemory(epoch: 7)
    var configuration = ServerConfiguration()
    configuration.opensSignUp = opensSignUp
    let sync = SyncServer(
      log: log, rules: try PushRules(AppSchema.make().manifest),
      hasher: PasswordHasher(cost: .least), configuration: configuration,
      clock: { Int64(Date().timeIntervalSince1970 * 1_000) })
    var router = sync.router
    router.middleware.insert(traffic.middleware, at: 0)
    server = HTTPServer(HTTPServer.Configuration(), router: router)
    port = try server.start()
  }

  var url: URL { URL(string: "http://127.0.0.1:\(port)") ?? URL(filePath: "/") }

  /// How many requests have come.
  var requestCount: Int { traffic.count }

  /// Has the server fail at every request, or answer again.
  func setFailing(_ isFailing: Bool) { traffic.isFailing = isFailing }

  /// Has the server answer no request before a gate is open.
  func setWaiting(for gate: Gate) { traffic.gate = gate }

  /// An app that has just been started for the first time.
  func makeApp(
    _ change: (inout AppDependencies.Environment) -> Void = { _ in }
  ) async throws -> AppDependencies {
    let url = url
    return try await .makeForTesting {
      $0.server = url
      change(&$0)
    }
  }

  /// An app that is signed in: the first of a name signs up.
  func makeApp(
    of name: String, _ change: (inout AppDependencies.Environment) -> Void = { _ in }
  ) async throws -> AppDependencies {
    let app = try await makeApp(change)
    do {
      try await app.session.signUp(name: name, password: "correct horse")
    } catch AppError.auth(.nameTaken) {
      try await app.session.signIn(name: name, password: "correct horse")
    }
    await app.sync.start()
    return app
  }

  /// Ends the apps and the server.
  func end(_ apps: AppDependencies...) async {
    for app in apps { await app.sync.stop() }
    await server.stop()
  }
}

/// Counts the requests of a server, and answers in its place while it is to fail.
private final class Traffic: Sendable {
  private let state = Mutex((count: 0, isFailing: false, gate: Gate?.none))

  var count: Int { state.withLock(\.count) }
  var isFailing: Bool {
    get { state.withLock(\.isFailing) }
    set { state.withLock { $0.isFailing = newValue } }
  }

  var gate: Gate? {
    get { state.withLock(\.gate) }
    set { state.withLock { $0.gate = newValue } }
  }

  var middleware: Middleware {
    Middleware { [self] request, next in
      state.withLock { $0.count += 1 }
      await gate?.pass()
      return isFailing ? Response(.internalServerError) : try await next(request)
    }
  }
}

extension AppDependencies {
  var local: LocalRepository { LocalRepository(database: database) }

  /// Waits until the server has all that was changed here.
  func waitUntilSent() async throws {
    let values = database.database.values { [replica = database.replica] in
      try replica.status($0)
    }
    for try await status in values where status.pending == 0 { return }
  }

  /// Waits until a charter has come, or has changed to what is waited for.
  func waitForCharter(
    _ id: UUID, _ isMet: (CharterModel) -> Bool = { _ in true }
  ) async throws -> CharterModel? {
    for try await charter in local.charter(id: id) {
      if let charter, isMet(charter) { return charter }
    }
    return nil
  }

  /// Waits until the progress of a checklist meets a condition.
  func waitForState(
    _ checklistID: UUID, _ charterID: UUID, _ isMet: (ChecklistExecutionState) -> Bool
  ) async throws -> ChecklistExecutionState? {
    for try await state in local.executionStates(checklistID: checklistID, charterID: charterID) {
      if let state, isMet(state) { return state }
    }
    return nil
  }
}
