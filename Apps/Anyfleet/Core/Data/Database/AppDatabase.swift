public import Offshore
public import OffshoreSync
import Synchronization

/// The file with all data of Anyfleet.
public final class AppDatabase: Sendable {
  /// The file with its settings and its account.
  package let store: SyncedStore
  /// The database, migrated to this version.
  package var database: Database { store.database }
  /// The synced tables of the database.
  package var replica: Replica { store.replica }

  /// Opens a file, creating it if it is missing, and migrates it to this version.
  ///
  /// - Throws: `DatabaseError`, after which the file is in the state of the last complete
  ///   migration; `ReplicaError`.
  public convenience init(
    path: String, configuration: DatabaseConfiguration = DatabaseConfiguration(),
    environment: SyncedStore.Environment = SyncedStore.Environment()
  ) throws {
    self.init(
      try SyncedStore(
        path, schema: AppSchema.current, configuration: configuration, environment: environment))
  }

  /// Creates a database from an open file.
  package init(_ store: SyncedStore) { self.store = store }

  /// Opens an empty database in a temporary folder, for tests.
  ///
  /// - Throws: `DatabaseError` if the folder cannot be created.
  public static func makeEmpty(
    environment: SyncedStore.Environment = SyncedStore.Environment()
  ) throws -> AppDatabase {
    AppDatabase(try .temporary(schema: AppSchema.current, environment: environment))
  }
}

// MARK: - The shared database

extension AppDatabase {
  private static let opened = Mutex<AppDatabase?>(nil)

  /// The database `anyfleet/anyfleet.sqlite` in the user's data folder, opened at the first access.
  ///
  /// - Throws: `DatabaseError`. The next access retries.
  public static var shared: AppDatabase {
    get throws {
      try opened.withLock { opened in
        if let opened { return opened }
        let database = try AppDatabase(
          path: UserDataFolder(of: "anyfleet").makePath(of: "anyfleet.sqlite"))
        opened = database
        return database
      }
    }
  }
}
