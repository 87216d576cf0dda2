import Foundation
import OffshoreHTTP
import OffshoreServer
import OffshoreWire

/// Serves devices from one file, until a signal ends it.
struct ServeCommand {
  private let options: ServeOptions

  init(_ options: ServeOptions) { self.options = options }

  /// Serves, prints the address, and returns once a signal came and all that was accepted is done.
  /// - Throws: why it cannot begin.
  func run() async throws {
    let manifest = try readManifest()
    let rules = try PushRules(manifest)
    let log = try DataFile.open(options.data)
    try await log.adopt(manifest)
    let sync = try sync(log, rules)
    let server = HTTPServer(try configuration(), router: sync.router)
    let port = try server.start()
    let collection = Task { await collect(sync) }
    await TerminationSignals.first(of: TerminationSignals.usual) {
      var address = options.listen
      address.port = port
      OffshoreTool.write(
        "Offshore serves at http\(options.tls == nil ? "" : "s")://\(address)\n",
        to: .standardOutput)
    }
    await server.stop()
    collection.cancel()
    await collection.value
    await log.close()
    await RequestLog.standardError.finish()
  }

  /// Forgets old tombstones each hour, until it is cancelled.
  private func collect(_ sync: SyncServer<SQLiteChangeLog>) async {
    while !Task.isCancelled {
      await sync.collectTombstones(olderThan: options.retention * 86_400_000)
      try? await Task.sleep(for: .seconds(3_600))
    }
  }

  private func sync(_ log: SQLiteChangeLog, _ rules: PushRules) throws -> SyncServer<
    SQLiteChangeLog
  > {
    var configuration = ServerConfiguration()
    configuration.opensSignUp = options.opensSignUp
    configuration.trustedProxies = options.trustedProxies
    configuration.log = .standardError
    configuration.metricsToken = try options.metricsToken.map {
      try Self.text(of: $0, "--metrics-token").trimmingCharacters(in: .whitespacesAndNewlines)
    }
    return SyncServer(
      log: log, rules: rules, blobs: try blobs(),
      configuration: configuration, clock: ServerClock.now)
  }

  /// Blobs are files in a folder beside the data.
  private func blobs() throws -> BlobStore {
    try BlobStore(options.data + "-blobs")
  }

  /// How many connections are kept where the system allows as many: most of them listen and are idle.
  private static let mostConnections = 20_000
  /// How many have to be, or a server is none.
  private static let fewestConnections = 64
  /// How many files are open beside connections.
  private static let otherFiles = 256

  private func configuration() throws -> HTTPServer.Configuration {
    var configuration = HTTPServer.Configuration()
    configuration.address = options.listen.address
    configuration.port = options.listen.port
    configuration.maximumConnections = try Self.connections()
    // All that comes through a proxy comes from its address.
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

  private func readManifest() throws -> Manifest {
    let json: Data
    do {
      json = try Data(contentsOf: URL(filePath: options.manifest))
    } catch {
      throw ToolError(
        """
        The manifest “\(options.manifest)” cannot be read. Export it from the app, and say by \
        --manifest where it is.
        """)
    }
    return try Manifest(json: json)
  }
}
