import Foundation
public import Offshore

/// A log in an SQLite file: the storage of a server on one machine.
public struct SQLiteChangeLog: ServerLog {
  /// The file. It holds nothing but the log.
  private let database: Database

  /// Opens a log, making it if there is none.
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - epoch: a random number that is not 0, for a log that is made; one that exists keeps its own.
  ///   - configuration: how the file is opened.
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

  /// A device's first rows come in the order of their ids, which are all over the file: a connection that
  /// reads them keeps up to 32 MB of it.
  private static let pageCacheSize = 32 * 1_048_576

  /// Many devices write all over the file, so that each commit touches hundreds of pages: the connection
  /// that writes keeps 64 MB of them, copies them from the journal to the file by 64 MB and not by 4
  /// (<https://sqlite.org/wal.html#avoiding_excessively_large_wal_files>), and keeps what the savepoint of a
  /// push overwrites in memory, where it would make a file for each push of dozens of rows.
  private static let writerPragmas = [
    "PRAGMA cache_size = -65536", "PRAGMA wal_autocheckpoint = 16384",
    "PRAGMA journal_size_limit = 134217728", "PRAGMA temp_store = MEMORY",
  ]

  /// How long writes that are waiting are let into a commit. The answers go over a network, for which 20
  /// milliseconds are little, and a commit for dozens of devices costs not much more than one for a few.
  private static let groupDuration = Duration.milliseconds(20)

  /// Makes a log in a temporary folder that goes with it, for tests.
  /// - Throws: `DatabaseError` as `Database` does.
  public static func inMemory(epoch: UInt64) throws -> SQLiteChangeLog {
    SQLiteChangeLog(database: try Database.inMemory(migrations: migrations(epoch: epoch)))
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

  /// How many bytes the file has, with what was written and is not in it yet.
  public var storedBytes: Int64? {
    ["", "-wal"].reduce(0) { sum, suffix in
      let attributes = try? FileManager.default.attributesOfItem(atPath: database.path + suffix)
      return sum + ((attributes?[.size] as? NSNumber)?.int64Value ?? 0)
    }
  }

  /// Finishes what has been asked for, closes the file, and refuses work from then on.
  public func close() async { await database.close() }
}
