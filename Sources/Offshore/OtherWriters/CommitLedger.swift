import CSQLite
import Synchronization

/// The numbers of commits, by which those of this process are distinguished from those of others.
///
/// Only one transaction at a time holds the write lock, so it knows the number that its commit will
/// have. The number is expected before the commit. It is settled afterwards, when it is known
/// whether the commit has written any page.
struct CommitLedger {
  /// The number up to which all commits are accounted for.
  private(set) var seen: UInt32
  /// The numbers of commits that are in progress.
  private var expected: Set<UInt32> = []
  /// The numbers of this process's commits that are not accounted for yet.
  private var own: Set<UInt32> = []

  /// Creates a ledger that ignores the commits so far.
  init(seen: UInt32) { self.seen = seen }

  /// Records that this process is about to commit with this number.
  mutating func expect(_ number: UInt32) { expected.insert(number) }

  /// Records whether an expected commit has written anything.
  mutating func settle(_ number: UInt32, isWritten: Bool) {
    expected.remove(number)
    if isWritten, (1...Self.limit).contains(number &- seen) { own.insert(number) }
  }

  /// Accounts for all commits up to a number, or up to the first one that is still in progress.
  /// - Returns: Whether one of them was made by another process.
  mutating func advance(to number: UInt32) -> Bool {
    guard number != seen else { return false }
    guard number &- seen <= Self.limit else {
      seen = number
      own.removeAll()
      return true
    }
    var isForeign = false
    while seen != number, !expected.contains(seen &+ 1) {
      seen &+= 1
      if own.remove(seen) == nil { isForeign = true }
    }
    return isForeign
  }

  /// The maximum number of commits that are accounted for one by one. A greater distance is due to
  /// a new index, or to commits of which at least one was made by another process.
  private static let limit: UInt32 = 4096
}

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
