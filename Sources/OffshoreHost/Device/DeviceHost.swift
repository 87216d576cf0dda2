import Foundation
import OffshoreHTTP
import OffshorePages
import OffshorePresentation
import OffshoreSync
import OffshoreWeb
import OffshoreWire

/// A device: the files of its apps in a folder, and a server for their pages.
@MainActor package struct DeviceHost {
  /// The address that a browser opens first, with the launch token.
  nonisolated package let address: String
  /// The apps, in the order of the list.
  package let apps: [RunningApp]
  private let origin: String
  private let token: LaunchToken
  private let server: HTTPServer
  private let tabs: TabRegistry

  /// Opens the files, and starts to serve.
  ///
  /// - Parameters:
  ///   - apps: the apps, in the order of the list.
  ///   - environment: the sources of time and ids, and the loggers of all apps.
  /// - Throws: ``HostError`` or `HTTPServerError`, each with a remedy in its message.
  /// - Precondition: no two apps have the same name.
  package init(
    _ options: HostOptions, _ apps: [HostedApp],
    environment: AppDevice.Environment = AppDevice.Environment()
  ) async throws {
    precondition(
      Set(apps.map(\.name)).count == apps.count, "Two apps have the same name. Rename one.")
    let folder = try DataFolder(
      options.home, for: Set(apps.map(\.fileName) + [LaunchSecret.fileName]))
    let secret = try LaunchSecret.loadOrCreate(in: folder)
    let tabs = TabRegistry()
    let running = try await Self.open(apps, in: folder, options, tabs, environment)
    do {
      // NB: Cookies ignore ports, and two devices may have the same user.
      token = LaunchToken(
        device: String(ContentHash(of: Array(secret.utf8)).description.prefix(16)), secret: secret)
      let router = Router(of: running, tabs: tabs, token: token, dock: options.dock)
      var configuration = HTTPServer.Configuration()
      configuration.port = options.port
      server = HTTPServer(configuration, router: router)
      origin = "http://127.0.0.1:\(try server.start())"
    } catch {
      for app in running { await app.stop() }
      throw error
    }
    address = origin + token.address()
    self.apps = running
    self.tabs = tabs
    for app in running { await app.sync.start() }
  }

  /// Returns the address of a page, with the launch token.
  package func address(of path: String) -> String { origin + token.address(path) }

  /// Completes the running requests, closes open pages, and then the files.
  package func stop() async {
    await server.stop()
    // NB: Pages are closed before the files; otherwise an open page would report that it cannot
    // read.
    await tabs.close()
    for app in apps { await app.stop() }
  }

  private static func open(
    _ apps: [HostedApp], in folder: DataFolder, _ options: HostOptions, _ tabs: TabRegistry,
    _ environment: AppDevice.Environment
  ) async throws -> [RunningApp] {
    var running: [RunningApp] = []
    do {
      for app in apps {
        running.append(
          try await RunningApp(
            app, at: folder.path(of: app.fileName), preferring: options.language, tabs: tabs,
            environment: environment
          ) { account in
            options.server.map { apps.count == 1 ? $0 : $0.address(of: app, for: account) }
          })
      }
    } catch {
      for app in running { await app.stop() }
      throw error
    }
    return running
  }
}

extension URL {
  /// Returns the address of one app on a server of several apps.
  ///
  /// - Parameter account: the account that owns the app's file. If it is an account of this address
  ///   itself, from a time when the device had a single app, the app retains the address.
  fileprivate func address(of app: HostedApp, for account: LinkedAccount?) -> URL {
    account.map(isServer) == true ? self : appending(path: app.name)
  }
}
