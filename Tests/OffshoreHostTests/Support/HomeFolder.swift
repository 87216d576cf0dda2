import Foundation
import OffshoreHTTP
import OffshoreLogging
import OffshorePresentation
import OffshoreWeb
import Synchronization

@testable import OffshoreHost

/// A folder that is removed with the object.
final class HomeFolder {
  let path = FileManager.default.temporaryDirectory
    .appending(path: "offshore-host-\(UUID().uuidString)").path(percentEncoded: false)

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func options(port: UInt16 = 0, server: URL? = nil) throws -> HostOptions {
    let arguments = server.map { ["--server", $0.absoluteString] } ?? []
    return try HostOptions(
      ["--home", path, "--port", "\(port)"] + arguments, environment: [:],
      of: HostProgram("memo-apps", apps: [MemoApp.named("memos")]))
  }

  /// A folder for the apps' files.
  func folder(_ apps: [HostedApp]) throws -> DataFolder {
    try DataFolder(path, for: Set(apps.map(\.fileName) + [LaunchSecret.fileName]))
  }
}

/// The apps of a device and their pages, without a socket.
@MainActor struct TestDevice {
  static let token = LaunchToken(
    device: "test", secret: "secret-of-the-test", session: "cookie-of-the-test")
  let apps: [RunningApp]
  let router: Router
  let tabs = TabRegistry(icons: Icons([:]))

  init(_ apps: [HostedApp], in home: HomeFolder, preferring language: Language = .english)
    async throws
  {
    let folder = try home.folder(apps)
    var running: [RunningApp] = []
    for app in apps {
      running.append(
        try await RunningApp(
          app, at: folder.path(of: app.fileName), preferring: language, tabs: tabs,
          environment: .quiet
        ) { _ in nil })
    }
    self.apps = running
    router = Router(of: running, tabs: tabs, token: Self.token, dock: nil)
  }

  /// Requests a path as a browser with a token.
  func get(_ path: String) async -> Response { await respond(.get, path) }

  /// Opens the stream of a tab.
  func stream(_ tab: String) async throws -> EventChannel {
    let response = await get("/live/\(tab)?after=0")
    guard case .events(let stream) = response.body else { throw HTTPError(response.status) }
    return stream
  }

  /// Posts a form.
  func post(_ path: String, _ fields: Fields, tab: String? = nil) async -> Response {
    await respond(.post, path, fields.encoded, tab: tab)
  }

  private func respond(
    _ method: Request.Method, _ path: String, _ form: String = "", tab: String? = nil
  ) async -> Response {
    var request = Request(method, path, body: Array(form.utf8))
    request.headers["Host"] = "127.0.0.1:8080"
    request.headers["Cookie"] = "offshore-test=cookie-of-the-test"
    if method == .post {
      request.headers["Sec-Fetch-Site"] = "same-origin"
      request.headers["Content-Type"] = "application/x-www-form-urlencoded"
    }
    if let tab { request.headers["Offshore-Tab"] = tab }
    return await router.respond(to: request)
  }

  func stop() async {
    await tabs.close()
    for app in apps { await app.stop() }
  }
}

extension AppDevice.Environment {
  /// The system's clock and ids, without logs.
  static var quiet: AppDevice.Environment {
    var environment = AppDevice.Environment()
    environment.logger = AppLogger(.repository, to: .none)
    environment.syncLogger = AppLogger(.sync, to: .none)
    return environment
  }
}

extension Response {
  /// The body as text.
  var text: String {
    guard case .bytes(let bytes) = body else { return "" }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The id of the tab that a page belongs to.
  var tab: String? { text.firstMatch(of: /data-tab="([^"]+)"/).map { String($0.1) } }
}
