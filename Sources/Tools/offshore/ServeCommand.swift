import Foundation
import OffshoreHTTP
import OffshoreLogging
import OffshoreServer
import OffshoreWire

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
    await TerminationSignals.wait {
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
    await LogSink.jsonLines.flush()
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
    let (hasher, downloads) = (PasswordHasher(), DownloadSlots())
    let configuration = try serverConfiguration()
    var apps: [ServedApp] = []
    do {
      for app in options.apps {
        apps.append(
          try await ServedApp(
            app, hasher: hasher, downloads: downloads, configuration: configuration))
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
    configuration.storageLimits = options.storageLimits
    configuration.blobLimits = options.blobLimits
    configuration.log = .jsonLines
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
  /// The maximum number of bytes of a request's headers.
  private static let headerSize = 4 << 10
  /// The number of open files in addition to connections, such as those of downloads.
  private static let otherFiles = 256

  private func configuration() throws -> HTTPServer.Configuration {
    var configuration = HTTPServer.Configuration()
    configuration.address = options.listen.address
    configuration.port = options.listen.port
    configuration.maximumConnections = try Self.connections()
    // Each connection has memory for its headers, and most are idle event streams.
    configuration.maximumHeaderSize = Self.headerSize
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

/// An app of `offshore serve`: its file and its server.
struct ServedApp {
  let name: String?
  private let data: ServerData
  private let lock: DataLock
  private let sync: SyncServer

  /// The routes of the app.
  var router: Router { sync.router }

  /// Opens the file of an app.
  ///
  /// - Parameters:
  ///   - app: the app to serve.
  ///   - hasher: the hasher of passwords, shared by all apps.
  ///   - downloads: the downloads under way, shared by all apps.
  ///   - configuration: the configuration for all apps.
  /// - Throws: ``ToolError``, `WireError`, `DatabaseError`, or the error of `FileManager` if the
  ///   folder of blobs cannot be created.
  init(
    _ app: ServeOptions.App, hasher: PasswordHasher, downloads: DownloadSlots,
    configuration: ServerConfiguration
  ) async throws {
    let manifest = try Self.manifest(app)
    let rules = try PushRules(manifest)
    let lock = try DataLock(serving: app.data)
    var opened: ServerData?
    do {
      let data = try DataFile.open(app.data)
      opened = data
      var configuration = configuration
      configuration.app = app.name
      sync = try await SyncServer(
        data, rules: rules, hasher: hasher, downloads: downloads, configuration: configuration)
      self.data = data
    } catch {
      await opened?.close()
      lock.release()
      throw error
    }
    self.lock = lock
    name = app.name
  }

  /// Removes tombstones older than a number of days, once an hour, and unused blobs and files of blobs
  /// without an entry, once a day, until the task is cancelled.
  func collect(olderThan days: Int64) async {
    for hour in 0... {
      guard !Task.isCancelled else { return }
      await sync.collectTombstones(olderThan: .seconds(days * 86_400))
      if hour % 24 == 0 { await sync.sweepBlobs() }
      try? await Task.sleep(for: .seconds(3_600))
    }
  }

  /// Closes the file, which another process may serve then.
  func close() async {
    await data.close()
    lock.release()
  }

  private static func manifest(_ app: ServeOptions.App) throws -> Manifest {
    let option = app.name.map { "--app \($0)=MANIFEST" } ?? "--manifest"
    do {
      return try ManifestFile(app.manifest).manifest(
        remedy: "Export it from the app, and name its file by \(option).")
    } catch let error as WireError {
      guard let name = app.name else { throw error }
      throw ToolError("\(name): \(ToolError(error).description)")
    }
  }
}

/// The limit of open files and connections of this process.
enum Descriptors {
  #if os(Linux)
    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  #else
    private static let resource = RLIMIT_NOFILE
  #endif

  /// Raises the limit, as far as the system allows.
  /// - Returns: the new limit, or `wanted` if that is lower.
  static func raiseLimit(to wanted: Int) -> Int {
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return 1_024 }
    if limit.rlim_cur < wanted {
      var raised = limit
      raised.rlim_cur = min(rlim_t(wanted), limit.rlim_max)
      if setrlimit(resource, &raised) == 0 { limit = raised }
    }
    return Int(clamping: min(limit.rlim_cur, rlim_t(wanted)))
  }
}
