import CSQLite
import Synchronization

/// The number of commits to a file by all processes.
///
/// SQLite stores it in the index of the write-ahead log, which is memory that the processes share,
/// and raises it with each commit that writes pages (<https://sqlite.org/walformat.html>).
/// `PRAGMA data_version` would need a transaction, and does not distinguish other connections.
struct CommitCounter: @unchecked Sendable {  // Atomic memory, mapped until `SharedFile.leave`.
  private let counter: UnsafePointer<Atomic<UInt32>>

  /// Finds the counter by a connection; `nil` if SQLite shares no index of the known version.
  /// - Throws: ``DatabaseError`` if the file cannot be read.
  init?(_ connection: Connection) throws {
    // SQLite maps the index when it reads the file for the first time.
    guard connection.schemaVersion >= 0 else {
      throw DatabaseError.sqlite(sqlite3_errcode(connection.handle), connection.handle)
    }
    guard let index = offshore_sqlite3_wal_index(connection.handle),
      index.load(as: UInt32.self) == Self.knownVersion
    else { return nil }
    counter = (index + Self.offset).assumingMemoryBound(to: Atomic<UInt32>.self)
  }

  /// The number of commits so far. It restarts at any number when the index is created again.
  var value: UInt32 { counter.pointee.load(ordering: .acquiring) }

  private static let knownVersion: UInt32 = 3_007_000
  private static let offset = 8
}
