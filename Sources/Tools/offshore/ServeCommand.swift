import Foundation
import OffshoreHTTP
import OffshoreServer

/// The command that serves apps from their files, until a signal ends it.
struct ServeCommand {
  private let options: ServeOptions

  init(_ options: ServeOptions) { self.options = options }

  /// Starts the server, prints its address, and returns after a signal, once all accepted requests
  /// are completed.
  /// - Throws: ``ToolError``, `WireError`, `DatabaseError` or `HTTPServerError` if the server
  ///   cannot start.
  func run() async throws {
    let apps = try await open()
    do {
      try await serve(apps)
    } catch {
      for app in apps { await app.close() }
      throw error
    }
  }

  private func serve(_ apps: [ServedApp]) async throws {
    let server = server(apps, try configuration())
    let port = try server.start()
    let collections = apps.map { app in
      Task { [options] in await app.collect(olderThan: options.retention) }
    }
    await TerminationSignals.first(of: TerminationSignals.usual) {
      var address = options.listen
      address.port = port
      OffshoreTool.write(
        "Offshore serves at http\(options.tls == nil ? "" : "s")://\(address)\n",
        to: .standardOutput)
    }
    await server.stop()
    for collection in collections { collection.cancel() }
    for collection in collections { await collection.value }
    for app in apps { await app.close() }
    await RequestLog.standardError.finish()
  }

  private func server(
    _ apps: [ServedApp], _ configuration: HTTPServer.Configuration
  ) -> HTTPServer {
    let named = apps.compactMap { app in app.name.map { (name: $0, router: app.router) } }
    if named.isEmpty, let only = apps.first {
      return HTTPServer(configuration, router: only.router)
    }
    return HTTPServer(configuration, responder: AppServers(named))
  }

  private func open() async throws -> [ServedApp] {
    let (hasher, configuration) = (PasswordHasher(), try serverConfiguration())
    var apps: [ServedApp] = []
    do {
      for app in options.apps {
        apps.append(try await ServedApp(app, hasher: hasher, configuration: configuration))
      }
    } catch {
      for app in apps { await app.close() }
      throw error
    }
    return apps
  }

  private func serverConfiguration() throws -> ServerConfiguration {
    var configuration = ServerConfiguration()
    configuration.opensSignUp = options.opensSignUp
    configuration.trustedProxies = options.trustedProxies
    configuration.log = .standardError
    configuration.metricsToken = try options.metricsToken.map {
      try Self.text(of: $0, "--metrics-token").trimmingCharacters(in: .whitespacesAndNewlines)
    }
    return configuration
  }

  /// The most connections of a server, if the system allows them. Most of them are idle event
  /// streams.
  private static let mostConnections = 20_000
  /// The fewest connections a server starts with.
  private static let fewestConnections = 64
  /// The number of open files in addition to connections.
  private static let otherFiles = 256

  private func configuration() throws -> HTTPServer.Configuration {
    var configuration = HTTPServer.Configuration()
    configuration.address = options.listen.address
    configuration.port = options.listen.port
    configuration.maximumConnections = try Self.connections()
    // All connections through a proxy have the proxy's address.
    configuration.maximumConnectionsPerAddress = options.trustedProxies.isEmpty ? 1_000 : 0
    configuration.tls = try options.tls.map { files in
      try HTTPServer.TLS(
        certificates: Self.text(of: files.certificate, "--tls-certificate"),
        key: Self.text(of: files.key, "--tls-key"))
    }
    return configuration
  }

  private static func connections() throws(ToolError) -> Int {
    let files = Descriptors.raiseLimit(to: mostConnections + otherFiles)
    guard files >= fewestConnections + otherFiles else {
      throw ToolError(
        """
        This process may have \(files) files open, and needs \(fewestConnections + otherFiles). Raise the \
        limit, as by ulimit -n or LimitNOFILE.
        """)
    }
    return files - otherFiles
  }

  private static func text(of file: String, _ option: String) throws(ToolError) -> String {
    guard let data = try? Data(contentsOf: URL(filePath: file)) else {
      throw ToolError("“\(file)” cannot be read. Say another file by \(option).")
    }
    return String(decoding: data, as: UTF8.self)
  }
}
