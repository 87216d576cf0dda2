import Foundation
import OffshoreHTTP
import OffshoreServer
import OffshoreWire

/// An app of `offshore serve`: its file and its server.
struct ServedApp {
  let name: String?
  private let log: SQLiteChangeLog
  private let sync: SyncServer<SQLiteChangeLog>

  /// The routes of the app.
  var router: Router { sync.router }

  /// Opens the file of an app.
  ///
  /// - Parameters:
  ///   - app: the app to serve.
  ///   - hasher: the hasher of passwords, shared by all apps.
  ///   - configuration: the configuration for all apps.
  /// - Throws: ``ToolError``, `WireError`, `DatabaseError`, or the error of `FileManager` if the
  ///   folder of blobs cannot be created.
  init(
    _ app: ServeOptions.App, hasher: PasswordHasher, configuration: ServerConfiguration
  ) async throws {
    let manifest = try Self.manifest(app)
    let rules = try PushRules(manifest)
    let log = try DataFile.open(app.data)
    do {
      try await log.adopt(manifest)
      var configuration = configuration
      configuration.app = app.name
      sync = SyncServer(
        // Blobs are files in a folder beside the data.
        log: log, rules: rules, blobs: try BlobStore(app.data + "-blobs"), hasher: hasher,
        configuration: configuration, clock: ServerClock.now)
    } catch {
      await log.close()
      throw error
    }
    self.log = log
    name = app.name
  }

  /// Removes tombstones older than a number of days, once an hour until the task is cancelled.
  func collect(olderThan days: Int64) async {
    while !Task.isCancelled {
      await sync.collectTombstones(olderThan: days * 86_400_000)
      try? await Task.sleep(for: .seconds(3_600))
    }
  }

  /// Closes the file.
  func close() async { await log.close() }

  private static func manifest(_ app: ServeOptions.App) throws -> Manifest {
    let json: Data
    do {
      json = try Data(contentsOf: URL(filePath: app.manifest))
    } catch {
      let option = app.name.map { "--app \($0)=MANIFEST" } ?? "--manifest"
      throw ToolError(
        "The manifest “\(app.manifest)” cannot be read. Export it from the app, and name its file by "
          + "\(option).")
    }
    do {
      return try Manifest(json: json)
    } catch {
      guard let name = app.name else { throw error }
      throw ToolError("\(name): \(ToolError(error).description)")
    }
  }
}
