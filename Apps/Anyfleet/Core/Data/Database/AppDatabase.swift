import Foundation
public import Offshore
public import OffshoreSync
import Synchronization

/// The file in which Anyfleet keeps everything.
public final class AppDatabase: Sendable {
  /// The database, migrated to this version.
  public let database: Database
  /// What is synced of it.
  public let replica: Replica

  /// Opens a file, creating it where there is none, and brings it to this version.
  ///
  /// - Throws: `DatabaseError`; the file is then as the last complete migration left it.
  public convenience init(
    path: String, configuration: DatabaseConfiguration = DatabaseConfiguration()
  ) throws {
    try self.init(
      Database(path, migrations: AppMigrations.all, configuration: configuration))
  }

  private init(_ database: Database) throws {
    self.database = database
    let schema = try AppSchema.make()
    replica = try Replica(schema, derivations: AppDerivations.all(schema))
  }

  /// Opens an empty database in a temporary folder, for tests.
  ///
  /// - Throws: `DatabaseError` where the folder cannot be made.
  public static func makeEmpty() throws -> AppDatabase {
    try AppDatabase(.inMemory(migrations: AppMigrations.all))
  }
}

// MARK: - The shared database

extension AppDatabase {
  private static let opened = Mutex<AppDatabase?>(nil)

  /// The database at ``defaultPath``, opened when it is first asked for.
  ///
  /// - Throws: `DatabaseError`; asking again tries again.
  public static var shared: AppDatabase {
    get throws {
      try opened.withLock { opened in
        if let opened { return opened }
        let database = try AppDatabase(path: makeDefaultPath())
        opened = database
        return database
      }
    }
  }

  /// `anyfleet/anyfleet.sqlite` in the user's data folder.
  ///
  /// See <https://specifications.freedesktop.org/basedir-spec/latest/>.
  public static var defaultPath: String {
    defaultPath(environment: ProcessInfo.processInfo.environment, home: NSHomeDirectory())
  }

  static func defaultPath(environment: [String: String], home: String) -> String {
    let set = environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    return (set ?? home + "/.local/share") + "/anyfleet/anyfleet.sqlite"
  }

  private static func makeDefaultPath() throws -> String {
    let path = defaultPath
    let folder = (path as NSString).deletingLastPathComponent
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    } catch {
      throw DatabaseError(.cannotOpen, "The data folder cannot be made. Check its permissions.")
    }
    return path
  }
}
