import Foundation
public import Offshore

/// A log in an SQLite file, for a server on one machine.
public struct SQLiteChangeLog: ServerLog {
  /// The file, which contains only the log.
  private let database: Database

  /// Opens a log, and creates it if it does not exist.
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - epoch: a random number other than 0 for a new log. An existing log has its own epoch.
  ///   - configuration: the configuration of the database. The log replaces its `pageCacheSize`.
  /// - Throws: `DatabaseError` as `Database` does.
  public init(
    _ path: String, epoch: UInt64, configuration: DatabaseConfiguration = DatabaseConfiguration()
  ) throws {
    var configuration = configuration
    configuration.groupDuration = Self.groupDuration
    configuration.pageCacheSize = Self.pageCacheSize
    configuration.prepareWriter = { connection in
      for pragma in Self.writerPragmas { try connection.execute(SQL(raw: pragma)) }
    }
    database = try Database(
      path, migrations: Self.migrations(epoch: epoch), configuration: configuration)
  }

  /// The cache of each reading connection, in bytes. A first sync reads rows in the order of their
  /// ids, which are scattered over the file.
  private static let pageCacheSize = 32 * 1_048_576

  /// Settings for many devices that write all over the file. Each commit changes hundreds of pages.
  ///
  /// - The writing connection caches 64 MiB of pages.
  /// - It copies pages from the write-ahead log to the file after 64 MiB rather than 4
  ///   (<https://sqlite.org/wal.html#avoiding_excessively_large_wal_files>).
  /// - It stores the original pages of a push's savepoint in memory. Otherwise each push of dozens
  ///   of rows would create a temporary file.
  private static let writerPragmas = [
    "PRAGMA cache_size = -65536", "PRAGMA wal_autocheckpoint = 16384",
    "PRAGMA journal_size_limit = 134217728", "PRAGMA temp_store = MEMORY",
  ]

  /// The time for which waiting writes are added to a commit. The answers cross a network, so 20 milliseconds
  /// matter little, and a commit for dozens of devices costs hardly more than one for a few.
  private static let groupDuration = Duration.milliseconds(20)

  /// Creates a log for tests, in a temporary folder that is removed when the log closes.
  /// - Throws: `DatabaseError` as `Database` does.
  public static func inMemory(epoch: UInt64) throws -> SQLiteChangeLog {
    SQLiteChangeLog(database: try Database.temporary(migrations: migrations(epoch: epoch)))
  }

  private init(database: Database) { self.database = database }

  public func read<Result: Sendable>(
    _ body: @escaping @Sendable (SQLiteAccess<Reader>) throws -> Result
  ) async throws -> Result { try await database.read { try body(SQLiteAccess($0)) } }

  public func write<Result: Sendable>(
    _ body: @escaping @Sendable (inout SQLiteAccess<Writer>) throws -> Result
  ) async throws -> Result {
    try await database.write { writer in
      var access = SQLiteAccess(writer)
      return try body(&access)
    }
  }

  /// The size of the database file and its write-ahead log, in bytes.
  public var storedBytes: Int64? {
    ["", "-wal"].reduce(0) { sum, suffix in
      let attributes = try? FileManager.default.attributesOfItem(atPath: database.path + suffix)
      return sum + ((attributes?[.size] as? NSNumber)?.int64Value ?? 0)
    }
  }

  /// Completes the pending work and closes the file. Later work is refused.
  public func close() async { await database.close() }
}
