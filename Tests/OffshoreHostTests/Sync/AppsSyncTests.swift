import Foundation
import Offshore
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import OffshoreServer
import OffshoreSync
import Testing

@testable import OffshoreHost

/// Devices of one app and of several, at one server of several apps.
@MainActor @Suite(.timeLimit(.minutes(1)))
struct AppsSyncTests {
  private let former = HomeFolder()
  private let current = HomeFolder()
  private let apps = [MemoApp.named("memos"), MemoApp.named("second")]
  private let server: HTTPServer
  private let url: URL

  init() throws {
    let servers = try apps.map { app in
      let sync = SyncServer(
        storage: try SQLiteStorage.temporary(epoch: 7),
        rules: try PushRules(app.schema.manifest), hasher: PasswordHasher(cost: .least))
      return (name: app.name, router: sync.router)
    }
    server = HTTPServer(responder: AppServers(servers))
    url = try #require(URL(string: "http://127.0.0.1:\(try server.start())"))
  }

  private func host(_ home: HomeFolder, _ apps: [HostedApp]) async throws -> DeviceHost {
    try await DeviceHost(home.options(server: url), apps, environment: .quiet)
  }

  private func write(_ text: String, in app: RunningApp) async throws {
    let memo = Memo(id: UUID(), ownerID: app.sync.session.userID, text: text)
    try await app.openApp.frame.store.write { try memo.insert($0) }
  }

  /// Waits until an app has the memos.
  private func arrival(of texts: [String], in app: RunningApp) async throws {
    for try await memos in app.openApp.frame.store.values(of: Memo.order { $0.text })
    where memos.map(\.text) == texts { return }
  }

  @Test func `A device of one app at the root syncs with the app below its name`() async throws {
    let one = try await host(former, [apps[0]])
    try await one.apps[0].sync.signUp(name: "ada", password: "correct horse")
    try await write("from the former", in: one.apps[0])
    let two = try await host(current, apps)
    try await two.apps[0].sync.signIn(name: "ada", password: "correct horse")
    #expect(two.apps[0].sync.session.account?.server == "\(url)/memos")
    try await arrival(of: ["from the former"], in: two.apps[0])
    try await write("from the current", in: two.apps[0])
    try await arrival(of: ["from the current", "from the former"], in: one.apps[0])
    await one.stop()

    // With a second app, the device stays with its account at the root.
    let both = try await host(former, apps)
    #expect(both.apps[0].sync.session.isSignedIn && !both.apps[1].sync.session.isSignedIn)
    #expect(both.apps[0].sync.session.account?.server == url.absoluteString)
    try await write("from both", in: both.apps[0])
    try await arrival(
      of: ["from both", "from the current", "from the former"], in: two.apps[0])
    await both.stop()
    await two.stop()
    await server.stop()
  }

  @Test func `Each app has accounts of its own`() async throws {
    let host = try await host(current, apps)
    try await host.apps[0].sync.signUp(name: "ada", password: "correct horse")
    await #expect(throws: AppError.auth(.invalidCredentials)) {
      try await host.apps[1].sync.signIn(name: "ada", password: "correct horse")
    }
    try await host.apps[1].sync.signUp(name: "ada", password: "battery staple")
    #expect(Set(host.apps.map(\.sync.session.userID)).count == 2)
    try await host.apps[0].sync.setAirplane(true)
    #expect(host.apps.map(\.sync.isAirplane) == [true, false])
    await host.stop()
    let again = try await self.host(current, apps)
    #expect(again.apps.map(\.sync.session.isSignedIn) == [true, true])
    #expect(again.apps.map(\.sync.isAirplane) == [true, false])
    await again.stop()
    await server.stop()
  }
}
