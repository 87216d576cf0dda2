import Anyfleet
import AnyfleetWeb
import Foundation
import Offshore
import OffshoreHTTP
import OffshoreLogging
import OffshorePresentation
import OffshoreWeb

/// A device: the apps' data in a folder, and a server of their pages.
struct Host {
  /// Where a browser gets in, token included.
  var address: String { "http://127.0.0.1:\(port)" + token.address() }
  let dependencies: AppDependencies
  private let port: UInt16
  private let token: LaunchToken
  private let server: HTTPServer
  private let tabs = TabRegistry()
  private let database: Database

  /// Opens the data and starts to serve.
  ///
  /// - Parameter logger: gets what is done with the data.
  /// - Throws: ``HostError``, `DatabaseError`, `RepositoryError`, or `HTTPServerError`, each with what
  ///   to do.
  init(_ options: HostOptions, logger: AppLogger = .repository) async throws {
    let folder = try DataFolder(options.home)
    let dependencies = try await Self.dependencies(folder.path(of: .anyfleet), options, logger)
    database = await dependencies.database.database
    // Cookies ignore ports, so the name tells devices apart by whose they are.
    token = LaunchToken(
      device: await dependencies.session.userID.uuidString,
      secret: try LaunchSecret.kept(in: folder))
    var router = Router(
      middleware: Middleware.deviceSecurity(
        token: token, frameAncestors: options.dock.map { [$0] } ?? []),
      presentError: { error, request in
        await ErrorPage(language: dependencies.language.language).response(error, request)
      })
    router.addLivePages(tabs)
    router.addAnyfleet(dependencies, tabs: tabs)
    var configuration = HTTPServer.Configuration()
    configuration.port = options.port
    server = HTTPServer(configuration, router: router)
    port = try server.start()
    self.dependencies = dependencies
    await dependencies.sync.start()
  }

  /// Where a browser gets in, at a screen.
  func address(of route: AppRoute?) -> String {
    "http://127.0.0.1:\(port)" + token.address(route?.address ?? "/")
  }

  /// Finishes what was begun, lets open pages go, then closes the files.
  func stop() async {
    await server.stop()
    // NB: Before the files, whose end would be news to a page that it cannot read any more.
    await tabs.close()
    await dependencies.sync.stop()
    await database.close()
  }

  private static func dependencies(
    _ path: String, _ options: HostOptions, _ logger: AppLogger
  ) async throws -> AppDependencies {
    var environment = AppDependencies.Environment()
    environment.logger = logger
    environment.preferredLanguage = options.language
    environment.server = options.server
    do {
      return try await AppDependencies.live(path: path, environment: environment)
    } catch {
      throw HostError("“\(path)” cannot be used. \(explanation(of: error))")
    }
  }

  /// What an error says to people at a terminal.
  static func explanation(of error: any Error) -> String {
    switch error {
    case let error as HostError: error.description
    case let error as HTTPServerError where error.code == .addressInUse:
      "\(error.message) Say which by --port N."
    case let error as HTTPServerError: error.message
    case let error as DatabaseError: error.message
    case let error as RepositoryError: "\(error)"
    default: "\(error)"
    }
  }
}
