import Foundation
package import Offshore

/// A storage in an SQLite file, for a server on one machine.
package struct SQLiteStorage: ServerStorage {
  /// The file, which contains only the server's data.
  private let database: Database
  /// The same file, with a reader of its own for prompt reads.
  private let prompt: Database

  /// Opens a file, and creates it if it does not exist.
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - epoch: a random number other than 0 for new data. An existing file has its own epoch.
  ///   - configuration: the configuration of the database. The storage replaces its
  ///     `pageCacheSize` and `logSizeLimit`, and raises its `readerCount`.
  /// - Throws: `DatabaseError` as `Database` does.
  package init(
    _ path: String, epoch: UInt64, configuration: DatabaseConfiguration = DatabaseConfiguration()
  ) throws {
    var configuration = Self.complete(configuration)
    configuration.groupDuration = Self.groupDuration
    try self.init(
      database: Database(
        path, migrations: StorageMigrations.all(epoch: epoch), configuration: configuration))
  }

  /// The least number of readers: one more than an account has requests in hand, so that one is left to
  /// others.
  static let readerCount = 5

  /// The cache of each reading connection, in bytes. A first sync reads rows in the order of their
  /// ids, which are scattered over the file.
  private static let pageCacheSize = 32 * 1_048_576

  /// The size in bytes that the write-ahead log should not reach, for many devices that write all
  /// over the file. Each commit changes hundreds of pages, so these are copied from the log to the
  /// file after 64 MiB rather than 4.
  private static let logSizeLimit = 128 * 1_048_576

  /// Settings for the same work.
  ///
  /// - The writing connection caches 64 MiB of pages.
  /// - It stores the original pages of a push's savepoint in memory. Otherwise each push of dozens
  ///   of rows would create a temporary file.
  private static let writerPragmas = ["PRAGMA cache_size = -65536", "PRAGMA temp_store = MEMORY"]

  /// The time for which waiting writes are added to a commit. The answers cross a network, so 20
  /// milliseconds matter little, and a commit for dozens of devices costs hardly more than one for
  /// a few.
  private static let groupDuration = Duration.milliseconds(20)

  /// Creates a storage for tests, in a temporary folder that is removed when the storage closes. Its
  /// commits wait for no further writes.
  /// - Throws: `DatabaseError` as `Database` does.
  package static func temporary(epoch: UInt64) throws -> SQLiteStorage {
    try SQLiteStorage(
      database: Database.temporary(
        migrations: StorageMigrations.all(epoch: epoch),
        configuration: complete(DatabaseConfiguration())))
  }

  /// Returns a configuration with the storage's readers, caches and limits.
  private static func complete(_ configuration: DatabaseConfiguration) -> DatabaseConfiguration {
    var configuration = configuration
    configuration.readerCount = max(configuration.readerCount, readerCount)
    configuration.pageCacheSize = pageCacheSize
    configuration.logSizeLimit = logSizeLimit
    configuration.prepareWriter = { connection in
      for pragma in writerPragmas { try connection.execute(SQL(raw: pragma)) }
    }
    return configuration
  }

  private init(database: Database) throws {
    self.database = database
    var configuration = DatabaseConfiguration()
    configuration.isReadOnly = true
    configuration.readerCount = 1
    configuration.pageCacheSize = 1 << 20
    prompt = try Database(database.path, configuration: configuration)
  }

  package func read<Result: Sendable>(
    _ body: @escaping @Sendable (any StorageTransaction) throws -> Result
  ) async throws -> Result { try await database.read { try body(SQLiteTransaction(reading: $0)) } }

  package func readPromptly<Result: Sendable>(
    _ body: @escaping @Sendable (any StorageTransaction) throws -> Result
  ) async throws -> Result { try await prompt.read { try body(SQLiteTransaction(reading: $0)) } }

  package func write<Result: Sendable>(
    _ body: @escaping @Sendable (inout any StorageTransaction) throws -> Result
  ) async throws -> Result {
    try await database.write { writer in
      var transaction: any StorageTransaction = SQLiteTransaction(writing: writer)
      return try body(&transaction)
    }
  }

  package func observe<Result: Equatable & Sendable>(
    _ body: @escaping @Sendable (any StorageTransaction) throws -> Result,
    _ receive: @Sendable (Result) -> Void
  ) async throws {
    let results = database.values { try body(SQLiteTransaction(reading: $0)) }
    for try await result in results { receive(result) }
  }

  /// The size of the database file and its write-ahead log, in bytes.
  package var byteCount: Int64? {
    ["", "-wal"].reduce(0) { sum, suffix in
      let attributes = try? FileManager.default.attributesOfItem(atPath: database.path + suffix)
      return sum + ((attributes?[.size] as? NSNumber)?.int64Value ?? 0)
    }
  }

  package func close() async {
    await prompt.close()
    await database.close()
  }
}
